/** Where a bar stands, in percent of the chart's height: from its lower end on, so high. */
export type Bar = { bottom: number; height: number }

/** Bars of amounts that share one line at zero: an hour in which more was paid back than sold has its bar below it. */
export function barsOf(amounts: number[]): Bar[] {
  const lowest = Math.min(0, ...amounts)
  const range = Math.max(0, ...amounts) - lowest
  const percent = (amount: number) => (range === 0 ? 0 : Math.round((amount / range) * 100))
  return amounts.map((amount) => ({
    bottom: percent(Math.min(amount, 0) - lowest),
    height: percent(Math.abs(amount)),
  }))
}
