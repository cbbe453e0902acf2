/** The journal and its query language. */

import { Journal, type JournalEntry } from "../store/journal"
import { Box, Receiver, SIMPLE, TOKEN } from "./harness"

let box: Box
let receiver: Receiver

beforeAll(async () => {
  box = await Box.start()
  receiver = await Receiver.start()
  await box.fresh()
  receiver.answer((_request, response, n) => {
    response.statusCode = n === 1 ? 503 : 200
    response.end("thanks")
  })
  await box.subscribe(receiver.url, ["live_event.created"])
  await box.push(SIMPLE, { ...SIMPLE, id: "prod_2", name: "Two words" })
  await box.call("POST", "/products", { products: 7 }, { "Idempotency-Key": "abc:1" })
  await box.call("POST", "/processOrders", "{", { authorization: "Token wrong-secret" })
  await box.control("POST", "/faults", { on: "price", kind: "status", status: 500 })
  await box.price("cmp_x", { productId: "prod_lamp", variantId: "variant, with comma" })
  await box.announced()
  await box.clock({ advance: "60s" })
})
afterAll(async () => {
  await box.close()
  await receiver.close()
})

const seqs = async (q: string) => (await box.journal(q)).map(({ seq }) => seq)

// 1 webhooks, 2 push, 3 bad push, 4 processOrders without token, 5 price, 6 and 7 the delivery
const queries: [string, number[]][] = [
  ["", [1, 2, 3, 4, 5, 6, 7]],
  ["direction:in", [1, 2, 3, 4, 5]],
  ["direction:out", [6, 7]],
  ["endpoint:products", [2, 3]],
  ["endpoint:products status:200", [2]],
  ["endpoint:products,price", [2, 3, 5]],
  ["status:>=400", [3, 4, 5, 6]],
  ["status:>=400 status:<500", [3, 4]],
  ["-status:200 -status:201", [3, 4, 5, 6]],
  ["method:post", [1, 2, 3, 4, 5, 6, 7]],
  ["path:/process*", [4]],
  ["page_uid:demo-page -endpoint:delivery", [1, 2, 3, 5]],
  ["page_uid:null", [4]],
  ["fault:*", [5]],
  ["-fault:* direction:in", [1, 2, 3, 4]],
  ["topic:live_event.* attempt:2", [7]],
  ["outcome:retry", [6]],
  ["request.body.products.0.id:prod_lamp", [2]],
  ['request.body.products.1.name:"two words"', [2]],
  ['request.body.variantId:"variant, with comma"', [5]],
  ["request.body.products.5.id:*", []],
  ["request.headers.idempotency-key:abc:1", [3]],
  ["request.headers.Idempotency-Key:*", [3]],
  ["response.body.error.code:*", [3, 4, 5]],
  ["response.body.accepted:>1", [2]],
  ["thanks", [6, 7]],
  ['"two words"', [2]],
  ["-thanks direction:out", []],
]
for (const [query, expected] of queries) {
  test(`finds by: ${query || "nothing at all"}`, async () => {
    expect(await seqs(query)).toEqual(expected)
  })
}

test("a query that cannot be read is refused", async () => {
  await expect(box.journal('name:"open')).rejects.toThrow("400 invalid_query")
})

test("an entry shows request and answer as they were, without the token", async () => {
  const [push] = await box.journal("endpoint:products status:200")
  expect(push).toMatchObject({
    direction: "in",
    method: "POST",
    path: "/products",
    page_uid: "demo-page",
    status: 200,
    fault: null,
    response: { headers: { "content-type": expect.stringContaining("json") } },
  })
  expect(JSON.parse(push?.request.body ?? "").products[0]).toEqual(SIMPLE)
  expect(push?.request.headers.authorization).toBe("Token ***")
  const everything = JSON.stringify(await box.journal())
  expect(everything).not.toContain(TOKEN)
  expect(everything).not.toContain("wrong-secret")
})

test("a page of it, newest first", async () => {
  const answer = await box.control<{ entries: { seq: number }[]; count: number }>(
    "GET",
    "/journal?order=desc&limit=2&offset=1",
  )
  expect([answer.count, answer.entries.map(({ seq }) => seq)]).toEqual([7, [6, 5]])
})

describe("what it keeps", () => {
  const entry = (path: string, body: string): Omit<JournalEntry, "seq"> => ({
    direction: "in",
    at: 0,
    ms: 0,
    endpoint: "products",
    method: "POST",
    path,
    page_uid: null,
    status: 200,
    fault: null,
    request: { headers: {}, body },
    response: null,
    topic: null,
    subscriber_uid: null,
    event_uid: null,
    delivery_uid: null,
    attempt: null,
    outcome: null,
  })

  test("the latest twenty thousand entries", () => {
    const journal = new Journal()
    for (let i = 0; i < 50_000; i++) journal.add(entry(`/${i}`, ""))
    const kept = journal.find(() => true)
    expect(kept.length).toBeGreaterThanOrEqual(20_000)
    expect(kept.length).toBeLessThanOrEqual(22_000)
    expect(kept.at(-1)?.path).toBe("/49999")
    expect(kept[0]?.path).toBe(`/${50_000 - kept.length}`)
  })

  test("no more of large bodies than memory bears, and the latest in any case", () => {
    const journal = new Journal()
    const body = "x".repeat(1024 * 1024)
    for (let i = 0; i < 1000; i++) journal.add(entry(`/${i}`, body))
    const kept = journal.find(() => true)
    const characters = kept.reduce((sum, { request }) => sum + request.body.length, 0)
    expect(characters).toBeLessThanOrEqual(71 * 1024 * 1024)
    expect(kept.length).toBeGreaterThan(200)
    expect(kept.at(-1)?.path).toBe("/999")
  })
})

test("a call of a path that the service does not have is there too", async () => {
  const other = await Box.start()
  expect((await other.call("POST", "/product", { products: [] })).status).toBe(404)
  await other.call("GET", "/_sandbox/nothing")
  expect(await other.journal()).toMatchObject([
    {
      direction: "in",
      endpoint: null,
      method: "POST",
      path: "/product",
      page_uid: "demo-page",
      status: 404,
      request: { body: '{"products":[]}', headers: { authorization: "Token ***" } },
      response: { body: expect.stringContaining("not_found") },
    },
  ])
  await other.close()
})
