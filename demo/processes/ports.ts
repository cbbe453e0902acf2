import { createServer } from "node:net"

const LOOPBACK = "127.0.0.1"

function listen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      const address = server.address()
      const bound = typeof address === "object" && address ? address.port : port
      server.close(() => resolve(bound))
    })
  })
}

/** A port of 127.0.0.1 that nothing listens on. */
export function freePort(): Promise<number> {
  return listen(0)
}

export function isPortFree(port: number): Promise<boolean> {
  return listen(port).then(
    () => true,
    () => false,
  )
}
