import { defaultCurrencies, MathBN } from "@medusajs/framework/utils"

/** What most currencies have; Medusa knows of those that have more or fewer. */
const DECIMAL_DIGITS = 2

/**
 * An exact amount as the API shows it: a number in major units, rounded to the currency's minor unit. Taxes divide into
 * endless fractions, so sums are kept exact and rounded here, once.
 */
export function shownAmount(exact: string, currencyCode: string): number {
  const known: Record<string, { decimal_digits: number } | undefined> = defaultCurrencies
  const digits = known[currencyCode.toUpperCase()]?.decimal_digits ?? DECIMAL_DIGITS
  return MathBN.convert(exact, digits).toNumber()
}

/** Exact amount of several pieces. */
export const times = (price: string, quantity: string): string =>
  MathBN.mult(price, quantity).toFixed()

/** Exact sum. */
export const sum = (amounts: string[]): string => MathBN.add("0", ...amounts).toFixed()

/** Exact difference of two amounts. */
export const difference = (a: string, b: string): string => MathBN.sub(a, b).toFixed()
