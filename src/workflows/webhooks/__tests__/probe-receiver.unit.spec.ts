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

  it.each([
    [400, "not_an_envelope", "not_verified"],
    [401, "not_verified", "not_verified"],
    [408, "too_slow", "not_ready"],
    [413, "too_large", "not_verified"],
    [415, "not_plain_json", "not_verified"],
    [429, "too_many_requests", "not_ready"],
    [503, "try_again", "not_ready"],
  ])("knows an answer of ours that refuses: %d %s", async (status, code, kind) => {
    const refused = probed((_, response) =>
      response.writeHead(status).end(JSON.stringify({ code })),
    )
    expect((await refused).small).toEqual({ kind })
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
