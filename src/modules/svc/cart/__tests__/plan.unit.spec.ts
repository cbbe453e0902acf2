import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import {
  type CartChange,
  type CartLine,
  type CheckoutQuantities,
  type Limits,
  type LineRequest,
  planCart,
  quantityLimits,
} from "../plan"
import type { ProvenPrice } from "../price-policy"

const SHOW = "show"
const PRICE: ProvenPrice = {
  amount: 129,
  isTaxInclusive: true,
  compareAt: 159,
  fetchedAt: new Date(0),
  expiresAt: new Date(1),
}
const FREE: Limits = { available: true, stock: null, minQuantity: null, maxQuantity: null }

const ask = (
  action: LineRequest["action"],
  quantity: number,
  variantId = "mug",
  ref: Partial<LineRequest["ref"]> = {},
): LineRequest => ({
  ref: { product_id: variantId, quantity, ...ref },
  variantId,
  productId: `prod_${variantId}`,
  action,
  quantity,
})
const line = (quantity: number, changes: Partial<CartLine> = {}): CartLine => ({
  id: "line_1",
  variantId: "mug",
  quantity,
  campaignUid: SHOW,
  ...changes,
})

type Input = Parameters<typeof planCart>[0]
const plan = (requests: LineRequest[], changes: Partial<Input> = {}): CartChange =>
  planCart({
    campaignUid: SHOW,
    checkoutQuantities: {},
    lines: [],
    requests,
    prices: new Map(requests.map(({ variantId }) => [variantId, PRICE])),
    limits: new Map(requests.map(({ variantId }) => [variantId, FREE])),
    ...changes,
  })
const limits = (changes: Partial<Limits>) => ({
  limits: new Map([["mug", { ...FREE, ...changes }]]),
})

/** A cart that plans are carried out on, as the workflow does. */
class Cart {
  lines: CartLine[] = []
  readonly #checkouts = new Map<string, CheckoutQuantities>()
  #made = 0

  act(requests: LineRequest[], orderNo = "A", changes: Partial<Input> = {}): CartChange {
    const checkoutQuantities = this.#checkouts.get(orderNo) ?? {}
    const campaignUid = changes.campaignUid ?? SHOW
    const change = plan(requests, { lines: this.lines, checkoutQuantities, ...changes })
    this.lines = this.lines.filter(({ id }) => !change.remove.includes(id))
    for (const { lineId, quantity, price } of change.update) {
      this.lines = this.lines.map((each) =>
        each.id === lineId ? { ...each, quantity, ...(price && { campaignUid }) } : each,
      )
    }
    for (const { variantId, quantity } of change.create) {
      this.#made += 1
      this.lines.push({ id: `line_${this.#made}`, variantId, quantity, campaignUid })
    }
    this.#checkouts.set(orderNo, { ...checkoutQuantities, ...change.checkoutQuantities })
    return change
  }

  /** The shopper edits the cart in the shop, without us. */
  shopper(quantity: number, campaignUid: string | null = null): this {
    this.#made += 1
    this.lines = [line(quantity, { id: `line_${this.#made}`, campaignUid })]
    return this
  }

  pieces(variantId = "mug"): number {
    return this.lines
      .filter((each) => each.variantId === variantId)
      .reduce((sum, { quantity }) => sum + quantity, 0)
  }
}

