import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Seen {
  method: string
  path: string
  body: unknown
  headers: IncomingMessage["headers"]
}

type Answer = (seen: Seen, response: ServerResponse) => unknown

/** A store on a real socket. A route answers JSON, or takes the response into its own hands. */
export async function startLocalStore() {
  const seen: Seen[] = []
  const routes = new Map<string, Answer>()

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ""
    for await (const chunk of request) {
      text += chunk
    }
    const call: Seen = {
      method: request.method ?? "",
      path: request.url ?? "",
      body: text ? JSON.parse(text) : undefined,
      headers: request.headers,
    }
    seen.push(call)
    const route = routes.get(`${call.method} ${call.path}`)
    const given = route
      ? await route(call, response)
      : { status: 404, body: { type: "not_found", code: "not_found" } }
    if (given === undefined) {
      return
    }
    const { status = 200, body } = given as { status?: number; body: unknown }
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => {
    // Whoever asked may be gone before its question is read.
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    on: (route: string, answer: Answer) => routes.set(route, answer),
    reset() {
      seen.length = 0
      routes.clear()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
