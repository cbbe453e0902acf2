import type { AddressInfo } from "node:net"
import { connect, createServer, type Socket } from "node:net"

export type Gateway = Awaited<ReturnType<typeof startGateway>>

/** What stands in front of a store: while it is closed nobody gets through, though the store is up. */
export async function startGateway(storePort: number) {
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer((socket) => {
    if (!isOpen) {
      socket.destroy()
      return
    }
    const upstream = connect(storePort, "127.0.0.1")
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on("error", () => to.destroy())
      from.on("close", () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      isOpen = false
      cut()
    },
    open: () => {
      isOpen = true
    },
    stop: () => {
      cut()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