describe("UPDATE_CART_CONTENTS (gap 41)", () => {
  it("adds a product that is not there, at the show's price", () => {
    expect(plan([ask("add", 2)])).toMatchObject({
      create: [{ variantId: "mug", productId: "prod_mug", quantity: 2, price: PRICE }],
      update: [],
      remove: [],
      failed: [],
    })
  })

  it("adds to, sets and removes a line that is", () => {
    const lines = [line(3)]
    expect(plan([ask("add", 2)], { lines }).update).toMatchObject([
      { lineId: "line_1", quantity: 5 },
    ])
    expect(plan([ask("set", 2)], { lines }).update).toMatchObject([
      { lineId: "line_1", quantity: 2 },
    ])
    expect(plan([ask("remove", 0)], { lines }).remove).toEqual(["line_1"])
    expect(plan([ask("set", 0)], { lines }).remove).toEqual(["line_1"])
  })

  it("gives a line at the catalog price the show's (interface §4.6 rule 2)", () => {
    const lines = [line(1, { campaignUid: null })]
    expect(plan([ask("add", 1)], { lines }).update).toMatchObject([{ quantity: 2, price: PRICE }])
  })

  it("removes what is not there without a word", () => {
    expect(plan([ask("remove", 0)])).toMatchObject({
      remove: [],
      failed: [],
      create: [],
      update: [],
    })
  })

  it("leaves a line that another campaign priced alone", () => {
    const lines = [line(3, { campaignUid: "other" })]
    for (const request of [ask("add", 1), ask("set", 1), ask("checkout", 1)]) {
      const change = plan([request], { lines })
      expect(change.update).toEqual([])
      expect(change.create).toMatchObject([{ quantity: 1 }])
    }
    expect(plan([ask("remove", 0)], { lines }).remove).toEqual([])
  })

  it("takes the line of its own campaign before one at the catalog price", () => {
    const lines = [line(1, { id: "catalog", campaignUid: null }), line(1, { id: "show" })]
    expect(plan([ask("add", 1)], { lines }).update).toMatchObject([{ lineId: "show" }])
    expect(plan([ask("remove", 0)], { lines }).remove).toEqual(["show"])
  })

  it.each<[string, LineRequest[], number]>([
    ["added twice", [ask("add", 2), ask("add", 3)], 8],
    ["set, then added to", [ask("set", 5), ask("add", 2)], 7],
    ["added, then set", [ask("add", 2), ask("set", 5)], 5],
    ["set twice", [ask("set", 5), ask("set", 1)], 1],
    ["removed, then added", [ask("remove", 0), ask("add", 2)], 2],
    ["removed, then set", [ask("remove", 0), ask("set", 4)], 4],
    ["added, then removed", [ask("add", 9), ask("remove", 0)], 0],
    ["removed, added, added", [ask("remove", 0), ask("add", 1), ask("add", 1)], 2],
  ])(
    "one product named several times counts as one after the other: %s",
    (_what, requests, pieces) => {
      const cart = new Cart().shopper(3, SHOW)
      cart.act(requests)
      expect(cart.pieces()).toBe(pieces)
      expect(cart.lines.length).toBeLessThanOrEqual(1)
    },
  )
})

describe("SOME_CHECKOUT (gaps 40, 44)", () => {
  it("brings its products once, however often the link is followed", () => {
    const cart = new Cart()
    for (let times = 0; times < 4; times++) cart.act([ask("checkout", 2)])
    expect(cart.pieces()).toBe(2)
  })

  it("sets its quantity where the same order number asks for another", () => {
    const cart = new Cart()
    cart.act([ask("checkout", 2)])
    cart.act([ask("checkout", 5)])
    expect(cart.pieces()).toBe(5)
    cart.act([ask("checkout", 1)])
    expect(cart.pieces()).toBe(1)
  })

  it("never takes away what the shopper had put in before, and a double click changes nothing", () => {
    const cart = new Cart().shopper(5)
    for (let times = 0; times < 3; times++) {
      cart.act([ask("checkout", 2)])
      expect(cart.pieces()).toBe(5)
    }
  })

  it("never takes away what the shopper added after", () => {
    const cart = new Cart()
    cart.act([ask("checkout", 2)])
    cart.act([ask("add", 3)])
    cart.act([ask("checkout", 2)])
    expect(cart.pieces()).toBe(5)
  })

  it("adds on top of another order number's, in whatever turn the two links are followed again", () => {
    const cart = new Cart()
    for (const orderNo of ["A", "B", "B", "A", "B", "A", "A"]) {
      cart.act([ask("checkout", orderNo === "A" ? 3 : 2)], orderNo)
    }
    expect(cart.pieces()).toBe(5)
  })

  it("counts once also while the price that was proven for the first still holds (gap 45a)", () => {
    const cart = new Cart()
    cart.act([ask("checkout", 3)], "A")
    const held = { prices: new Map([["mug", null]]) }
    cart.act([ask("checkout", 2)], "B", held)
    cart.act([ask("checkout", 2)], "B", held)
    expect(cart.pieces()).toBe(5)
  })

  it("brings its products back where the shopper removed them and follows the link again", () => {
    const cart = new Cart()
    cart.act([ask("checkout", 2)])
    cart.act([ask("remove", 0)])
    cart.act([ask("checkout", 2)])
    expect(cart.pieces()).toBe(2)
  })

  it("gives back only what it brought where stock allowed less", () => {
    const cart = new Cart()
    cart.act([ask("checkout", 2)], "B")
    cart.act([ask("checkout", 5)], "A", limits({ stock: 4 }))
    expect(cart.pieces()).toBe(4)
    cart.act([ask("checkout", 1)], "A", limits({ stock: 4 }))
    expect(cart.pieces()).toBe(3)
  })
})

