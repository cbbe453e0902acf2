/** Price lookups over real connections; `integration-tests/http/cart/lookup.ts` has what shoppers notice of them. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Worker } from "node:worker_threads"
import { SvcClient } from "../../../../../client"
import { type PriceQuestion, priceKey } from "../../prices"
import { PriceLookup } from "../price-lookup"

const question = (productId: string, campaignUid = "show") => ({
  connectionId: "denmark",
  campaignUid,
  productId,
  variantId: null,
  otherForm: false as const,
})

type Answer = (path: string, body: string) => { status: number; body?: unknown; afterMs?: number }

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
  const server = createServer(async (req, res) => {
    seen.calls.push(req.url ?? "")
    now += 1
    seen.atOnce = Math.max(seen.atOnce, now)
    const { status, body, afterMs = 0 } = answer(req.url ?? "", await text(req))
    // Also where the caller has given up.
    res.once("close", () => {
      now -= 1
    })
    setTimeout(() => {
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
  const told = { failing: 0, refused: 0, said: "" }
  const client = new SvcClient({
    baseUrl: `http://127.0.0.1:${port}`,
    // In no answer: the client takes it out of what a refusal says.
    apiToken: "a-token-of-its-own",
    allowInsecure: true,
  })
  const lookup = new PriceLookup(
    async () => client,
    {
      answered: () => undefined,
      failing: (_connectionId, error) => {
        told.failing += 1
        told.said = error.said ?? ""
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
    more: {
      known?: boolean
      onSale?: boolean
      campaign?: string
      cartId?: string
      lines?: number
      form?: Pick<PriceQuestion, "variantId" | "otherForm">
    } = {},
  ) => {
    const questions = products.map((product) => ({
      ...question(product, more.campaign),
      ...more.form,
    }))
    const answers = await lookup.ask(questions, {
      cartId: more.cartId ?? "anna's",
      linesOfShows: more.lines ?? 0,
      cache: null,
      isKnown: () => more.known ?? true,
      isToldOnSale: () => more.onSale ?? false,
      versionOf: () => "",
    })
    return questions.map((each) => answers[priceKey(each)])
  }
  return { lookup, ask, told }
}

/** A lookup at a server that answers so. */
async function lookupOf(answer: Answer, settings: Parameters<typeof lookupAt>[1] = {}) {
  const { seen, listen } = priceServer(answer)
  return { seen, ...lookupAt(await listen(), settings) }
}

const PRICE = { price: 129, currency: "DKK" }

