/**
 * A show's price may end or change while its product is in the cart. The store then puts the right
 * price into the cart and says what it changed, so that nobody pays a price they did not see.
 */

/** A line that is no longer what the shopper saw. Amounts in major units. */
export interface PriceChange {
  /** Of this change: what the shopper agrees to, see {@link acknowledge}. */
  id?: string
  line_item_id: string
  variant_id: string | null
  title: string
  old_unit_price: number
  /** `null`: it is not sold any more, and the line is gone. */
  new_unit_price: number | null
  old_quantity?: number
  new_quantity?: number
  /** Of the new price. */
  currency_code: string
  /** Of the old price, where the store says it: another one after the cart changed its region. */
  old_currency_code?: string
  reason:
    | "price_changed"
    | "campaign_ended"
    | "price_unavailable"
    | "region_changed"
    | "channel_mismatch"
    | "currency_mismatch"
    | "quantity_limited"
    | "not_available"
    | "out_of_stock"
    | "not_for_sale"
    | "not_in_show"
    | "variant_not_in_show"
    | "price_too_low"
    | "too_many_requests"
  /** In the shopper's language, where the store has one for it. */
  message?: string
}

/** What the store changed. `lines` may be empty; the cart, read again, is the truth in any case. */
export interface PriceChanged {
  message: string
  lines: PriceChange[]
}

/**
 * Reads what the store answered to `POST /store/carts/:id/complete`, or the body of its 409 to
 * `POST /store/payment-collections/:id/payment-sessions`: what changed, or null where it says
 * anything else. For shops that make these requests themselves.
 */
export function readPriceChange(answer: unknown): PriceChanged | null {
  type Said = { code?: unknown; message?: unknown; lines?: unknown } | null | undefined
  const outer = answer as (Said & { error?: Said }) | null | undefined
  const said = outer?.error ?? outer
  if (said?.code !== "svc_price_changed") return null
  return {
    message: typeof said.message === "string" ? said.message : "A price has changed.",
    lines: Array.isArray(said.lines) ? (said.lines as PriceChange[]) : [],
  }
}

/**
 * The header that tells the store which changes the shopper has seen and agreed to, so that it does
 * not ask again. It says so even where there are none: without it the store takes a change that it has
 * answered once for one that was shown. {@link completeCart} and {@link startPayment} send it; give it
 * to each of your own requests for completion and payment sessions.
 */
export function acknowledge(lines: readonly PriceChange[] = []): Record<string, string> {
  const ids = lines.flatMap(({ id }) => id ?? [])
  return { "x-svc-acknowledged-changes": ids.join(",") }
}

/**
 * A change in one line, with its reason where the store gives one: `Havn mug: This show's prices have ended. DKK 129.00 → DKK
 * 199.00`. In the language that the store answers in, and in no other word: amounts are written as `lang` does.
 */
export function describeChange(change: PriceChange, lang?: string): string {
  const { title, message, old_unit_price: before, new_unit_price: after } = change
  const money = (amount: number, currency: string) =>
    new Intl.NumberFormat(lang, { style: "currency", currency }).format(amount)
  const old = change.old_currency_code ?? change.currency_code
  const prices =
    after === null || (after === before && old === change.currency_code)
      ? []
      : [`${money(before, old)} → ${money(after, change.currency_code)}`]
  const said = [...(message ? [message] : []), ...prices].join(" ")
  return said ? `${title}: ${said}` : title
}
