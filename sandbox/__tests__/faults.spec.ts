/** Every kind of fault, over real sockets, in both directions. That a seed gives the same run: `repeatable.spec.ts`. */

import net from "node:net"
import { ADVERSARIES, type FaultKind } from "../simulation/faults"
import { Box, type ErrorBody, envelopeOf, isSignedWith, Receiver, SIMPLE } from "./harness"

const box = Box.forAll()
const receiver = Receiver.forAll()

const plan = (body: object) =>
  box.control<{ fault: { id: string; rules: { matched: number; applied: number }[] } }>(
    "POST",
    "/faults",
    body,
  )
const push = () => box.call<ErrorBody>("POST", "/products", { products: [SIMPLE] })
const received = async () => (await box.received()).length

/** What a client sees on the wire: all bytes until the connection ends, and how it ended. */
function raw(path: string, body: string, patienceMs = 60_000) {
  return new Promise<{ text: string; pieces: number; end: string }>((resolve) => {
    const socket = net.connect(Number(new URL(box.url).port), "127.0.0.1")
    let text = ""
    let pieces = 0
    let failure = ""
    const timer = setTimeout(() => {
      failure = "silence"
      socket.destroy()
    }, patienceMs)
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
      pieces++
    })
    socket.on("error", (error: NodeJS.ErrnoException) => {
      failure = error.code ?? error.message
    })
    socket.on("close", () => {
      clearTimeout(timer)
      resolve({ text, pieces, end: failure || "closed" })
    })
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n` +
        `authorization: Token sandbox-token-demo-page\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
  })
}
const rawPush = (patienceMs?: number) =>
  raw("/products", JSON.stringify({ products: [SIMPLE] }), patienceMs)
const bodyOf = (text: string) => text.slice(text.indexOf("\r\n\r\n") + 4)

describe("on a call", () => {
  test("status: the planned answer in place of the call, or with after once it was carried out", async () => {
    await plan({
      on: "products",
      kind: "status",
      status: 429,
      retry_after: 7,
      body: { message: "slow down" },
      headers: { "x-trace": "abc" },
      times: 1,
    })
    const answer = await push()
    expect([answer.status, answer.text]).toEqual([429, '{"message":"slow down"}'])
    expect([answer.headers.get("retry-after"), answer.headers.get("x-trace")]).toEqual(["7", "abc"])
    expect(await received()).toBe(0)
    await plan({ on: "products", kind: "status", status: 502, after: true })
    expect([(await push()).status, await received()]).toEqual([502, 1])
  })

  test("delay: the call is carried out after the wait, or with after before it", async () => {
    for (const [after, expected] of [
      [false, 0],
      [true, 1],
    ] as const) {
      await box.fresh()
      await plan({ on: "products", kind: "delay", delay_ms: 600_000, after })
      void rawPush()
      const struck = async () => {
        const { faults } = await box.control<{ faults: { rules: { applied: number }[] }[] }>(
          "GET",
          "/faults",
        )
        return faults[0]?.rules[0]?.applied === 1
      }
      while (!(await struck())) await new Promise((resolve) => setTimeout(resolve, 5))
      expect(await received()).toBe(expected)
    }
  })

  test("hang: not a byte comes", async () => {
    await plan({ on: "products", kind: "hang" })
    expect(await rawPush(200)).toEqual({ text: "", pieces: 0, end: "silence" })
    expect(await received()).toBe(0)
  })

  test("reset: the connection is reset before or after the work", async () => {
    await plan({ on: "products", kind: "reset", times: 1 })
    expect(await rawPush()).toEqual({ text: "", pieces: 0, end: "ECONNRESET" })
    expect(await received()).toBe(0)
    await plan({ on: "products", kind: "reset", after: true })
    expect((await rawPush()).end).toBe("ECONNRESET")
    expect(await received()).toBe(1)
  })

  test("half_body: half of the promised body, then the end", async () => {
    const whole = bodyOf((await rawPush()).text)
    await plan({ on: "products", kind: "half_body" })
    const { text } = await rawPush()
    const promised = Number(/content-length: (\d+)/i.exec(text)?.[1])
    expect(bodyOf(text)).not.toBe("")
    expect(bodyOf(text).length).toBe(Math.floor(promised / 2))
    expect(whole.startsWith(bodyOf(text).slice(0, 12))).toBe(true)
  })

  test("garbage: 200, typed as JSON, and is none; wrong_content_type: the right body as HTML", async () => {
    await plan({ on: "products", kind: "garbage", times: 1 })
    const garbage = await push()
    expect([garbage.status, garbage.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("application/json"),
    ])
    expect(() => JSON.parse(garbage.text)).toThrow()
    await plan({ on: "products", kind: "wrong_content_type" })
    const typed = await push()
    expect(typed.headers.get("content-type")).toMatch(/^text\/html/)
    expect(JSON.parse(typed.text)).toMatchObject({ accepted: 1 })
  })

  test("slow_drip: the right answer, drop by drop", async () => {
    await plan({ on: "products", kind: "slow_drip", bytes: 10, interval_ms: 10 })
    const { text, pieces } = await rawPush()
    expect(pieces).toBeGreaterThan(3)
    expect(JSON.parse(bodyOf(text))).toMatchObject({ accepted: 1 })
  })

  test("refuse: the port is closed for a while, then open again", async () => {
    const { port } = box.sandbox
    const knock = () =>
      new Promise<string>((resolve) => {
        const socket = net.connect(port, "127.0.0.1")
        socket.on("connect", () => {
          socket.destroy()
          resolve("open")
        })
        socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""))
      })
    let seen = ""
    // A machine too busy to knock in time gets a longer while.
    for (let duration_ms = 300; seen !== "ECONNREFUSED"; duration_ms *= 2) {
      expect(duration_ms).toBeLessThan(60_000)
      await plan({ on: "products", kind: "refuse", duration_ms, times: 1 })
      await expect(push()).rejects.toThrow()
      seen = await knock()
      while ((await knock()) !== "open") await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect((await push()).status).toBe(200)
  })
})

