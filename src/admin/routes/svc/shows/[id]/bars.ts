import { formatDay, formatHour } from "../../../../lib/format"
import type { Result } from "../../../../lib/types"

/** Leaves out where nothing was sold or paid back: those orders are unpaid, cancelled, or the show's by their number alone. */
export const onlySold = <Row extends Pick<Result, "units" | "net">>(results: Row[]): Row[] =>
  results.filter(({ units, net }) => units !== 0 || net !== 0)

/** So many bars fit beside each other on a phone. */
const BARS = 24

/**
 * The hours of each chart: of each currency the latest in which something was sold or paid back, from left to right. One hour
 * alone makes no chart.
 *
 * @param hours the latest first
 */
export function chartsOf<Row extends Pick<Result, "currency_code" | "units" | "net">>(
  hours: Row[],
): { currency: string; hours: Row[] }[] {
  const sold = onlySold(hours)
  return [...new Set(sold.map(({ currency_code }) => currency_code))]
    .map((currency) => ({
      currency,
      hours: sold
        .filter(({ currency_code }) => currency_code === currency)
        .slice(0, BARS)
        .reverse(),
    }))
    .filter((chart) => chart.hours.length > 1)
}

/** What stands below each bar: its hour and, where they are of several days, the day below the first of each. */
export function namesOf(hours: { period: string | null }[], locale: string) {
  const moments = hours.map(({ period }) => period ?? "")
  const days = moments.map((moment) => formatDay(moment, locale))
  return moments.map((moment, index) => ({
    hour: formatHour(moment, locale),
    day: new Set(days).size > 1 && days[index] !== days[index - 1] ? days[index] : null,
  }))
}

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