describe("prices", () => {
  it("nothing is sold without a proven one", () => {
    const nothing = { prices: new Map() }
    for (const lines of [[], [line(1)], [line(1, { campaignUid: null })]]) {
      const change = plan([ask("add", 1)], { ...nothing, lines })
      expect([...change.create, ...change.update]).toEqual([])
      expect(change.failed).toMatchObject([{ code: "price_unavailable" }])
    }
  })

  it("one that still holds is the line's of this campaign only, not another line's or a new one's", () => {
    const held = { prices: new Map([["mug", null]]) }
    expect(plan([ask("add", 1)], { ...held, lines: [line(1)] }).update).toMatchObject([
      { quantity: 2, price: null },
    ])
    for (const lines of [
      [],
      [line(1, { campaignUid: null })],
      [line(1, { campaignUid: "other" })],
    ]) {
      const change = plan([ask("add", 1)], { ...held, lines })
      expect([...change.create, ...change.update]).toEqual([])
      expect(change.failed).toMatchObject([{ code: "price_unavailable" }])
    }
  })

  it("none is needed to take something out", () => {
    expect(plan([ask("remove", 0)], { prices: new Map(), lines: [line(1)] }).remove).toEqual([
      "line_1",
    ])
  })
})

describe("what may be sold (gap 45)", () => {
  it.each<[string, number, Partial<Limits>, number, string | null]>([
    ["as asked", 2, {}, 2, null],
    ["all that is left", 2, { stock: 2 }, 2, null],
    ["only what is left", 5, { stock: 2 }, 2, "Only 2 left."],
    ["at most so many", 5, { maxQuantity: 3 }, 3, "At most 3 per customer."],
    ["the smaller of both", 9, { maxQuantity: 3, stock: 2 }, 2, "Only 2 left."],
    ["at least so many", 1, { minQuantity: 4 }, 4, "This product is sold from 4 pieces."],
    ["whole pieces", 5, { stock: 2.7 }, 2, "Only 2 left."],
  ])("is sold %s, and the shopper is told why", (_what, asked, known, sold, message) => {
    const change = plan([ask("add", asked)], limits(known))
    expect(change.create).toMatchObject([{ quantity: sold }])
    expect(change.failed).toMatchObject(message ? [{ code: "quantity_limited", message }] : [])
  })

  it.each<[string, Partial<Limits>, string]>([
    ["nothing is left", { stock: 0 }, "out_of_stock"],
    ["more is promised than there is", { stock: -3 }, "out_of_stock"],
    ["fewer are left than one may buy", { stock: 2, minQuantity: 3 }, "out_of_stock"],
    ["the show does not sell it now", { available: false }, "not_available"],
    ["more must be bought than may be", { minQuantity: 5, maxQuantity: 3 }, "not_available"],
  ])("is refused where %s", (_what, known, code) => {
    for (const action of ["add", "set", "checkout"] as const) {
      const change = plan([ask(action, 1)], limits(known))
      expect([...change.create, ...change.update]).toEqual([])
      expect(change.failed).toMatchObject([{ code, product: { product_id: "mug" } }])
    }
  })

  it("counts the pieces of the other lines of the same variant", () => {
    const lines = [line(2, { id: "other", campaignUid: "other" })]
    const change = plan([ask("add", 5)], { lines, ...limits({ stock: 4 }) })
    expect(change.create).toMatchObject([{ quantity: 2 }])
    expect(plan([ask("add", 1)], { lines, ...limits({ stock: 2 }) }).failed).toMatchObject([
      { code: "out_of_stock" },
    ])
  })

  it("names the product in the player's own words", () => {
    const ref = { product_id: "SKU-7", sku: "SKU-7", variant_id: "mug" }
    const { failed } = plan([ask("add", 5, "mug", ref)], limits({ stock: 0 }))
    expect(failed[0]?.product).toEqual({ ...ref, quantity: 5 })
  })

  it("can always be taken out, sold out or not", () => {
    const change = plan([ask("remove", 0)], {
      lines: [line(2)],
      ...limits({ available: false, stock: 0 }),
    })
    expect(change.remove).toEqual(["line_1"])
    expect(change.failed).toEqual([])
  })
})

