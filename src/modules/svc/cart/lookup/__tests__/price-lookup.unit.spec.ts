/** Price lookups over real connections; `integration-tests/http/cart/lookup.ts` has what shoppers notice of them. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { SvcClient } from "../../../../../client"
import { priceKey } from "../../prices"
import { PriceLookup } from "../price-lookup"

const question = (productId: string, campaignUid = "show") => ({
  connectionId: "denmark",
  campaignUid,
  productId,
  variantId: null,
})

type Answer = (path: string) => { status: number; body?: unknown; afterMs?: number }

const running: Server[] = []
afterEach(async () => {
  for (const server of running.splice(0)) {
    await new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  }
})

/** A server that answers price lookups; `calls` are their paths, `atOnce` the most that it had at a time. */
function priceServer(answer: Answer) {
  const seen = { calls: [] as string[], atOnce: 0 }
  let now = 0
  const server = createServer((req, res) => {
    seen.calls.push(req.url ?? "")
    now += 1
    seen.atOnce = Math.max(seen.atOnce, now)
    const { status, body, afterMs = 0 } = answer(req.url ?? "")
    setTimeout(() => {
      now -= 1
      res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body ?? {}))
    }, afterMs)
  })
  const listen = (port = 0) =>
    new Promise<number>((resolve) => {
      running.push(server)
      server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
    })
  return { seen, listen }
}

function lookupAt(
  port: number,
  settings: { timeoutMs?: number; concurrency?: number; perMinute?: number } = {},
) {
  const told = { failing: 0, refused: 0 }
  const client = new SvcClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiToken: "t",
    allowInsecure: true,
  })
  const lookup = new PriceLookup(
    async () => client,
    {
      answered: () => undefined,
      failing: () => {
        told.failing += 1
      },
      refused: () => {
        told.refused += 1
      },
    },
    // Beyond what a machine that stands still for a moment takes; where the deadline is the subject it is shorter.
    { timeoutMs: 10_000, concurrency: 8, perMinute: 0, ...settings },
  )
  const ask = async (
    products: string[],
    more: { known?: boolean; campaign?: string; cartId?: string; lines?: number } = {},
  ) => {
    const questions = products.map((product) => question(product, more.campaign))
    const answers = await lookup.ask(questions, {
      cartId: more.cartId ?? "anna's",
      linesOfShows: more.lines ?? 0,
      cache: null,
      isKnown: () => more.known ?? true,
      versionOf: () => "",
    })
    return questions.map((each) => answers[priceKey(each)])
  }
  return { lookup, ask, told }
}

const PRICE = { price: 129, currency: "DKK" }

