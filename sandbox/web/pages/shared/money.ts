/** Amounts as people read them. All amounts are in major units of their currency. */

const formats = new Map<string, (amount: number) => string>()

/** @param currency  ISO 4217, in any case */
export function money(amount: number, currency: string): string {
  const code = currency.toUpperCase()
  let format = formats.get(code)
  if (!format) {
    format = formatFor(code)
    formats.set(code, format)
  }
  return format(amount)
}

function formatFor(code: string): (amount: number) => string {
  try {
    // Whole prices look better bare: 299 kr., but 299.50 kr.
    const options = {
      style: "currency",
      currency: code,
      currencyDisplay: "narrowSymbol",
    } as const
    const broken = new Intl.NumberFormat(undefined, options)
    const whole = new Intl.NumberFormat(undefined, { ...options, maximumFractionDigits: 0 })
    return (amount) => (Number.isInteger(amount) ? whole : broken).format(amount)
  } catch {
    return (amount) => `${amount} ${code}`.trim()
  }
}

/** How much cheaper, in whole percent; 0 where it is not. */
export function savedPercent(price: number, retail: number): number {
  return retail > price && price >= 0 ? Math.round((1 - price / retail) * 100) : 0
}

/** Amounts are added as whole thousandths: 0.1 + 0.2 is not 0.3 in binary. */
export const sum = (amounts: number[]) =>
  amounts.reduce((total, amount) => total + Math.round(amount * 1000), 0) / 1000

export const times = (price: number, quantity: number) =>
  (Math.round(price * 1000) * quantity) / 1000
