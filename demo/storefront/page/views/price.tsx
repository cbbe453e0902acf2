import type { Product, Variant } from "../api"
import { money, percentOff } from "../money"

/** What a product costs: its cheapest variant, and whether others cost more. */
export function priceOf(variants: Variant[]) {
  const prices = variants.flatMap(({ calculated_price }) => calculated_price ?? [])
  const [lowest] = [...prices].sort((a, b) => a.calculated_amount - b.calculated_amount)
  if (!lowest) return null
  return {
    now: lowest.calculated_amount,
    before: lowest.original_amount > lowest.calculated_amount ? lowest.original_amount : null,
    currency: lowest.currency_code,
    varies: prices.some(({ calculated_amount }) => calculated_amount > lowest.calculated_amount),
    taxIncluded: lowest.is_calculated_price_tax_inclusive,
  }
}

type ShownPrice = Pick<
  NonNullable<ReturnType<typeof priceOf>>,
  "now" | "before" | "currency" | "varies"
>

/** A price with the one it replaces struck through, said in words to those who cannot see a line. */
export function Price({ price, large }: { price: ShownPrice; large?: boolean }) {
  const { now, before, currency, varies } = price
  return (
    <p class={`price row ${large ? "text-20 strong" : ""}`}>
      <span>
        {before !== null && <span class="unseen">Sale price </span>}
        {varies && <span class="soft">from </span>}
        <span class={before === null ? "" : "reduced"} data-amount={now}>
          {money(now, currency)}
        </span>
      </span>
      {before !== null && <Struck amount={before} currency={currency} />}
    </p>
  )
}

export const Struck = (props: { amount: number; currency: string; testId?: string }) => (
  <s class="soft" data-amount={props.amount} data-testid={props.testId}>
    <span class="unseen">before </span>
    {money(props.amount, props.currency)}
  </s>
)

export const SaleBadge = ({ price }: { price: ShownPrice | null }) =>
  price?.before ? <span class="badge sale">{percentOff(price.now, price.before)}</span> : null

/** Whether a variant can be bought, and in which words to say how soon. */
export function stockOf(variant: Variant): { buyable: boolean; tone: string; words: string } {
  const left = variant.inventory_quantity ?? 0
  if (!variant.manage_inventory || left > 5) {
    return { buyable: true, tone: "green", words: "In stock, sent within two days" }
  }
  if (left > 0) {
    return { buyable: true, tone: "amber", words: left === 1 ? "Last one" : `Only ${left} left` }
  }
  return variant.allow_backorder
    ? { buyable: true, tone: "amber", words: "Made to order, sent in two to three weeks" }
    : { buyable: false, tone: "line", words: "Sold out" }
}

export const soldOut = ({ variants }: Product) =>
  variants.length > 0 && !variants.some((variant) => stockOf(variant).buyable)