describe("whatever shoppers and players do, in whatever order", () => {
  const VARIANTS = ["mug", "cup", "hat"]
  const some = <T>(often: T, rarely: fc.Arbitrary<T>, share: number): fc.Arbitrary<T> =>
    fc.oneof(
      { weight: share, arbitrary: fc.constant(often) },
      { weight: 10 - share, arbitrary: rarely },
    )
  const ofEach = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<[string, T][]> =>
    fc.tuple(...VARIANTS.map((variantId) => of.map((value): [string, T] => [variantId, value])))

  /** What is known this time: stock and limits move between any two actions. */
  const limitsNow = fc.record<Limits>({
    available: some(true, fc.constant(false), 9),
    stock: some<number | null>(null, fc.integer({ min: -1, max: 10 }), 3),
    minQuantity: some<number | null>(null, fc.integer({ min: 1, max: 4 }), 8),
    maxQuantity: some<number | null>(null, fc.integer({ min: 1, max: 6 }), 7),
  })
  /** `held`: the line's own proven price still holds, where there is such a line. */
  const priceNow = fc.oneof(
    { weight: 1, arbitrary: fc.constant("unproven" as const) },
    { weight: 19, arbitrary: fc.constantFrom("held" as const, "proven" as const) },
  )
  const action = fc.record({
    checkout: fc.boolean(),
    orderNo: fc.constantFrom("A", "B"),
    asked: fc.array(
      fc.record({
        edit: fc.constantFrom("add" as const, "set" as const, "remove" as const),
        quantity: fc.integer({ min: 1, max: 6 }),
        variantId: fc.constantFrom(...VARIANTS),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    known: ofEach(limitsNow),
    prices: ofEach(priceNow),
  })
  const shopping = fc.record({
    before: fc.option(
      fc.record({
        quantity: fc.integer({ min: 1, max: 5 }),
        campaignUid: fc.constantFrom(null, "other", SHOW),
      }),
      { nil: null, freq: 2 },
    ),
    actions: fc.array(action, { minLength: 1, maxLength: 8 }),
  })
  const priced = (cart: Cart, prices: [string, "unproven" | "held" | "proven"][]) =>
    new Map<string, ProvenPrice | null>(
      prices
        .filter(([, price]) => price !== "unproven")
        .map(([variantId, price]) => {
          const isShows = cart.lines.some(
            (each) => each.variantId === variantId && each.campaignUid === SHOW,
          )
          return [variantId, isShows && price === "held" ? null : PRICE]
        }),
    )
  const foreign = (cart: Cart) => cart.lines.filter((each) => each.campaignUid === "other")

  it("no more is sold than there is, other campaigns' lines stay as they are, a link counts once", () => {
    fc.assert(
      fc.property(shopping, ({ before: had, actions }) => {
        const cart = new Cart()
        if (had) cart.shopper(had.quantity, had.campaignUid)
        for (const { checkout, orderNo, asked: wanted, ...now } of actions) {
          const asked = wanted.map(({ edit, quantity, variantId }) => {
            const act = checkout ? "checkout" : edit
            return ask(act, act === "remove" ? 0 : quantity, variantId)
          })
          const known = new Map(now.known)
          const prices = priced(cart, now.prices)
          const before = cart.lines
          const others = foreign(cart)
          const change = cart.act(asked, orderNo, { limits: known, prices })

          expect(foreign(cart)).toEqual(others)
          const touched = [...change.create, ...change.update]
          for (const { variantId, quantity, price } of touched) {
            const { stock, maxQuantity, minQuantity, available } = known.get(variantId) ?? FREE
            expect(available && Number.isInteger(quantity) && quantity > 0).toBe(true)
            expect(cart.pieces(variantId)).toBeLessThanOrEqual(stock ?? Number.POSITIVE_INFINITY)
            expect(quantity).toBeLessThanOrEqual(maxQuantity ?? quantity)
            expect(quantity).toBeGreaterThanOrEqual(minQuantity ?? 1)
            expect(prices.has(variantId)).toBe(true)
            expect(price === null || price === PRICE).toBe(true)
          }
          // One change a line, one new line a variant, and what nobody named stays.
          const lineIds = [...change.update.map(({ lineId }) => lineId), ...change.remove]
          expect(new Set(lineIds).size).toBe(lineIds.length)
          expect(new Set(change.create.map(({ variantId }) => variantId)).size).toBe(
            change.create.length,
          )
          const named = new Set(asked.map(({ variantId }) => variantId))
          for (const each of before.filter(({ variantId }) => !named.has(variantId ?? ""))) {
            expect(cart.lines).toContainEqual(each)
          }
          // Every product that was asked for either is there or was refused with a reason.
          for (const { variantId } of asked.filter(({ action }) => action === "checkout")) {
            const refused = change.failed.some(({ product }) => product.product_id === variantId)
            expect(touched.some((each) => each.variantId === variantId) || refused).toBe(true)
          }

          if (!checkout) continue
          const once = structuredClone(cart.lines)
          // Now every line of the show has a price that was just proven.
          cart.act(asked, orderNo, {
            limits: known,
            prices: new Map([...prices.keys()].map((id) => [id, PRICE])),
          })
          expect(cart.lines).toEqual(once)
        }
      }),
      runs(1_500),
    )
  })

  it("leaves what it is given as it was", () => {
    const lines = [line(2)]
    const given = { lines, checkoutQuantities: { mug: 2 }, ...limits({ stock: 1 }) }
    const copy = structuredClone(given)
    plan([ask("checkout", 5), ask("checkout", 1)], given)
    expect(given).toEqual(copy)
  })
})

describe("what a campaign's products say of a variant", () => {
  const product = {
    external_id: "prod_mug",
    deleted_at: null,
    available: false,
    min_purchase_qty: 2,
    max_qty_per_customer: 3,
  }
  const mug = { productId: "prod_mug", stock: 7 }

  it("is the word on the product that is in the show now", () => {
    const takenOut = { ...product, deleted_at: new Date(0), available: true, min_purchase_qty: 9 }
    expect(quantityLimits([takenOut, product], mug)).toEqual({
      available: false,
      stock: 7,
      minQuantity: 2,
      maxQuantity: 3,
    })
  })

  it("is nothing where the service told of no such product: the lookup decides", () => {
    for (const products of [
      [],
      [{ ...product, external_id: "prod_rug" }],
      [{ ...product, deleted_at: new Date(0) }],
    ]) {
      expect(quantityLimits(products, mug)).toEqual({
        available: true,
        stock: 7,
        minQuantity: null,
        maxQuantity: null,
      })
    }
  })
})
