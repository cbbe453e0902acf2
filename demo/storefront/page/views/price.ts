import type { Product, Variant } from "../api"
import { type Child, h } from "../dom"
import { money, percentOff } from "../money"

/** What a product costs: its cheapest variant, and whether others cost more. */
export function priceOf(variants: Variant[]) {
  const prices = variants.flatMap(({ calculated_price }) =>
    calculated_price ? [calculated_price] : [],
  )
  const lowest = prices.reduce<(typeof prices)[number] | undefined>(
    (best, price) => (best && best.calculated_amount <= price.calculated_amount ? best : price),
    undefined,
  )
  if (!lowest) {
    return null
  }
  return {
    now: lowest.calculated_amount,
    before: lowest.original_amount > lowest.calculated_amount ? lowest.original_amount : null,
    currency: lowest.currency_code,
    varies: prices.some(({ calculated_amount }) => calculated_amount > lowest.calculated_amount),
    taxIncluded: lowest.is_calculated_price_tax_inclusive,
  }
}

/** A price with the one it replaces struck through, said in words to those who cannot see a line. */
export function priceTag(
  { now, before, currency, varies }: NonNullable<ReturnType<typeof priceOf>>,
  large = false,
): HTMLElement {
  return h(
    "p",
    { class: large ? "price large" : "price" },
    before !== null && h("span", { class: "unseen" }, "Sale price "),
    h(
      "span",
      { class: before === null ? "now" : "now reduced", "data-amount": now },
      varies && h("span", { class: "from" }, "from "),
      money(now, currency),
    ),
    before !== null && struck(before, currency),
  )
}

export function struck(amount: number, currency: string, testId?: string): Child {
  return h(
    "s",
    { class: "before", "data-amount": amount, "data-testid": testId },
    h("span", { class: "unseen" }, "before "),
    money(amount, currency),
  )
}

export const saleBadge = (price: ReturnType<typeof priceOf>): Child =>
  price?.before && h("span", { class: "badge sale" }, percentOff(price.now, price.before))

/** Whether a variant can be bought, and in which words to say how soon. */
export function stockOf(variant: Variant): { buyable: boolean; tone: string; words: string } {
  const left = variant.inventory_quantity ?? 0
  if (!variant.manage_inventory || left > 5) {
    return { buyable: true, tone: "good", words: "In stock, sent within two days" }
  }
  if (left > 0) {
    return { buyable: true, tone: "low", words: left === 1 ? "Last one" : `Only ${left} left` }
  }
  return variant.allow_backorder
    ? { buyable: true, tone: "wait", words: "Made to order, sent in two to three weeks" }
    : { buyable: false, tone: "none", words: "Sold out" }
}

export const soldOut = ({ variants }: Product) =>
  variants.length > 0 && !variants.some((variant) => stockOf(variant).buyable)
