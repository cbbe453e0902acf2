/** Input that nobody sends on purpose: it is refused or kept, and never costs the sandbox its state or its life. */
import { Box, type ErrorBody, SIMPLE, TOKEN } from "./harness"

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

test("what is nested 20,000 deep is refused by itself, and everything can still be shown", async () => {
  const deep = `${'{"in":'.repeat(20_000)}1${"}".repeat(20_000)}`
  const product = JSON.stringify({ ...SIMPLE, id: "deep", in: 0 }).replace(/0}$/, `${deep}}`)
  const { body } = await box.call<{ results: { status: string }[] }>(
    "POST",
    "/products",
    `{"products":[${JSON.stringify(SIMPLE)},${product}]}`,
  )
  expect(body.results.map(({ status }) => status)).toEqual(["created", "error"])
  for (const [path, text] of [
    ["/emit", `{"page_uid":"demo-page","topic":"live_event.updated","data":[${deep}]}`],
    ["/faults", `{"on":"api","kind":"status","body":{"deep":[${deep}]}}`],
  ]) {
    const answer = await box.call<ErrorBody>("POST", `/_sandbox${path}`, text)
    expect([path, answer.status, answer.body.error.code]).toEqual([path, 400, "nested_too_deep"])
  }
  expect((await box.call("GET", "/_sandbox/state")).status).toBe(200)
  expect((await box.call("GET", "/_sandbox/snapshot")).status).toBe(200)
})
