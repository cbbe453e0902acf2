/** Amounts as the player writes them too: a shopper sees one way of writing a price on the page. */

/** `149`, `"DKK"` → `kr 149` for an English reader, `149 kr.` for a Danish one; `37.8` → `kr 37.80`. */
export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat(undefined, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    ...(Number.isInteger(amount) && { maximumFractionDigits: 0 }),
  }).format(amount)
}

/** `149.25` instead of `199` → `−25 %`, rounded down: a shop does not promise more than it gives. */
export function percentOff(now: number, before: number): string {
  // In whole cents, because 1 - 0.9 is less than 0.1 in binary.
  const cents = Math.round(before * 100)
  const saved = cents - Math.round(now * 100)
  return `−${Math.floor((saved * 100) / cents)} %`
}
