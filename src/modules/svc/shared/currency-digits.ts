import { defaultCurrencies } from "@medusajs/framework/utils"

/** What most currencies have; Medusa knows of those that have more or fewer. */
const DECIMAL_DIGITS = 2

/** How many digits behind the point a currency's smallest unit takes: 2 for kroner, 0 for yen, 3 for dinars. */
export function currencyDigits(currencyCode: string): number {
  const known: Record<string, { decimal_digits: number } | undefined> = defaultCurrencies
  return known[currencyCode.toUpperCase()]?.decimal_digits ?? DECIMAL_DIGITS
}
