import type { BigNumberInput } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"
import type { CampaignPrice } from "../../../contract"

/** What the prices of a connection mean where they come as a bare number, as deliveries tell them. */
export type PriceBasis = {
  /** Lower case ISO 4217. */
  currency: string
  pricesIncludeVat: boolean
}

/** What a looked-up price's number means: as the answer says, else as the connection is set (gaps 34, 35). */
export const basisOf = (
  price: Pick<CampaignPrice, "vat" | "currency">,
  connection: PriceBasis,
): { currency: string; isTaxInclusive: boolean } => ({
  currency: price.currency ?? connection.currency,
  isTaxInclusive: price.vat.included ?? connection.pricesIncludeVat,
})

/** Whether a looked-up amount may be kept as a bare number, which is read as one of the connection's. */
export function isOnBasis(
  price: Pick<CampaignPrice, "vat" | "currency">,
  connection: PriceBasis,
): boolean {
  const { currency, isTaxInclusive } = basisOf(price, connection)
  return currency === connection.currency && isTaxInclusive === connection.pricesIncludeVat
}

/** Half a coin is rounded up, whatever the store's other code has set for all of its numbers. */
const HALF_UP = 4

/**
 * A price with its tax where it has none in it, and without where it has; rounded to the currency's places, as a shopper is
 * charged.
 *
 * @param rate of the tax, in percent
 */
export function onOtherBasis(
  { amount, isTaxInclusive }: { amount: BigNumberInput; isTaxInclusive: boolean },
  rate: BigNumberInput,
  digits: number,
): number {
  const factor = MathBN.add(1, MathBN.div(rate, 100))
  const other = isTaxInclusive ? MathBN.div(amount, factor) : MathBN.mult(amount, factor)
  return other.decimalPlaces(digits, HALF_UP).toNumber()
}
