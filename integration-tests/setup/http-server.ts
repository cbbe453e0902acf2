/** A web server of a test's own, at a free port of this machine. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

export type HttpServer = { url: string; port: number; stop: () => Promise<void> }

export async function serve(answer: RequestListener): Promise<HttpServer> {
  const server = createServer(answer)
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    stop: () =>
      new Promise((stopped) => {
        server.closeAllConnections()
        server.close(() => stopped())
      }),
  }
}
