/** Random histories of orders over Medusa's own routes; after each step the ledger says what Medusa says. */
import type { BigNumberInput } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"
import fc from "fast-check"
import { rebuildLedger, workLedger } from "../../../src/workflows/orders"
import { connectMarket, createPercentOff } from "../../setup/connected-market"
import { drawn, runs } from "../../setup/generated"
import { runShow } from "../../setup/market"
import type { OrdersShop } from "./shop"

/** Histories beside the one in which everything happens; `ORDERS_HTTP_HISTORIES=50` for as many as the weekly run. */
const HISTORIES = Number(process.env.ORDERS_HTTP_HISTORIES ?? 0)
/** The rarer changes, other markets and promotions take many histories to say something: only where as many are made. */
const ALL_KINDS = process.env.ORDERS_HTTP_HISTORIES !== undefined
const RARER = ["damaged", "ship", "calledOff", "taxes", "remove"] as const
const KINDS = [
  ...(["edit", "add", "fulfil", "return", "exchange", "claim", "refund", "waive"] as const),
  "cancel",
] as const
type Kind = (typeof KINDS | typeof RARER)[number]

/** What must have happened to an order before Medusa takes a change of this kind. */
const BEFORE: Partial<Record<Kind, Kind>> = {
  return: "fulfil",
  exchange: "fulfil",
  claim: "fulfil",
  waive: "add",
}

const step = fc.record({
  kind: fc.constantFrom<Kind[]>(
    // It comes last: of a cancelled order nothing more is to be seen.
    ...KINDS.filter((kind) => kind !== "cancel"),
    "fulfil",
    ...(ALL_KINDS ? RARER : []),
  ),
  at: fc.nat({ max: 5 }),
  quantity: fc.integer({ min: 1, max: 3 }),
  price: fc.constantFrom(69, 79, 99.95),
  cents: fc.integer({ min: 1, max: 5_000 }),
  one: fc.boolean(),
})
/** Prices with tax and in kroner, or without and in euros; a code takes a tenth off the goods and half off the delivery. */
const sale = fc.record({
  abroad: ALL_KINDS ? fc.boolean() : fc.constant(false),
  promotions: ALL_KINDS ? fc.boolean() : fc.constant(false),
  quantity: fc.integer({ min: 1, max: 3 }),
  cancelled: fc.boolean(),
})
type Sale = typeof sale extends fc.Arbitrary<infer Value> ? Value : never
const CODES = { items: "TENTH", shipping_methods: "HALFWAY" } as const
const GROUPS = ["campaign", "event", "product", "day", "hour", "currency"] as const
const SUMS = [
  ...(["orders", "cancelled_orders", "orders_without_show_lines", "units", "gross"] as const),
  ...(["discounts", "refunded", "net", "tax", "unpaid"] as const),
] as const
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

