/**
 * A store, a service and a shopper's cart in memory, for tests of the plan: it answers what the plan asks and carries out
 * what the plan says, as the workflow does. What core does to a cart beside us is here as well.
 */
import { isDeepStrictEqual } from "node:util"
import type { CampaignPrice } from "../../../../contract"
import { type CartPlan, type Intent, planCart } from "../plan"
import type { CatalogPrice, PricePolicy } from "../price-policy"
import {
  type Answers,
  catalogKey,
  isAnswered,
  type PriceAnswer,
  type PriceQuestion,
  priceKey,
} from "../prices"
import type {
  CampaignEvent,
  CampaignProduct,
  CartSituation,
  KnownConnection,
  Line,
  MetNumber,
  PaymentSession,
  PriceChange,
  StoreVariant,
} from "../situation"

export const MINUTE = 60_000
export const POLICY: PricePolicy = {
  priceHoldMs: 30 * MINUTE,
  paymentHoldMs: 15 * MINUTE,
  whenCatalogIsCheaper: "campaign",
  minPriceShare: 0,
}

export const VARIANTS = [
  { variantId: "mug-oat", productId: "mug", siblings: 2 },
  { variantId: "mug-moss", productId: "mug", siblings: 2 },
  { variantId: "rug", productId: "rug-product", siblings: 1 },
] as const

export const variant = (changes: Partial<StoreVariant> = {}): StoreVariant => ({
  variantId: "mug-oat",
  sku: null,
  productId: "mug",
  handle: "mug-handle",
  wasThere: true,
  taxed: { id: "mug", type_id: null, is_giftcard: false },
  priceSetId: "pset",
  siblings: 2,
  forSale: true,
  stock: null,
  ...changes,
})

/** What a delivery told of the mug. */
export const toldProduct = (changes: Partial<CampaignProduct> = {}): CampaignProduct => ({
  connectionId: "denmark",
  campaignUid: "show",
  productId: "mug",
  sku: null,
  variantIds: [],
  price: 129,
  variantPrices: {},
  available: true,
  minQuantity: null,
  maxQuantity: null,
  deleted: false,
  toldAt: 0,
  doubtful: false,
  ...changes,
})

export const connection = (changes: Partial<KnownConnection> = {}): KnownConnection => ({
  id: "denmark",
  pageUid: "page",
  salesChannelId: "webshop",
  currency: "dkk",
  pricesIncludeVat: true,
  promotions: "allow",
  version: "",
  page: "page",
  ...changes,
})

export const campaignPrice = (changes: Partial<CampaignPrice> = {}): CampaignPrice => ({
  amount: 129,
  discount: null,
  vat: { rate: 25, included: true },
  currency: "dkk",
  ...changes,
})

/** Currencies of the regions. */
const REGIONS: Record<string, string> = { dk: "dkk", is: "dkk", eu: "eur" }

type ToldEvent = Omit<CampaignEvent, "sells" | "onSale"> & { status: string; deleted: boolean }

export class MarketStall {
  now = 1_000_000_000
  readonly cart: CartSituation["cart"] = {
    id: "cart",
    regionId: "dk",
    currency: "dkk",
    salesChannelId: "webshop",
    customerId: null,
    customerHasAccount: false,
    locale: null,
    completedAt: null,
    shownOrderNo: null,
    pricing: {},
    taxing: null,
  }
  connections: KnownConnection[] = [connection()]
  events: ToldEvent[] = []
  products: CampaignProduct[] = []
  variants: StoreVariant[] = VARIANTS.map((one) => variant(one))
  lines: (Line & { deleted: boolean; moving: boolean })[] = []
  numbers: MetNumber[] = []
  changes: PriceChange[] = []
  bought: CartSituation["bought"] = []
  sessions: PaymentSession[] = []
  policy = POLICY
  /** What the service answers; by default a price for everything. */
  service: (
    question: PriceQuestion,
  ) => CampaignPrice | "not_in_show" | "price_unavailable" | "too_many_requests" = () =>
    campaignPrice()
  catalog: (variantId: string, quantity: number) => CatalogPrice | null = () => ({
    amount: 189,
    isTaxInclusive: true,
    compareAt: null,
  })
  /** What the store taxes this shopper with, in percent. */
  taxRate: number | null = 25
  #made = 0

  situation(): CartSituation {
    // As the statement's answer comes.
    const situation: CartSituation = {
      now: this.now,
      cart: this.cart,
      lines: this.lines
        .filter((line) => !line.deleted || line.moving)
        .map(({ deleted, moving: _moving, ...line }) => ({ ...line, dropped: deleted })),
      numbers: this.numbers,
      connections: this.connections,
      // As the statement says it: `SELLS`.
      events: this.events.map(({ status, deleted, deadline, ...place }): CampaignEvent => {
        const isOver = deadline !== null && deadline <= this.now
        const sells = !deleted && !isOver && status !== "cancelled"
        return { ...place, deadline, sells, onSale: sells && status === "live" }
      }),
      products: this.products,
      variants: this.variants,
      bought: this.bought,
      changes: this.changes,
      payment: { collection: null, sessions: this.sessions },
      hasOldDiscounts: false,
    }
    return JSON.parse(JSON.stringify(situation))
  }