describe("on a delivery", () => {
  let id: string

  async function deliver(rule: object, graceMs = 30_000) {
    const webhook = await box.subscribe(receiver.url, ["live_event.updated"])
    await plan({ on: "delivery", ...rule })
    id = (await box.emit()).deliveries[0]?.id ?? ""
    await box.clock({ settle: true, grace_ms: graceMs })
    return webhook
  }
  const attempts = async () => (await box.delivery(id)).attempts

  test("status: counts as answered, the receiver never called", async () => {
    await deliver({ kind: "status", status: 404, body: "gone" })
    expect(await attempts()).toMatchObject([
      { status: 404, outcome: "drop", fault: "status", response: { body: "gone" } },
    ])
    expect(receiver.requests).toEqual([])
  })

  test("status with after: the receiver did its work, and svc saw another answer", async () => {
    await deliver({ kind: "status", status: 504, after: true, times: 1 })
    expect(await attempts()).toMatchObject([{ status: 504, outcome: "retry" }])
    await box.clock({ advance: "60s" })
    expect(receiver.requests.length).toBe(2)
    expect((await box.delivery(id)).state).toBe("delivered")
  })

  test("hang: connected, and nothing is sent until the timeout", async () => {
    await deliver({ kind: "hang" }, 50)
    await receiver.until(({ connections }) => connections > 0)
    expect([receiver.connections, receiver.requests.length, await attempts()]).toEqual([1, 0, []])
    await box.clock({ advance: "10s", grace_ms: 50 })
    await box.settle()
    expect(await attempts()).toMatchObject([
      { status: null, outcome: "retry", error: expect.stringContaining("timeout") },
    ])
  })

  test("wrong_content_type: the right body as text", async () => {
    await deliver({ kind: "wrong_content_type" })
    const { body, headers } = receiver.only()
    expect(headers["content-type"]).toBe("text/plain")
    expect(JSON.parse(body.toString("utf8"))).toMatchObject({ topic: "live_event.updated" })
  })

  test.each([
    ["delay: sent later", { kind: "delay", delay_ms: 120 }, 119],
    ["slow_drip: drop by drop", { kind: "slow_drip", bytes: 100, interval_ms: 20 }, 40],
  ])("%s", async (_what, rule, leastMs) => {
    await deliver(rule)
    const [attempt] = await attempts()
    expect([attempt?.status, receiver.only().complete]).toEqual([200, true])
    expect(attempt?.duration_ms).toBeGreaterThanOrEqual(leastMs)
  })

  test("refuse: to a port where nothing listens", async () => {
    await deliver({ kind: "refuse" })
    expect(receiver.requests).toEqual([])
    const [attempt] = await attempts()
    expect(attempt?.error).toContain("ECONNREFUSED")
  })

  test("attempts: only those that the rule names", async () => {
    await deliver({ kind: "status", status: 503, attempts: [1, 3] })
    receiver.answer(500)
    await box.clock({ run_until_idle: true })
    expect((await attempts()).map(({ fault, status }) => [fault, status])).toEqual([
      ["status", 503],
      [null, 500],
      ["status", 503],
      [null, 500],
    ])
  })
})

