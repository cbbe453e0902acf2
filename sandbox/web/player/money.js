/** Amounts as people read them. All amounts are in major units of their currency. */

const formats = new Map()

/** @param {number} amount @param {string} currency ISO 4217, in any case */
export function money(amount, currency) {
  const code = currency?.toUpperCase()
  if (!formats.has(code)) {
    formats.set(code, formatFor(code))
  }
  return formats.get(code)(amount)
}

function formatFor(code) {
  try {
    // Whole prices look better bare: 299 kr., but 299.50 kr.
    const options = { style: "currency", currency: code, currencyDisplay: "narrowSymbol" }
    const broken = new Intl.NumberFormat(undefined, options)
    const whole = new Intl.NumberFormat(undefined, { ...options, maximumFractionDigits: 0 })
    return (amount) => (Number.isInteger(amount) ? whole : broken).format(amount)
  } catch {
    return (amount) => `${amount} ${code ?? ""}`.trim()
  }
}

/** How much cheaper, in whole percent; 0 where it is not. */
export function savedPercent(price, retail) {
  return retail > price && price >= 0 ? Math.round((1 - price / retail) * 100) : 0
}
