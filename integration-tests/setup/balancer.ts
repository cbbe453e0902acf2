/** One address for a store's servers: each connection goes to the next of them that takes it, as at a merchant's. */
import { connect, createServer, type Socket } from "node:net"
import { freePort } from "../../tools/ports"

export type Balancer = {
  url: string
  /** From now on nobody gets through, though the servers are up. */
  close: () => void
  open: () => void
  stop: () => Promise<void>
}

/** @param ports of 127.0.0.1, where servers are, come and go */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const port = await freePort()
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on("close", () => open.delete(socket))
    // Whatever becomes of one side becomes of the other.
    socket.on("error", () => socket.destroy())
  }
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  let turn = 0
  let isOpen = true

  /** Tries the servers from this one on; where none takes the connection it is cut. */
  function forward(client: Socket, first: number, tried = 0): void {
    if (tried === ports.length) return void client.destroy()
    const server = connect(ports[(first + tried) % ports.length] ?? 0, "127.0.0.1")
    const next = () => forward(client, first, tried + 1)
    server.once("error", next)
    server.once("connect", () => {
      server.off("error", next)
      keep(server)
      client.pipe(server).pipe(client)
      client.on("close", () => server.destroy())
      server.on("close", () => client.destroy())
    })
  }

  const listener = createServer((client) => {
    if (!isOpen) return void client.destroy()
    keep(client)
    turn += 1
    forward(client, turn)
  })
  await new Promise<void>((resolve) => listener.listen(port, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      isOpen = false
      cut()
    },
    open: () => {
      isOpen = true
    },
    stop: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        cut()
      }),
  }
}
