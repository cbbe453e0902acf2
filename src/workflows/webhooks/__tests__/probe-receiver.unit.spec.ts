import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { probeReceiver } from "../probe-receiver"

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

async function probed(listener: RequestListener) {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return probeReceiver(url, { pageUid: "page", key: "key", maxBytes: 2_048 })
}

describe("a probe of the receiver", () => {
  it("knows an answer of ours from one of somebody else", async () => {
    const ours = JSON.stringify({ received: true, outcome: "probe" })
    expect((await probed((_, response) => response.end(ours))).small).toEqual({ kind: "accepted" })
    expect(
      (await probed((_, response) => response.writeHead(404).end("<h1>Not here</h1>"))).small,
    ).toEqual({ kind: "foreign", status: 404 })
  })

  it("does not read on where somebody else answers without an end", async () => {
    const endless = probed((_, response) => {
      const timer = setInterval(() => response.write("x".repeat(16_384)), 2)
      response.once("close", () => clearInterval(timer))
    })
    const tooLong = new Promise((resolve) => setTimeout(resolve, 60_000, "it reads on").unref())
    expect(await Promise.race([endless, tooLong])).toMatchObject({
      small: { kind: "foreign", status: 200 },
    })
  })
})
