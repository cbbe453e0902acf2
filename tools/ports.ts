import { randomInt } from "node:crypto"
import { createServer } from "node:net"

const LOOPBACK = "127.0.0.1"

/**
 * Below the range from which systems take the ports of outgoing connections (Linux from 32768, others from 49152). A
 * port of that range may be free when we look, and taken by a connection when the server starts.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000
/** A server needs seconds to start, so whoever looks meanwhile finds its port free: processes look in different places. */
const OF_ONE_PROCESS = 500

/** The first of the ports that this process gives away. */
export function firstOwnPort(pid: number = process.pid): number {
  return FIRST_PORT + (pid % ((LAST_PORT - FIRST_PORT) / OF_ONE_PROCESS)) * OF_ONE_PROCESS
}

/** One after the other, so that none is given away twice while the first server is starting. */
let next = randomInt(OF_ONE_PROCESS)

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstOwnPort() + (next++ % OF_ONE_PROCESS)
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
