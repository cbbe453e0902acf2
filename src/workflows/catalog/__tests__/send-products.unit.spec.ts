import { errorForStatus, SvcError } from "../../../client"
import type { PushedProduct, PushFailure } from "../../../contract"
import { BatchSize } from "../../../modules/svc/catalog/batch-size"
import { Throttle } from "../../../modules/svc/catalog/throttle"
import { type Outcome, sendProducts } from "../send-products"

const products = (count: number): PushedProduct[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `p${n}`,
    type: "simple",
    sku: `p${n}`,
    name: `Product ${n}`,
    price: n,
    url: `https://shop.example/products/p${n}`,
    status: "enabled",
  }))

const answer = (status: number, excerpt: string | null = null) =>
  errorForStatus(status, { what: "send products", excerpt, retryAfterMs: null })
const timeout = () => new SvcError({ code: "svc_timeout", failure: "retry", message: "late" })

/** A service in a few lines; it remembers its calls. */
function service(respond: (batch: PushedProduct[], call: number) => PushFailure[] | Error) {
  const calls: string[][] = []
  const push = async (batch: PushedProduct[]): Promise<PushFailure[]> => {
    calls.push(batch.map(({ id }) => id))
    const response = respond(batch, calls.length)
    if (response instanceof Error) throw response
    return response
  }
  return { calls, push }
}

const kinds = (outcomes: Map<string, Outcome>) =>
  [...outcomes.values()].reduce<Record<string, number>>(
    (count, { kind }) => Object.assign(count, { [kind]: (count[kind] ?? 0) + 1 }),
    {},
  )

describe("sending products", () => {
  it("fills batches and sends each product once", async () => {
    const { calls, push } = service(() => [])
    const outcomes = await sendProducts(products(250), new BatchSize(100), push, () => true)
    expect(calls.map((call) => call.length).sort((a, b) => b - a)).toEqual([100, 100, 50])
    expect(new Set(calls.flat()).size).toBe(250)
    expect(kinds(outcomes)).toEqual({ accepted: 250 })
  })

  it.each([400, 422])("finds the one product that makes the service answer %i", async (status) => {
    const { calls, push } = service((batch) =>
      batch.some(({ id }) => id === "p37") ? answer(status, "p37 is wrong") : [],
    )
    const outcomes = await sendProducts(products(100), new BatchSize(100), push, () => true)
    expect(kinds(outcomes)).toEqual({ accepted: 99, refused: 1 })
    const refused = outcomes.get("p37")
    expect(refused?.kind === "refused" && refused.reason.message).toContain("p37 is wrong")
    // Twice the depth of the halving, and the first: not a call for each product.
    expect(calls.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(100)))
  })

  it("finds several, next to each other or not", async () => {
    const bad = new Set(["p0", "p1", "p50", "p99"])
    const { push } = service((batch) => (batch.some(({ id }) => bad.has(id)) ? answer(422) : []))
    const outcomes = await sendProducts(products(100), new BatchSize(100), push, () => true)
    const refused = [...outcomes].filter(([, { kind }]) => kind === "refused").map(([id]) => id)
    expect(new Set(refused)).toEqual(bad)
  })

  it("halves what is too large, keeps to the smaller size, and grows back slowly", async () => {
    const size = new BatchSize(100)
    const { calls, push } = service((batch) => (batch.length > 30 ? answer(413) : []))
    const outcomes = await sendProducts(products(100), size, push, () => true)
    expect(kinds(outcomes)).toEqual({ accepted: 100 })
    expect(calls[0]).toHaveLength(100)
    expect(size.current).toBeLessThan(100)
    for (let n = 0; n < 50; n++) size.grow()
    expect(size.current).toBe(100)
  })

  it("gives up one product that is too large by itself", async () => {
    const { push } = service(() => answer(413))
    const outcomes = await sendProducts(products(2), new BatchSize(100), push, () => true)
    expect(kinds(outcomes)).toEqual({ refused: 2 })
  })

  it("stops at the first sign that the service is down; what was not tried is not counted as failed", async () => {
    const { calls, push } = service(() => answer(503))
    const outcomes = await sendProducts(products(1000), new BatchSize(100), push, () => true)
    expect(calls.length).toBeLessThanOrEqual(3)
    expect(kinds(outcomes)).toEqual({
      later: calls.length * 100,
      untried: 1000 - calls.length * 100,
    })
  })

  it("asks for less after a timeout", async () => {
    const size = new BatchSize(100)
    const { push } = service(() => timeout())
    await sendProducts(products(100), size, push, () => true)
    expect(size.current).toBe(50)
  })

  it("does not look for a culprit where the address itself is wrong", async () => {
    const { calls, push } = service(() => answer(404))
    const outcomes = await sendProducts(products(100), new BatchSize(100), push, () => true)
    expect(calls).toHaveLength(1)
    expect(kinds(outcomes)).toEqual({ refused: 100 })
  })

  it("takes the service's word for single products of an accepted batch, and for none that it was not sent", async () => {
    const { push } = service(() => [
      { id: "p1", code: "bad_price", message: "No." },
      { id: "stranger", code: "x", message: "?" },
    ])
    const outcomes = await sendProducts(products(3), new BatchSize(100), push, () => true)
    expect(kinds(outcomes)).toEqual({ accepted: 2, refused: 1 })
    expect(outcomes.get("p1")).toMatchObject({ reason: { code: "bad_price" } })
  })

  it("begins no call when the lease runs out", async () => {
    let left = 1
    const { calls, push } = service(() => [])
    const outcomes = await sendProducts(products(500), new BatchSize(100), push, () => left-- > 0)
    expect(calls.length).toBeLessThanOrEqual(1)
    expect(outcomes.size).toBe(500)
    expect(kinds(outcomes).untried).toBeGreaterThanOrEqual(400)
  })

  it("does not swallow an error that is not the service's", async () => {
    const { push } = service(() => new TypeError("a bug"))
    await expect(sendProducts(products(1), new BatchSize(100), push, () => true)).rejects.toThrow(
      "a bug",
    )
  })
})

describe("the pace", () => {
  it("lets the first call go at once and spaces the others evenly", () => {
    let now = 1_000
    const pace = new Throttle(5, () => now)
    expect([pace.take(), pace.take(), pace.take()]).toEqual([0, 200, 400])
    now = 1_700
    expect([pace.take(), pace.take()]).toEqual([0, 200])
  })

  it("saves nothing up for a burst", () => {
    let now = 0
    const pace = new Throttle(5, () => now)
    pace.take()
    now = 60_000
    expect([pace.take(), pace.take()]).toEqual([0, 200])
  })
})