export function describeHistories(shop: OrdersShop): void {
  const { api, getContainer, changes, knex, basket, settled, campaign } = shop

  describe("the ledger of a real order", () => {
    it(`is Medusa's own total of each line and of the order, whatever becomes of it (${HISTORIES} more histories)`, async () => {
      const seen = new Set<Kind>()
      const europe = await connectMarket(api, getContainer(), shop.sandbox, "europe")
      await createPercentOff(getContainer(), CODES.items)
      await createPercentOff(getContainer(), CODES.shipping_methods, 50, "shipping_methods")
      const live = async ({ abroad, promotions, quantity }: Sale, steps: Step[]) => {
        const market = abroad ? europe : shop.denmark
        const country = abroad ? "de" : "dk"
        const show = await runShow(shop.sandbox, market, [{ variant: shop.mug, price: 79 }])
        const { cartId } = await basket(show, quantity, shop.mug, market)
        const promo_codes = promotions ? Object.values(CODES) : []
        await api.post(`/store/carts/${cartId}/promotions`, { promo_codes }, market.store)
        const orderId = await shop.place(cartId, market)
        await settled(orderId)
        await changes().capture(orderId)
        await expectToAgree(orderId)
        for (const each of steps) {
          if (!(await happens(orderId, each, country))) continue
          seen.add(each.kind)
          await expectToAgree(orderId)
        }
        expect((await campaign(show)).net).toBeCloseTo(await earned(orderId), 2)
      }
      const [like] = fc.sample(step, runs(1))
      if (!like) throw new Error("no step")
      const cancel: Step = { ...like, kind: "cancel" }
      await fc.assert(
        fc.asyncProperty(sale, fc.array(step, { minLength: 4, maxLength: 7 }), (sold, steps) =>
          live(sold, sold.cancelled ? [...steps, cancel] : steps),
        ),
        {
          numRuns: HISTORIES,
          seed: jest.getSeed(),
          // Each attempt to find a smaller one would take as long again.
          endOnFailure: true,
        },
      )
      // What is left happens to one order, in any order; what Medusa refuses there, to one of its own.
      const [one] = fc.sample(sale, runs(1))
      if (!one) throw new Error("no sale")
      const sold = { ...one, quantity: 4 }
      const left = () => KINDS.filter((kind) => !seen.has(kind))
      const stepsOf = (kinds: Kind[]): Step[] => {
        const all = new Set(kinds.flatMap((kind) => [BEFORE[kind] ?? kind, kind]))
        return [...all].map((kind) => ({
          ...like,
          kind,
          at: 0,
          // One piece goes, the others cost more, and all that stay are sent: one can come back each time.
          quantity: kind === "edit" || kind === "fulfil" ? sold.quantity - 1 : 1,
          ...(kind === "edit" ? { one: true, price: 99.95 } : {}),
        }))
      }
      if (left().length > 0) await live(sold, stepsOf(drawn(left()).sort(cancelLast)))
      for (const kind of left()) await live(sold, stepsOf([kind]))
      expect([...seen]).toEqual(expect.arrayContaining([...KINDS]))
      await expectShownRowsToAddUp()
      await expectRebuildToChangeNothing()
    }, 3_600_000)
  })

  /** False where Medusa refuses it: more back than was sent, more refunded than was paid. */
  async function happens(id: string, step: Step, country: string) {
    const { kind, at, quantity, price, cents, one } = step
    const { items } = await changes().order(id)
    // Of an order of which nothing is left only a line can be added; Medusa answers 500 to some other changes.
    if (items.length === 0 && kind !== "add" && kind !== "cancel") return false
    const line = items[at % items.length]?.id ?? ""
    const out = [{ variant_id: shop.mugs[at % 2]?.id ?? "", quantity: 1, unit_price: price }]
    const pieces = [{ id: line, quantity: 1 }]
    const ways: Record<Step["kind"], () => Promise<unknown>> = {
      edit: () =>
        changes().edit(id, line, { quantity, ...(one ? { unit_price: price } : {}) }, at % 2 === 0),
      remove: () => changes().edit(id, line, { quantity: 0 }),
      add: () => changes().add(id, shop.mug.id, quantity, price),
      fulfil: () => changes().fulfil(id, [{ id: line, quantity }]),
      return: () => changes().sendBack(id, pieces),
      exchange: () => changes().exchange(id, pieces, out),
      claim: () => changes().claim(id, pieces, one ? out : []),
      damaged: () => changes().sendBack(id, [], pieces),
      calledOff: () =>
        one
          ? changes().exchange(id, pieces, out, true)
          : changes().claim(id, pieces, at % 2 === 0 ? out : [], true),
      ship: () => changes().ship(id),
      taxes: () => changes().changeTaxes(id, country, at),
      refund: () => changes().refund(id, cents / 100, one ? "Shipping Issue" : undefined),
      waive: () => changes().waive(id, cents / 100),
      cancel: () => changes().cancel(id),
    }
    try {
      await ways[kind]()
      return true
    } catch (error) {
      if (!isRefusal(error)) throw error
      // A change that was begun and refused stands in the way of the next one.
      await knex()("order_change")
        .where({ order_id: id })
        .whereIn("status", ["pending", "requested"])
        .update({ status: "canceled", canceled_at: new Date() })
      return false
    }
  }

  type Sum = { line_item_id: string | null; is_refund: boolean; amount: string; tax: string }
  /** Exact, and rounded where they are compared: taxes divide endlessly. */
  const sumsOf = async (id: string): Promise<Sum[]> => {
    await shop.ledgerIsMade()
    const { rows } = await knex().raw(
      `SELECT line_item_id, kind = 'refund' AS is_refund, sum(amount)::text AS amount, sum(tax)::text AS tax
       FROM svc_ledger_entry WHERE order_id = ? GROUP BY 1, 2`,
      [id],
    )
    return rows
  }
  const sum = (some: Sum[], of: "amount" | "tax" = "amount") =>
    shown(MathBN.sum(0, ...some.map((row) => row[of])))
  /** By a whole cent or more. */
  const off = (some: Sum[], exact: number, of: "amount" | "tax" = "amount") =>
    MathBN.gte(MathBN.abs(MathBN.sub(exact, sum(some, of))), 0.01)

  async function expectToAgree(id: string): Promise<void> {
    await shop.svc().orders.ledger.markDirty([id])
    const sums = await sumsOf(id)
    const [row] = await knex()("order").where({ id }).select("canceled_at")
    if (row.canceled_at) {
      expect(sum(sums)).toBe("0.00")
      return
    }
    const order = await changes().order(id)
    for (const item of order.items) {
      const own = sums.filter((each) => each.line_item_id === item.id && !each.is_refund)
      // Rounded up or down, so that all of them add up to the order's total.
      expect([item.id, off(own, item.total), off(own, item.tax_total, "tax")]).toEqual([
        item.id,
        false,
        false,
      ])
    }
    expect(sum(sums)).toBe(shown(order.total))
  }

  const earned = async (id: string): Promise<number> => {
    const { rows } = await knex().raw(
      `SELECT coalesce(sum(amount), 0)::float8 AS net FROM svc_ledger_entry
       WHERE order_id = ? AND campaign_uid IS NOT NULL`,
      [id],
    )
    return rows[0].net
  }

  type Result = Record<(typeof SUMS)[number], number> & { currency_code: string }
  type Entry = {
    currency_code: string
    campaign_uid: string | null
    counted: boolean
    amount: number
    tax: number
  }
  const resultsBy = async (group: string): Promise<Result[]> =>
    (await shop.get(`results?limit=1000&group_by=${group}`)).results

  /** Each order is of one show: so what is shown of the shows adds up to the totals, and so does every other grouping. Carts are told by show alone. */
  async function expectShownRowsToAddUp(): Promise<void> {
    const added = (rows: Result[]) => {
      const sums: Record<string, Record<string, number>> = {}
      for (const row of rows) {
        sums[row.currency_code] ??= {}
        const sum = sums[row.currency_code] ?? {}
        for (const name of SUMS) sum[name] = MathBN.add(sum[name] ?? 0, row[name]).toNumber()
      }
      return sums
    }
    const totals = added(await resultsBy("currency"))
    for (const group of ["campaign", "day", "hour"]) {
      expect([group, added(await resultsBy(group))]).toEqual([group, totals])
    }
    const ledger: Entry[] = []
    for (let count = 1; ledger.length < count; ) {
      const data = await shop.get(`ledger?order=occurred_at&limit=1000&offset=${ledger.length}`)
      ledger.push(...data.ledger)
      count = data.count
    }
    const counted = ledger.filter((row) => row.counted && row.campaign_uid)
    for (const [currency, { net, tax }] of Object.entries(totals)) {
      const own = counted.filter((row) => row.currency_code === currency)
      const sumOf = (amounts: number[]) => MathBN.sum(0, ...amounts).toNumber()
      expect([
        currency,
        sumOf(own.map((row) => row.amount)),
        sumOf(own.map((row) => row.tax)),
      ]).toEqual([currency, net, tax])
    }
  }

  /** Whatever happened: made again from Medusa's rows, every row is the same, and written by nobody. */
  async function expectRebuildToChangeNothing(): Promise<void> {
    const figures = async () => [
      await knex()("svc_ledger_entry").orderBy("id").select("*", knex().raw("ctid::text")),
      await knex()("svc_show_order")
        .orderBy("id")
        .select("order_id", "version", "canceled_at", "unpaid", "left_out", "dirty", "reason_code"),
      await Promise.all(GROUPS.map((group) => resultsBy(group))),
    ]
    const before = await figures()
    await rebuildLedger(getContainer(), null)
    await workLedger(getContainer())
    expect(await figures()).toEqual(before)
  }
}

/** Of a cancelled order nothing more is to be seen. */
const cancelLast = (one: Kind, other: Kind) => Number(one === "cancel") - Number(other === "cancel")

/** To the minor unit. */
const shown = (amount: BigNumberInput): string =>
  MathBN.convert(amount, 2).toFixed(2).replace("-0.00", "0.00")

const isRefusal = (error: unknown): boolean => {
  const status = (error as { response?: { status?: number } }).response?.status
  return status !== undefined && status >= 400 && status < 500
}
