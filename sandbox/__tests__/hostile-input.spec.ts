/** Input that nobody sends on purpose: it is refused or kept, and never costs the sandbox its state or its life. */
import { Box, SIMPLE, TOKEN } from "./harness"

const box = Box.forAll()
const push = (product: object) => box.call("POST", "/products", { products: [product] })

test("a field that is called as something every object has is a field like any other", async () => {
  await push(SIMPLE)
  const named = JSON.parse('{"constructor": "x", "toString": {"deep": 1}}')
  expect((await push({ ...SIMPLE, ...named })).status).toBe(200)
  // What is shown and saved can be copied: a function among the differences could not.
  expect((await box.call("GET", "/_sandbox/state")).status).toBe(200)
  expect((await box.call("GET", "/_sandbox/snapshot")).status).toBe(200)
})

test("a clock that would run past the last date is refused, and goes on", async () => {
  expect((await box.call("POST", "/_sandbox/clock", { advance: 1e17 })).status).toBe(400)
  expect((await box.call("GET", "/_sandbox/clock")).status).toBe(200)
})

test("a token that was sent without its scheme is in no log", async () => {
  await box.call("GET", "/api/v1/webhooks", undefined, { authorization: TOKEN })
  const entries = JSON.stringify(await box.journal())
  expect(entries).not.toContain(TOKEN)
  expect(entries).toContain('"***"')
})

test("a product that is nested 20,000 deep is refused by itself, and everything can still be shown", async () => {
  const answer = await box.call<{ accepted: number; results: { status: string }[] }>(
    "POST",
    "/products",
    `{"products":[${JSON.stringify(SIMPLE)},${deepProduct(20_000)}]}`,
  )
  expect(answer.body.results.map(({ status }) => status)).toEqual(["created", "error"])
  expect((await box.call("GET", "/_sandbox/state")).status).toBe(200)
  expect((await box.call("GET", "/_sandbox/snapshot")).status).toBe(200)
})

const deepProduct = (levels: number) =>
  `{"id":"deep","sku":"D","name":"D","price":1,"url":"https://shop.example/d","type":"simple","status":"enabled","in":${'{"in":'.repeat(levels)}1${"}".repeat(levels)}}`

test.each([
  [
    "/emit",
    (deep: string) => `{"page_uid":"demo-page","topic":"live_event.updated","data":${deep}}`,
  ],
  ["/faults", (deep: string) => `{"on":"api","kind":"status","body":{"deep":${deep}}}`],
])("a call of the control API that is nested as deep is refused: %s", async (path, bodyOf) => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
  const answer = await box.call<{ error: { code: string } }>(
    "POST",
    `/_sandbox${path}`,
    bodyOf(deep),
  )
  expect([answer.status, answer.body.error.code]).toEqual([400, "nested_too_deep"])
  expect((await box.call("GET", "/_sandbox/state")).status).toBe(200)
})

test.each([
  "colour:red",
  "requst.body:x",
  "request.boddy:x",
  "topic.name:x",
  "http://shop.example/x",
])("a query for a field that no entry has is refused: %s", async (q) => {
  await push(SIMPLE)
  const answer = await box.call<{ error: { code: string; message: string } }>(
    "GET",
    `/_sandbox/journal?${new URLSearchParams({ q })}`,
  )
  expect([answer.status, answer.body.error.code]).toEqual([400, "invalid_query"])
  expect(answer.body.error.message).toContain("delivery_uid")
})

describe("a page of another web site", () => {
  test.each([
    ["without Sec-Fetch-Site, as older browsers send it", { origin: "https://evil.example" }],
    ["from a sandboxed frame", { origin: "null" }],
    ["of another port of this machine", { origin: "http://127.0.0.1:1" }],
  ])("cannot reset the sandbox: %s", async (_what, headers) => {
    await push(SIMPLE)
    for (const path of ["/reset", "/clock"]) {
      expect((await box.call("POST", `/_sandbox${path}`, undefined, headers)).status).toBe(403)
    }
    expect(await box.received()).toHaveLength(1)
  })

  test("the sandbox's own pages can", async () => {
    const { status } = await box.call("POST", "/_sandbox/reset", {}, { origin: box.url })
    expect(status).toBe(200)
  })
})

test.each(["/", "/player"])(
  "a page may run and ask nothing but the sandbox's own: %s",
  async (path) => {
    const { headers } = await fetch(box.url + path)
    const policy = headers.get("content-security-policy") ?? ""
    expect(policy).toMatch(/default-src 'none'; script-src 'self';.*connect-src 'self';/)
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  },
)
