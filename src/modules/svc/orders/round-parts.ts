import { MathBN } from "@medusajs/framework/utils"
import { type Num, ZERO } from "./line-totals"

/** An exact amount, and what it was rounded to before where it is the same amount still. */
export type Part = { exact: Num; kept: Num | null }

/** Of the library that Medusa calculates with. */
const FLOOR = 3

/** To the currency's smallest unit, as Medusa and the API round: a half away from zero. */
export const rounded = (exact: Num, digits: number): Num => exact.decimalPlaces(digits)

/**
 * Rounds each part up or down to the currency's smallest unit, so that together they are `total`: the largest remainders go
 * up. What did not change keeps what it was rounded to, as far as the sum allows; else a line that nobody touched would have
 * an entry of a cent. Pure.
 *
 * @param total a multiple of the unit, no further from the exact sum than one unit
 */
export function roundParts(parts: Part[], total: Num, digits: number): Num[] {
  const unit = MathBN.convert(10).pow(-digits)
  const floors = parts.map(({ exact }) => exact.decimalPlaces(digits, FLOOR))
  const missing = MathBN.div(MathBN.sub(total, MathBN.sum(0, ...floors)), unit).toNumber()
  const goUp = parts
    .map(({ exact, kept }, index) => {
      const floor = floors[index] ?? ZERO
      const remainder = MathBN.sub(exact, floor).toNumber()
      // Behind everything that changed, or before it.
      const bias = kept === null ? 0 : MathBN.gt(kept, floor) ? 1 : -1
      return { index, remainder, rank: bias + remainder }
    })
    .filter(({ remainder }) => remainder > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, missing)
  const up = new Set(goUp.map(({ index }) => index))
  return floors.map((floor, index) => (up.has(index) ? MathBN.add(floor, unit) : floor))
}
