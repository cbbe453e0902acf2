import { MathBN, MEDUSA_EPSILON } from "@medusajs/framework/utils"
import type { CampaignPrice } from "../../../contract"

/** How long a proven price stays with its line before it is looked up again: gap 45a. */
export const PRICE_HOLD_MS = 30 * 60_000

/** A unit price from here on must be a mistake. Below it, sums of ten thousand pieces are exact to the cent. */
const TOO_MUCH = 1e12

/** Why a product could not be sold at the show's price. Stable: the storefront and the player read them. */
export type LineCode =
  | "product_not_found"
  | "variant_required"
  | "not_for_sale"
  | "not_available"
  | "out_of_stock"
  | "quantity_limited"
  | "price_unavailable"
  | "currency_mismatch"
  | "channel_mismatch"
  | "campaign_ended"

/** A price that was proven, ready for a cart line. Amounts in major units of the cart's currency. */
export type ProvenPrice = {
  amount: number
  isTaxInclusive: boolean
  /** Catalog price on the same tax basis, where it is higher than the show's; what is struck through. */
  compareAt: number | null
  fetchedAt: Date
  expiresAt: Date
}

type PriceVerdict =
  | { ok: true; price: ProvenPrice }
  | {
      ok: false
      code: Extract<LineCode, "campaign_ended" | "currency_mismatch" | "price_unavailable">
      message: string
    }

/**
 * Decides what a looked-up campaign price means for a cart. Pure; never invents a price: whatever cannot be
 * proven is refused with a reason (gaps 33 to 37).
 *
 * @param pricesIncludeVat used where the answer names no VAT basis (gap 34)
 * @param catalog what the cart would pay without the show, or null where the store has no price
 * @param deadline end of the campaign in ms since the epoch, or null where none is known
 */
export function decidePrice(input: {
  price: CampaignPrice
  cartCurrency: string
  pricesIncludeVat: boolean
  catalog: { amount: number; isTaxInclusive: boolean } | null
  deadline: number | null
  fetchedAt: number
}): PriceVerdict {
  const { price, catalog, deadline, fetchedAt } = input
  if (deadline !== null && deadline <= fetchedAt) {
    return { ok: false, code: "campaign_ended", message: "This show's prices have ended." }
  }
  // An answer that names no currency is in the connection's (gap 35), and only a connection of the cart's currency sells
  // to the cart.
  const currency = price.currency ?? input.cartCurrency.toLowerCase()
  if (currency !== input.cartCurrency.toLowerCase()) {
    return {
      ok: false,
      code: "currency_mismatch",
      message: `The show sells in ${currency.toUpperCase()}, the basket is in ${input.cartCurrency.toUpperCase()}.`,
    }
  }
  // Medusa reads what is at or below its epsilon as nothing: the product would be given away.
  const tooLittle = price.amount !== 0 && MathBN.lte(price.amount, MEDUSA_EPSILON)
  if (tooLittle || price.amount >= TOO_MUCH) {
    return {
      ok: false,
      code: "price_unavailable",
      message: "The show's price could not be confirmed. Please try again.",
    }
  }
  const isTaxInclusive = price.vat.included ?? input.pricesIncludeVat
  const held = fetchedAt + PRICE_HOLD_MS
  return {
    ok: true,
    price: {
      amount: price.amount,
      isTaxInclusive,
      compareAt: struckThrough(price, isTaxInclusive, catalog),
      fetchedAt: new Date(fetchedAt),
      expiresAt: new Date(deadline === null ? held : Math.min(held, deadline)),
    },
  }
}

/**
 * The catalog price on the campaign price's tax basis, if that makes it a reduction. Where the bases differ and
 * no rate is known, nothing is struck through: a saving that may be only the tax is not shown.
 */
function struckThrough(
  price: CampaignPrice,
  isTaxInclusive: boolean,
  catalog: { amount: number; isTaxInclusive: boolean } | null,
): number | null {
  if (catalog === null) return null
  if (catalog.isTaxInclusive === isTaxInclusive) {
    return catalog.amount > price.amount ? catalog.amount : null
  }
  if (price.vat.rate === null) return null
  const factor = MathBN.add(1, MathBN.div(price.vat.rate, 100))
  const converted = isTaxInclusive
    ? MathBN.mult(catalog.amount, factor)
    : MathBN.div(catalog.amount, factor)
  const rounded = MathBN.convert(converted, 2).toNumber()
  return rounded > price.amount ? rounded : null
}
