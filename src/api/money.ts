import { MathBN } from "@medusajs/framework/utils"
import { currencyDigits } from "../modules/svc"

/**
 * An exact amount as the API shows it: a number in major units, rounded to the currency's minor unit. Taxes divide into
 * endless fractions, so sums are kept exact and rounded here, once.
 */
export const shownAmount = (exact: string, currencyCode: string): number =>
  MathBN.convert(exact, currencyDigits(currencyCode)).toNumber()

/** Exact amount of several pieces. */
export const times = (price: string, quantity: string): string =>
  MathBN.mult(price, quantity).toFixed()

/** Exact sum. */
export const sum = (amounts: string[]): string => MathBN.add("0", ...amounts).toFixed()

/** Exact difference of two amounts. */
export const difference = (a: string, b: string): string => MathBN.sub(a, b).toFixed()
