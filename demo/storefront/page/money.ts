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

/** `0.25` → `25 %`, rounded down: a shop does not promise more than it gives. */
export const percentOff = (now: number, before: number) =>
  `−${Math.floor((1 - now / before) * 100)} %`