describe("on a delivery, as if from somebody without the key", () => {
  const DATA = { price: 129.5, event: { eventName: "Autumn" } }

  /** What comes of twelve deliveries under one kind: enough that the seed picks each of its ways. */
  async function disguised(kind: FaultKind) {
    receiver.answer((request, response) => {
      response.statusCode = isSignedWith(signatureKey, request) ? 200 : 401
      response.end()
    })
    const { signatureKey = "" } = await box.subscribe(receiver.url, ["live_event.updated"])
    await plan({ on: "delivery", kind })
    for (let i = 0; i < 12; i++) await box.emit("live_event.updated", DATA)
    await box.settle()
    return { signatureKey, requests: receiver.requests, deliveries: await box.deliveries() }
  }

  test("forged_signature: in the service's form or in none, never a right one", async () => {
    const { requests, deliveries } = await disguised("forged_signature")
    const signatures = requests.map(({ headers }) => String(headers["x-svc-signature"]))
    expect(new Set(signatures.map((text) => /^[A-Za-z0-9+/]{43}=$/.test(text)))).toEqual(
      new Set([true, false]),
    )
    expect(deliveries.map(({ state }) => state)).toEqual(Array(12).fill("dropped"))
    expect(deliveries[0]?.attempts).toMatchObject([{ status: 401, fault: "forged_signature" }])
  })

  test("tampered_body: the right headers over a body that was changed, and is still JSON", async () => {
    const { requests, deliveries } = await disguised("tampered_body")
    const prices = requests.map((request) => envelopeOf(request).data.price)
    expect(new Set(prices)).toEqual(new Set([129.5, 1.295]))
    expect(deliveries.every(({ state }) => state === "dropped")).toBe(true)
    for (const { headers, body } of requests) {
      expect(headers["content-length"]).toBe(String(body.length))
    }
  })
})

describe("rules", () => {
  test("skip and times: which matches are struck", async () => {
    await plan({ on: "products", kind: "status", skip: 1, times: 2 })
    const seen: number[] = []
    for (let i = 0; i < 5; i++) seen.push((await push()).status)
    expect(seen).toEqual([200, 503, 503, 200, 200])
    const { faults } = await box.control<{ faults: { rules: object[] }[] }>("GET", "/faults")
    expect(faults[0]?.rules[0]).toMatchObject({ matched: 5, applied: 2 })
  })

  test("on, page, method and path narrow a rule", async () => {
    await box.control("POST", "/pages", { uid: "other", api_token: "other-token" })
    await plan({
      rules: [
        { on: "products", kind: "status", status: 511, page_uid: "other" },
        { on: "webhooks", kind: "status", status: 512, method: "GET" },
        { on: "api", kind: "status", status: 513, path: "/api/v1/live*" },
      ],
    })
    const other = { authorization: "Token other-token" }
    const seen = [
      await push(),
      await box.call("POST", "/products", { products: [] }, other),
      await box.call("GET", "/api/v1/webhooks"),
      await box.call("POST", "/api/v1/webhooks", {}),
      await box.call("GET", "/api/v1/liveEvents"),
      await box.call("GET", "/api/v1/shoppables"),
    ]
    expect(seen.map(({ status }) => status)).toEqual([200, 511, 512, 400, 513, 200])
  })

  test("topic and subscriber narrow a rule for deliveries", async () => {
    const webhook = await box.subscribe(receiver.url, ["live_event.updated", "live_event.deleted"])
    await plan({ on: "delivery", kind: "status", status: 500, topic: "*.deleted" })
    await plan({ on: "delivery", kind: "status", status: 501, subscriber_uid: "whk_other" })
    await box.emit("live_event.updated")
    await box.emitted("live_event.deleted")
    const seen = await box.deliveries(`?subscriber_uid=${webhook.webhookUid}`)
    expect(seen.map(({ topic, attempts }) => [topic, attempts[0]?.status])).toEqual([
      ["live_event.updated", 200],
      ["live_event.deleted", 500],
    ])
  })

  test("a plan is taken away, alone or with all, and never strikes the control API", async () => {
    const { fault } = await plan({ on: "api", kind: "status" })
    await plan({ on: "products", kind: "status", status: 507 })
    expect((await push()).status).toBe(503)
    expect(await box.control("GET", "/health")).toMatchObject({ status: "ok" })
    await box.control("DELETE", `/faults/${fault.id}`)
    expect((await push()).status).toBe(507)
    await box.control("DELETE", "/faults")
    expect((await push()).status).toBe(200)
  })

  test("a rule that cannot be read is refused with the field", async () => {
    for (const bad of [
      { on: "products" },
      { on: "nothing", kind: "status" },
      { on: "api", kind: "explode" },
      { on: "api", kind: "status", status: 99 },
      { on: "api", kind: "status", probability: 2 },
      { on: "api", kind: "status", typo: 1 },
      { rules: [] },
      { on: "delivery", kind: "throttle" },
      { on: "products", kind: "throttle", retry_after: "Fri, 20 Nov 2026 12:00:00 GMT" },
      { on: "api", kinds: ["status", "other_key"] },
      ...ADVERSARIES.map((kind) => ({ on: "products", kind })),
    ]) {
      await expect(plan(bad)).rejects.toThrow("400 invalid_request")
    }
  })
})
