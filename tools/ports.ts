import { randomInt } from "node:crypto"
import { createServer } from "node:net"

const LOOPBACK = "127.0.0.1"

/**
 * Below the range from which systems take the ports of outgoing connections (Linux from 32768, others from 49152). A
 * port of that range may be free when we look, and taken by a connection when the server starts.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (await isPortFree(port)) return port
  }
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen({ port, host: LOOPBACK, exclusive: true }, () =>
      server.close(() => resolve(true)),
    )
  })
}
