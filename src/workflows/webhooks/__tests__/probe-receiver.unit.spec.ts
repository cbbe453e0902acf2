import { createServer, type RequestListener } from "node:http"
import { localServers } from "../../../../integration-tests/setup/local-servers"
import { probeReceiver } from "../probe-receiver"

const listening = localServers()

const probed = async (listener: RequestListener) =>
  probeReceiver(await listening(createServer(listener)), {
    pageUid: "page",
    key: "key",
    maxBytes: 2_048,
  })

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