  /** Makes the plan with every price that it asks for, and carries it out. */
  run(intent: Intent): CartPlan {
    const plan = this.plan(intent)
    this.apply(plan)
    return plan
  }

  /** Asks until the plan knows what it needs, as the workflow does: what follows from one price may need another. */
  plan(intent: Intent): CartPlan {
    const situation = this.situation()
    const answers: Answers = { prices: {}, catalog: {}, taxRates: {} }
    for (let round = 0; round < 5; round++) {
      const plan = planCart(situation, intent, this.policy, answers)
      const { needs } = plan
      if (isAnswered(needs)) return plan
      for (const question of needs.prices) {
        answers.prices[priceKey(question)] = this.#answer(question)
      }
      for (const { id } of needs.taxRates) answers.taxRates[id] = this.taxRate
      for (const question of needs.catalog) {
        answers.catalog[catalogKey(question)] = this.catalog(question.variantId, question.quantity)
      }
    }
    return this.fail("It asks for prices again and again.")
  }

  #answer(question: PriceQuestion): PriceAnswer {
    const said = this.service(question)
    if (said === "too_many_requests") {
      return { ok: false, reason: { code: said, params: { seconds: 7 } } }
    }
    if (typeof said === "string") return { ok: false, reason: { code: said } }
    return { ok: true, price: said, source: "lookup", fetchedAt: this.now }
  }

  /** What is written down before the lines change, and stays where they then do not. */
  record(plan: CartPlan): void {
    const open = this.sessions.map(({ id }) => id)
    for (const change of plan.changes) {
      const earlier = this.changes.find(({ lineId }) => lineId === change.lineId)
      this.changes = this.changes.filter((each) => each !== earlier)
      this.#made += 1
      this.changes.push({
        id: `change_${this.#made}`,
        lineId: change.lineId,
        variantId: change.variantId,
        title: change.title,
        oldUnitPrice: change.oldUnitPrice,
        oldIsTaxInclusive: change.oldIsTaxInclusive,
        oldQuantity: earlier?.oldQuantity ?? change.oldQuantity,
        currency: change.currency,
        reason: change.reason.code,
        params: change.reason.params ?? null,
        removed: change.removed,
        again: earlier !== undefined,
        answeredAt: null,
        sessionsBefore: open,
      })
    }
  }

  apply(plan: CartPlan): void {
    this.record(plan)
    for (const line of this.lines) {
      if (plan.restore.includes(line.id)) line.deleted = false
      if (plan.remove.includes(line.id)) line.deleted = true
      if (plan.forget.includes(line.id)) line.proof = null
      if (line.deleted === false) line.moving = false
    }
    for (const { lineId, columns } of plan.update) {
      const line = this.line(lineId)
      if (columns.quantity !== undefined) line.quantity = columns.quantity
      if (columns.unit_price === undefined) continue
      line.unitPrice = columns.unit_price
      line.compareAt = columns.compare_at_unit_price ?? null
      line.isTaxInclusive = columns.is_tax_inclusive ?? line.isTaxInclusive
      line.isDiscountable = columns.is_discountable ?? line.isDiscountable
      line.isCustomPrice = columns.is_custom_price ?? line.isCustomPrice
      if (columns.metadata) {
        const { svc_campaign_uid: _old, ...metadata } = line.metadata ?? {}
        // As core does with a key that is emptied.
        line.metadata = columns.metadata.svc_campaign_uid
          ? { ...metadata, ...columns.metadata }
          : metadata
      }
    }
    for (const item of plan.add) this.#add(item)
    for (const { lineId, variantId, price, by } of plan.proofs) {
      // As the statement finds them: a line that is created by what was planned of it, and so may be more than one.
      const proven = this.live().filter((each) =>
        lineId === null
          ? each.variantId === variantId &&
            each.unitPrice === price.amount &&
            each.metadata?.svc_campaign_uid === by.campaignUid &&
            !plan.proofs.some((other) => other.lineId === each.id)
          : each.id === lineId,
      )
      if (proven.length === 0) this.fail(`No line for the proof of ${variantId}`)
      for (const line of proven) {
        line.proof = {
          ...by,
          regionId: this.cart.regionId,
          amount: price.amount,
          currency: this.cart.currency,
          isTaxInclusive: price.isTaxInclusive,
          expiresAt: price.expiresAt,
          heldUntil: null,
          heldQuantity: null,
        }
      }
    }
    for (const lineId of plan.assign) {
      const { proof } = this.line(lineId)
      if (proof && plan.orderNo) proof.orderNo = plan.orderNo
    }
    const { number } = plan
    if (number) {
      this.numbers = [
        number,
        ...this.numbers.filter(
          (each) => each.orderNo !== number.orderNo || each.campaignUid !== number.campaignUid,
        ),
      ]
    }
    if (plan.showOrderNo) this.cart.shownOrderNo = plan.showOrderNo
    for (const { lineId, quantity } of plan.hold) {
      const { proof } = this.line(lineId)
      if (!proof) continue
      proof.heldUntil = this.now + this.policy.paymentHoldMs
      proof.heldQuantity = quantity
    }
  }

  /** Core's own workflow: merges with a line of the same price and metadata, as `findMatchingLineItem` does. */
  #add({ variantId, quantity, metadata, unitPrice, custom }: CartPlan["add"][number]): void {
    const same = this.live().find(
      (line) =>
        line.variantId === variantId &&
        isDeepStrictEqual(line.metadata ?? {}, metadata) &&
        (custom ? line.unitPrice === unitPrice : !line.isCustomPrice),
    )
    if (same) {
      same.quantity += quantity
      return
    }
    const regular =
      this.catalog(variantId, quantity) ?? this.fail("Core adds nothing without a price.")
    this.put({
      variantId,
      quantity,
      metadata,
      isCustomPrice: custom !== null,
      unitPrice: custom ? unitPrice : regular.amount,
      compareAt: custom ? (custom.compare_at_unit_price ?? null) : regular.compareAt,
      isTaxInclusive: custom?.is_tax_inclusive ?? regular.isTaxInclusive,
      isDiscountable: custom?.is_discountable ?? true,
    })
  }

  put(changes: Partial<Line>): Line {
    this.#made += 1
    const variantId = changes.variantId ?? "mug-oat"
    const line = {
      id: `line_${this.#made}`,
      variantId,
      productId: this.variants.find((each) => each.variantId === variantId)?.productId ?? null,
      sku: null,
      title: variantId,
      quantity: 1,
      unitPrice: 189,
      compareAt: null,
      isTaxInclusive: true,
      isCustomPrice: false,
      isDiscountable: true,
      isProductDiscountable: true,
      reducedBy: 0,
      metadata: {},
      dropped: false,
      proof: null,
      ...changes,
      deleted: false,
      moving: false,
    }
    this.lines.push(line)
    return line
  }

  live() {
    return this.lines.filter(({ deleted }) => !deleted)
  }

  first(index = 0) {
    return this.live()[index] ?? this.fail(`No line ${index}`)
  }

  firstTwo() {
    return [this.first(0), this.first(1)] as const
  }

  line(id: string) {
    return this.lines.find((line) => line.id === id) ?? this.fail(`No line ${id}`)
  }

  fail(message: string): never {
    throw new Error(message)
  }

  /** Core's line update sets the tax basis from the variant, where the line's was exclusive. */
  coreSetsQuantity(id: string, quantity: number): void {
    const line = this.line(id)
    if (quantity === 0) {
      line.deleted = true
      line.moving = false
      return
    }
    line.quantity = quantity
    line.isTaxInclusive ||= this.catalog(line.variantId ?? "", quantity)?.isTaxInclusive ?? false
  }

  /** Core deletes custom-priced lines when the region changes; ours are marked before. */
  coreMovesTo(regionId: string): void {
    if (this.cart.regionId === regionId) return
    for (const line of this.live()) {
      if (line.proof) line.moving = true
      if (line.isCustomPrice) line.deleted = true
    }
    this.cart.regionId = regionId
    this.cart.currency = REGIONS[regionId] ?? "eur"
    for (const line of this.live()) {
      const price = this.catalog(line.variantId ?? "", line.quantity)
      if (price)
        Object.assign(line, { unitPrice: price.amount, isTaxInclusive: price.isTaxInclusive })
    }
  }

  pieces(variantId?: string): number {
    return this.live()
      .filter((line) => !variantId || line.variantId === variantId)
      .reduce((sum, { quantity }) => sum + quantity, 0)
  }
}

/** A cart action, short. */
export const acts = (
  products: { action?: "add" | "set" | "checkout" | "remove"; id?: string; quantity?: number }[],
  changes: { campaign?: string; orderNo?: string | null; clear?: boolean } = {},
): Intent => ({
  occasion: "action",
  action: {
    pageUid: "page",
    campaignUid: changes.campaign ?? "show",
    orderNo: changes.orderNo === undefined ? "A" : changes.orderNo,
    clear: changes.clear ?? false,
    products: products.map(({ action, id, quantity }) => ({
      action: action ?? null,
      product_id: id ?? "mug-oat",
      ...(quantity === undefined ? {} : { quantity }),
    })),
  },
})
