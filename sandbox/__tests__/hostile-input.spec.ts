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
