/** Servers of a test file, each on a free port of this machine, and gone after the test that started it. */
import type { AddressInfo, Server } from "node:net"

type Closes = Server & { closeAllConnections?: () => void }

/** @returns what starts one and says its address */
export function localServers(): (server: Closes) => Promise<string> {
  const running: Closes[] = []
  afterEach(async () => {
    for (const server of running.splice(0)) {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections?.()
      await closed
    }
  })
  return async (server) => {
    running.push(server)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}
