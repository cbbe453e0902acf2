/** Amounts as a shopper reads them, in the way of the currency's own country. */

const LOCALES: Record<string, string> = { DKK: "da-DK", EUR: "en-IE" }

/** `1299`, `"DKK"` → `1.299,00 kr.`; whole amounts keep their decimals, so columns line up. */
export function money(amount: number, currency: string): string {
  const code = currency.toUpperCase()
  return new Intl.NumberFormat(LOCALES[code] ?? "en", { style: "currency", currency: code }).format(
    amount,
  )
}

/** `0.25` → `25 %`, rounded down: a shop does not promise more than it gives. */
export const percentOff = (now: number, before: number) =>
  `−${Math.floor((1 - now / before) * 100)} %`
