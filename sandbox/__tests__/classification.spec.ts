/** What a receiver's answer means for a delivery (interface §7), over real sockets. */

import net from "node:net"
import { classify } from "../webhooks/classification"
import { Box, Receiver } from "./harness"

const DROPPED = [
  400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 422, 423,
  424, 425, 426, 428, 431, 451,
]

const box = Box.forAll()
const receiver = Receiver.forAll()

async function stateAfterOne(url = receiver.url) {
  await box.subscribe(url, ["live_event.created"])
  await box.announced()
  return box.onlyDelivery()
}

test("§7 what each status means: some 4xx are dropped, 408, 429 and 5xx retried, 2xx success", () => {
  const all = Array.from({ length: 500 }, (_, i) => 100 + i)
  const are = (outcome: string) => all.filter((status) => classify(status) === outcome)
  expect(are("drop")).toEqual(expect.arrayContaining(DROPPED))
  expect(are("retry")).toEqual([
    ...all.filter((status) => status < 200),
    408,
    429,
    ...all.filter((status) => status >= 500),
  ])
  expect(are("success")).toEqual(all.filter((status) => status >= 200 && status < 300))
})

test.each([400, 401, 404, 410, 451])(
  "§7 %s is not retried: dropped after the first attempt",
  async (status) => {
    receiver.answer(status)
    expect(await stateAfterOne()).toMatchObject({
      state: "dropped",
      next_attempt_at: null,
      attempts: [{ status, outcome: "drop", response: { body: `answered ${status}` } }],
    })
    await box.clock({ run_until_idle: true })
    expect(receiver.requests.length).toBe(1)
  },
)

test.each([408, 429, 500, 599])("§7 %s is retried", async (status) => {
  receiver.answer(status)
  const delivery = await stateAfterOne()
  expect(delivery).toMatchObject({ state: "pending", attempts: [{ status, outcome: "retry" }] })
  expect(delivery.next_attempt_at).toBe(delivery.created_at + 60_000)
  await box.clock({ run_until_idle: true })
  expect(receiver.requests.length).toBe(4)
})

test.each([200, 204, 299])("§7 %s is success", async (status) => {
  receiver.answer(status)
  expect(await stateAfterOne()).toMatchObject({
    state: "delivered",
    attempts: [{ status, outcome: "success" }],
  })
})

test("a redirect is not followed, and dropped", async () => {
  const elsewhere = await Receiver.start()
  receiver.answer((_request, response) => {
    response.writeHead(307, { location: elsewhere.url })
    response.end()
  })
  expect(await stateAfterOne()).toMatchObject({ state: "dropped", attempts: [{ status: 307 }] })
  expect(elsewhere.requests).toEqual([])
  await elsewhere.close()
})

describe("§7 no answer", () => {
  const retried = { state: "pending", attempts: [{ status: null, outcome: "retry" }] }

  test("§7 connection refused is retried", async () => {
    const gone = await Receiver.start()
    const { url } = gone
    await gone.close()
    const delivery = await stateAfterOne(url)
    expect(delivery).toMatchObject(retried)
    expect(delivery.attempts[0]?.error).toContain("ECONNREFUSED")
  })

  test("§7 what is no final HTTP answer is retried, and ends", async () => {
    const odd = {
      "other protocol": "SSH-2.0-OpenSSH\r\n",
      "switched protocol":
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
      "interim only": "HTTP/1.1 100 Continue\r\n\r\n",
      "status beyond the classes": "HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n",
      "broken chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    }
    for (const [name, text] of Object.entries(odd)) {
      const server = net.createServer((socket) => {
        socket.on("error", () => undefined)
        socket.once("data", () => socket.end(text))
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const { port } = server.address() as net.AddressInfo
      await box.fresh()
      const { state, attempts } = await stateAfterOne(`http://127.0.0.1:${port}/`)
      expect([name, state, attempts.map(({ outcome }) => outcome)]).toEqual([
        name,
        "pending",
        ["retry"],
      ])
      await new Promise((resolve) => server.close(resolve))
    }
  })

  test("§7 DNS failure is retried", async () => {
    const delivery = await stateAfterOne("https://no-such-shop.invalid/hooks")
    expect(delivery).toMatchObject(retried)
    expect(delivery.attempts[0]?.error).toMatch(/ENOTFOUND|EAI_AGAIN/)
  })

  test("§7 TLS handshake failure is retried", async () => {
    // A plain server where TLS is expected.
    receiver.answer(200)
    const delivery = await stateAfterOne(receiver.url.replace("http:", "https:"))
    expect(delivery).toMatchObject(retried)
    expect(delivery.attempts[0]?.error).toMatch(/SSL|EPROTO|ECONNRESET|socket/i)
    expect(receiver.requests).toEqual([])
  })

  test("§7 a connection that is cut is retried", async () => {
    const cutter = net.createServer((socket) => {
      socket.once("data", () => socket.destroy())
    })
    await new Promise<void>((resolve) => cutter.listen(0, "127.0.0.1", resolve))
    const { port } = cutter.address() as net.AddressInfo
    expect(await stateAfterOne(`http://127.0.0.1:${port}/`)).toMatchObject(retried)
    await new Promise((resolve) => cutter.close(resolve))
  })
})
