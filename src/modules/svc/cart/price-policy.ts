import { MathBN } from "@medusajs/framework/utils"
import type { CampaignPrice } from "../../../contract"
import { currencyDigits } from "../shared/currency-digits"
import { onOtherBasis } from "../shared/price-basis"
import type { CartReason } from "./codes"

/** A unit price from here on is a mistake; up to here, sums of ten thousand pieces are exact to the cent. */
const TOO_MUCH = 1e12

/** What a merchant decides about prices; from the plugin's options. */
export type PricePolicy = {
  /** How long a proven price stays with its line before it is looked up again (gap 45a). */
  priceHoldMs: number
  /** How long a payment's beginning holds its prices (gap 45a). */
  paymentHoldMs: number
  whenCatalogIsCheaper: "campaign" | "catalog"
  /** The least that a campaign's price may be, as a share of the catalog price; 0: no floor. */
  minPriceShare: number
}

/** Where a campaign's price was learned (gap 36). */
export type PriceSource = "lookup" | "webhook"

/** What a line costs without the show, on the tax basis that the store has for it. */
export type CatalogPrice = {
  amount: number
  isTaxInclusive: boolean
  /** The price before a sale of the store's own, struck through; null where there is none. */
  compareAt: number | null
}

/** A price that was proven, ready for a cart's line. Amounts in major units of the cart's currency, times in ms. */
export type ProvenPrice = {
  amount: number
  isTaxInclusive: boolean
  /** Catalog price on the same tax basis, where it is higher than the show's; what is struck through. */
  compareAt: number | null
  /** Whether the catalog price is lower on the same basis; null where the two cannot be compared. */
  isDearer: boolean | null
  /** As the service said it, before it was rounded. */
  answer: CampaignPrice
  source: PriceSource
  fetchedAt: number
  expiresAt: number
}

/** The same with what the connection says of promotions on top of it. */
export type OfferedPrice = ProvenPrice & { isDiscountable: boolean }

export type PriceVerdict =
  | { kind: "campaign"; price: ProvenPrice }
  /** The merchant sells at the catalog price where that is lower. */
  | { kind: "catalog" }
  | {
      kind: "refused"
      reason: CartReason<
        "campaign_ended" | "currency_mismatch" | "price_too_low" | "price_unavailable"
      >
    }

/**
 * Decides what a campaign's price means for a cart. Pure; never invents a price: whatever cannot be proven is refused with
 * a reason (gaps 33 to 37).
 *
 * @param basis what the price's number means (`basisOf`)
 * @param catalog what the cart would pay without the show, or null where the store has no price
 * @param taxRate what Medusa taxes the line with for this shopper, in percent; null where that is not known, and then
 * nothing is compared across tax bases. The rate that the service names is the service's
 * @param deadline end of the campaign, or null where none is known
 */
export function decidePrice(input: {
  price: CampaignPrice
  basis: { currency: string; isTaxInclusive: boolean }
  cartCurrency: string
  catalog: CatalogPrice | null
  taxRate: number | null
  deadline: number | null
  fetchedAt: number
  source: PriceSource
  policy: PricePolicy
}): PriceVerdict {
  const { price, basis, cartCurrency, catalog, deadline, fetchedAt, source, policy } = input
  if (deadline !== null && deadline <= fetchedAt) return refused({ code: "campaign_ended" })
  const { currency, isTaxInclusive } = basis
  if (currency !== cartCurrency) {
    return refused({
      code: "currency_mismatch",
      params: { show_currency: currency.toUpperCase(), cart_currency: cartCurrency.toUpperCase() },
    })
  }
  // Nobody can pay a fraction of the smallest coin: rounded here once, so that basket, payment and order say the same.
  const amount = MathBN.convert(price.amount, currencyDigits(cartCurrency)).toNumber()
  // What is rounded to nothing would be given away.
  const tooLittle = price.amount !== 0 && amount === 0
  if (tooLittle || amount >= TOO_MUCH) return refused({ code: "price_unavailable" })

  const regular = onBasis(catalog, isTaxInclusive, input.taxRate, cartCurrency)
  const least = regular ?? atLeast(catalog, isTaxInclusive)
  if (least !== null && isBelowFloor(amount, least, policy.minPriceShare)) {
    return refused({ code: "price_too_low" })
  }
  const isDearer = regular === null ? null : amount > regular
  if (isDearer && policy.whenCatalogIsCheaper === "catalog") return { kind: "catalog" }
  const held = fetchedAt + policy.priceHoldMs
  return {
    kind: "campaign",
    price: {
      amount,
      isTaxInclusive,
      compareAt: regular !== null && regular > amount ? regular : null,
      isDearer,
      answer: price,
      source,
      fetchedAt,
      expiresAt: deadline === null ? held : Math.min(held, deadline),
    },
  }
}

/** Whether a campaign's price is less than the merchant lets it be; both prices on one tax basis. */
export const isBelowFloor = (
  amount: number,
  catalog: number,
  share: PricePolicy["minPriceShare"],
): boolean => MathBN.lt(amount, MathBN.mult(catalog, share))

type Refused = Extract<PriceVerdict, { kind: "refused" }>
const refused = (reason: Refused["reason"]): Refused => ({ kind: "refused", reason })

/**
 * The catalog price on the campaign price's tax basis. Where the bases differ and the store's rate is not known there is none: a saving
 * that may be only the tax is not shown, and a price is not called cheaper by it.
 */
function onBasis(
  catalog: CatalogPrice | null,
  isTaxInclusive: boolean,
  rate: number | null,
  currency: string,
): number | null {
  if (catalog === null) return null
  if (catalog.isTaxInclusive === isTaxInclusive) return catalog.amount
  return rate === null ? null : onOtherBasis(catalog, rate, currencyDigits(currency))
}

/** As much as any country takes of any goods. */
const MOST_TAX = 0.5

/** The least that the catalog price can be on the campaign price's tax basis, where the rate is not known: for the floor. */
function atLeast(catalog: CatalogPrice | null, isTaxInclusive: boolean): number | null {
  if (catalog === null) return null
  return isTaxInclusive ? catalog.amount : MathBN.div(catalog.amount, 1 + MOST_TAX).toNumber()
}