/** Nothing happens in this process meanwhile; a loop would take the processor from the others. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

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
      return { status: 200, body: PRICE, afterMs: seen.calls.length === 1 ? 9_000 : 0 }
    })
    const { ask, told } = lookupAt(await listen(), { timeoutMs: 3_000 })
    const answers = await ask(["mug"]).finally(() => clock.mockRestore())
    expect(answers).toMatchObject([{ ok: true, price: { amount: 129 } }])
    expect([seen.calls.length, told.failing]).toEqual([2, 0])
  })

  it("is made once more where this process stood still before it began", async () => {
    const { listen } = priceServer(() => ({ status: 200, body: PRICE, afterMs: 100 }))
    const { lookup } = lookupAt(await listen(), { timeoutMs: 2_500 })
    let stands = 3_500
    const answers = await lookup.ask([question("mug")], {
      cartId: "anna's",
      linesOfShows: 0,
      cache: null,
      isKnown: () => {
        standStill(stands)
        stands = 0
        return true
      },
      isToldOnSale: () => false,
      versionOf: () => "",
    })
    expect(answers).toMatchObject({ [priceKey(question("mug"))]: { ok: true } })
  })

  it("is not made over a connection that the service has closed while this process stood still", async () => {
    // In a thread of its own, which does not stand still: it leaves one lookup without an answer, and closes what rests.
    const server = `
      const { createServer } = require("node:http")
      const { parentPort } = require("node:worker_threads")
      const { text } = require("node:stream/consumers")
      let isMet = false
      const server = createServer(async (req, res) => {
        if (!(await text(req)).includes("cup") || isMet) return res.end('{ "price": 129, "currency": "DKK" }')
        isMet = true
        parentPort.postMessage("met")
        setTimeout(() => server.closeIdleConnections(), 300)
      })
      server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))`
    const service = new Worker(server, { eval: true })
    const told = () => new Promise((resolve) => service.once("message", resolve))
    try {
      const { ask } = lookupAt(Number(await told()), { timeoutMs: 2_000 })
      expect(await ask(["mug", "bowl"])).toMatchObject([{ ok: true }, { ok: true }])
      const met = told()
      const answers = ask(["cup"])
      await met
      standStill(3_200)
      expect(await answers).toMatchObject([{ ok: true }])
    } finally {
      await service.terminate()
    }
  })

  it("is kept for five seconds and no longer, also where the clock is set back meanwhile", async () => {
    const { seen, ask } = await lookupOf(() => ({ status: 200, body: PRICE }))
    await ask(["mug"])
    await ask(["mug"])
    expect(seen.calls.length).toBe(1)
    const [wall, own] = [Date.now.bind(Date), performance.now.bind(performance)]
    jest.spyOn(Date, "now").mockImplementation(() => wall() - 3_600_000)
    jest.spyOn(performance, "now").mockImplementation(() => own() + 6_000)
    await ask(["mug"]).finally(() => jest.restoreAllMocks())
    expect(seen.calls.length).toBe(2)
  })

  it("that nobody queued for is not refused as a crowd's where this process stood still for a moment", async () => {
    const { seen, ask } = await lookupOf(() => ({ status: 200, body: PRICE, afterMs: 60_000 }), {
      timeoutMs: 1_500,
    })
    const now = Date.now.bind(Date)
    let looks = 0
    // Between any two looks at the clock.
    const clock = jest.spyOn(Date, "now").mockImplementation(() => now() + 30 * looks++)
    const answers = await ask(["mug"]).finally(() => clock.mockRestore())
    expect(answers).toMatchObject([{ ok: false, reason: { code: "price_unavailable" } }])
    // Once more where it really stood still, too.
    expect([1, 2]).toContain(seen.calls.length)
  })

  it("keeps to one deadline for all products of an action, and to so many calls at a time", async () => {
    const { seen, ask, told } = await lookupOf(() => ({ status: 200, body: PRICE, afterMs: 900 }), {
      timeoutMs: 3_000,
      concurrency: 2,
    })
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
    const { seen, ask } = await lookupOf(() => ({ status: 404 }))
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

  it("lets nobody close the prices of a show with made-up campaigns at which the service fails", async () => {
    const { told, ask, seen } = await lookupOf((path) =>
      path.includes("made-up") ? { status: 500 } : { status: 200, body: { campaignPrice: 79 } },
    )
    for (let n = 0; n < 10; n += 1) {
      await ask(["mug"], { known: false, campaign: `made-up-${n}`, cartId: `cart-${n}` })
    }
    // Nobody has told us of these, so the service may have forgotten a show: people hear of it.
    expect([told.failing, seen.calls.length]).toEqual([1, 5])
    expect(await ask(["mug"], { campaign: "the-show" })).toMatchObject([{ ok: true }])
  })

  it.each<[string, object, string]>([
    ["closed", { error: "closed", request: { variantId: "variant_1" } }, "price_unavailable"],
    ["closed", { error: "closed", request: { variant_id: "variant_1" } }, "price_unavailable"],
    [
      "closed",
      { error: `closed: {"productId":"mug","variantId":"variant_1"}` },
      "price_unavailable",
    ],
    ["closed", { error: "closed for variant_1" }, "price_unavailable"],
    ["the form", { error: "variantId is not allowed" }, "variant_not_in_show"],
    ["the form", { error: { code: "variant_not_allowed" } }, "variant_not_in_show"],
    ["the form", { error: "Unexpected variantId: variant_1" }, "variant_not_in_show"],
    ["the form", { error: "variantId: 'variant_1' is not allowed" }, "variant_not_in_show"],
    ["the form", { errors: { variantId: ["is not allowed"] } }, "variant_not_in_show"],
    ["the form", { errors: { variantId: "not allowed" } }, "variant_not_in_show"],
  ])(
    "tells a refusal of %s, whatever it repeats of what we sent: %j",
    async (_what, body, code) => {
      for (const status of [400, 409, 422]) {
        const { seen, ask } = await lookupOf(() => ({ status, body: { error: true, ...body } }))
        const form = { variantId: "variant_1", otherForm: false as const }
        expect(await ask(["mug"], { form })).toEqual([{ ok: false, reason: { code } }])
        const before = seen.calls.length
        await ask(["mug"], { form: { variantId: "variant_1", otherForm: null } })
        expect(seen.calls.length - before).toBe(code === "variant_not_in_show" ? 2 : 1)
      }
    },
  )

  it("that is refused without a variant is not asked for again by an echo that names none", async () => {
    const body = { error: "closed", request: { productId: "mug", variantId: null } }
    const { seen, listen } = priceServer(() => ({ status: 400, body }))
    const form = { variantId: null, otherForm: "variant_1" }
    await lookupAt(await listen()).ask(["mug"], { form })
    expect(seen.calls).toHaveLength(1)
  })

  describe("of a variant that the service does not know", () => {
    const form = { variantId: "variant_1", otherForm: null }
    const known = { error: "needs a variant", code: "variant_required" }
    it.each<[string, { status: number; body?: object }, object]>([
      ["sold at it", { status: 200, body: PRICE }, { ok: true, price: { amount: 129 } }],
      ["not in the show", { status: 404 }, { reason: { code: "not_in_show" } }],
      [
        "not in the show, where it has others",
        { status: 400, body: known },
        { reason: { code: "not_in_show" } },
      ],
      ["not judged by a fault", { status: 503 }, { reason: { code: "price_unavailable" } }],
    ])("asks for the product alone: %s", async (_what, alone, expected) => {
      const { seen, listen } = priceServer((_path, body) =>
        body.includes("variant_1") ? { status: 404 } : alone,
      )
      const { ask } = lookupAt(await listen())
      expect(await ask(["mug"], { form })).toMatchObject([expected])
      expect(seen.calls).toHaveLength(2)
    })

    it("asks once where the product alone may be another one's, or was what it asked for", async () => {
      const { seen, ask } = await lookupOf(() => ({ status: 404 }))
      for (const only of [
        { variantId: "variant_1", otherForm: false as const },
        { variantId: null, otherForm: "variant_1" },
      ]) {
        expect(await ask(["mug"], { form: only })).toMatchObject([
          { reason: { code: "not_in_show" } },
        ])
      }
      expect(seen.calls).toHaveLength(2)
    })
  })

  it("pauses after failures in a row, and says so once", async () => {
    const { seen, ask, told } = await lookupOf(() => ({ status: 503 }))
    for (let n = 0; n < 10; n++) await ask([`product-${n}`])
    expect([seen.calls.length, told.failing]).toEqual([5, 1])
  })

  it.each([400, 404, 409, 410, 422])(
    "says that the service refuses the price of what is told to be on sale, five times in a row: %i",
    async (status) => {
      const answer = { status, body: { message: "field tenant is required" } as object }
      const { ask, told } = await lookupOf(() => answer)
      let products = 0
      const taps = async (count: number, onSale = true) => {
        for (let n = 0; n < count; n++) await ask([`product-${products++}`], { onSale })
        return told.failing
      }
      expect(await taps(9, false)).toBe(0)
      expect(await taps(4)).toBe(0)
      // What nobody told of counts for nothing, and ends nothing.
      expect(await taps(3, false)).toBe(0)
      expect(await taps(2)).toBe(2)
      expect(told.said).toBe("field tenant is required")
      Object.assign(answer, { status: 200, body: PRICE })
      await taps(1)
      Object.assign(answer, { status, body: {} })
      expect(await taps(4)).toBe(2)
      expect(await taps(1)).toBe(3)
    },
  )

  it("limits a basket that asks without end, and nobody else", async () => {
    const { ask } = await lookupOf(() => ({ status: 200, body: PRICE }), { perMinute: 60 })
    const answers = await ask(Array.from({ length: 20 }, (_, n) => `product-${n}`))
    expect(answers.filter((answer) => answer?.ok)).toHaveLength(8)
    expect(answers.find((answer) => !answer?.ok)).toEqual({
      ok: false,
      reason: { code: "too_many_requests", params: { seconds: expect.any(Number) } },
    })
    expect(await ask(["mug"], { cartId: "berta's" })).toMatchObject([{ ok: true }])
  })

  it("asks for every line of a large basket at once, and once more as its payment begins", async () => {
    const answer: Answer = () => ({ status: 200, body: PRICE })
    const { lookup, ask } = await lookupOf(answer, { perMinute: 60 })
    const lines = Array.from({ length: 20 }, (_, n) => `product-${n}`)
    for (const _ of ["order", "payment"]) {
      expect((await ask(lines, { lines: 20 })).filter((answer) => answer?.ok)).toHaveLength(20)
      lookup.forget("denmark", "show")
    }
    expect((await ask(lines, { lines: 20 })).filter((answer) => answer?.ok)).toHaveLength(0)
  })
})