describe("a price lookup", () => {
  it("is tried once more where nobody listened, as while a service restarts", async () => {
    const { listen } = priceServer(() => ({ status: 200, body: PRICE }))
    // A port where nobody listens yet.
    const other = priceServer(() => ({ status: 200 }))
    const port = await other.listen()
    const server = running.pop()
    await new Promise((resolve) => server?.close(resolve))
    const { ask } = lookupAt(port)
    const answer = ask(["mug"])
    await new Promise((resolve) => setTimeout(resolve, 25))
    await listen(port)
    expect(await answer).toMatchObject([{ ok: true, price: { amount: 129 } }])
  })

  it("is made once more where this process stood still, which is nobody's failure", async () => {
    let ahead = 0
    const now = Date.now.bind(Date)
    const clock = jest.spyOn(Date, "now").mockImplementation(() => now() + ahead)
    const { seen, listen } = priceServer(() => {
      ahead += 6_000
      return { status: 200, body: PRICE, afterMs: seen.calls.length === 1 ? 3_000 : 0 }
    })
    const { ask, told } = lookupAt(await listen(), { timeoutMs: 1_000 })
    const answers = await ask(["mug"]).finally(() => clock.mockRestore())
    expect(answers).toMatchObject([{ ok: true, price: { amount: 129 } }])
    expect([seen.calls.length, told.failing]).toEqual([2, 0])
  })

  it("that nobody queued for is not refused as a crowd's where this process stood still for a moment", async () => {
    const { seen, listen } = priceServer(() => ({ status: 200, body: PRICE, afterMs: 60_000 }))
    const { ask } = lookupAt(await listen(), { timeoutMs: 1_500 })
    const now = Date.now.bind(Date)
    let looks = 0
    // Between any two looks at the clock.
    const clock = jest.spyOn(Date, "now").mockImplementation(() => now() + 30 * looks++)
    const answers = await ask(["mug"]).finally(() => clock.mockRestore())
    expect(answers).toMatchObject([{ ok: false, reason: { code: "price_unavailable" } }])
    expect(seen.calls).toHaveLength(1)
  })

  it("keeps to one deadline for all products of an action, and to so many calls at a time", async () => {
    const { seen, listen } = priceServer(() => ({ status: 200, body: PRICE, afterMs: 900 }))
    const { ask, told } = lookupAt(await listen(), { timeoutMs: 3_000, concurrency: 2 })
    const answers = await ask(Array.from({ length: 40 }, (_, n) => `product-${n}`))
    expect(seen.atOnce).toBe(2)
    const refused = answers.filter((answer) => !answer?.ok)
    expect(refused.length).toBeGreaterThan(30)
    expect(refused.at(-1)).toEqual({
      ok: false,
      reason: { code: "too_many_requests", params: { seconds: 1 } },
    })
    // Our own queue is not the service's fault: a later lookup is made.
    expect(told.failing).toBe(0)
    expect(await ask(["mug"])).toMatchObject([{ ok: true }])
  })

  it("asks little about campaigns that nobody named, from however many baskets", async () => {
    const { seen, listen } = priceServer(() => ({ status: 404 }))
    const { ask } = lookupAt(await listen())
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        ask(["mug"], { known: false, campaign: `made-up-${n}`, cartId: `cart-${n}` }),
      ),
    )
    expect(seen.calls.length).toBeLessThan(70)
    expect(await ask(["mug"], { campaign: "the-show" })).toMatchObject([
      { ok: false, reason: { code: "not_in_show" } },
    ])
  })

  it("pauses after failures in a row, and says so once", async () => {
    const { seen, listen } = priceServer(() => ({ status: 503 }))
    const { ask, told } = lookupAt(await listen())
    for (let n = 0; n < 10; n++) await ask([`product-${n}`])
    expect([seen.calls.length, told.failing]).toEqual([5, 1])
  })

  it("limits a basket that asks without end, and nobody else", async () => {
    const { listen } = priceServer(() => ({ status: 200, body: PRICE }))
    const { ask } = lookupAt(await listen(), { perMinute: 60 })
    const answers = await ask(Array.from({ length: 20 }, (_, n) => `product-${n}`))
    expect(answers.filter((answer) => answer?.ok)).toHaveLength(8)
    expect(answers.find((answer) => !answer?.ok)).toEqual({
      ok: false,
      reason: { code: "too_many_requests", params: { seconds: expect.any(Number) } },
    })
    expect(await ask(["mug"], { cartId: "berta's" })).toMatchObject([{ ok: true }])
  })

  it("asks for every line of a large basket at once, and once more as its payment begins", async () => {
    const { lookup, ask } = lookupAt(
      await priceServer(() => ({ status: 200, body: PRICE })).listen(),
      {
        perMinute: 60,
      },
    )
    const lines = Array.from({ length: 20 }, (_, n) => `product-${n}`)
    for (const _ of ["order", "payment"]) {
      expect((await ask(lines, { lines: 20 })).filter((answer) => answer?.ok)).toHaveLength(20)
      lookup.forget("denmark", "show")
    }
    expect((await ask(lines, { lines: 20 })).filter((answer) => answer?.ok)).toHaveLength(0)
  })
})
