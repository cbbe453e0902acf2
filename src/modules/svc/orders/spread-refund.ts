import { MathBN } from "@medusajs/framework/utils"
import { type Num, ZERO } from "./line-totals"
import { roundParts } from "./round-parts"

/** A line or a shipping method, and what it is still worth, in whole smallest units of the currency. */
export type Share = { target: string; left: Num }

/** For what neither goods nor shipping can bear. */
export const NO_TARGET = ""

/**
 * Says what a refund is taken from, where nothing came back for it: of everything that was sold and delivered, each by its
 * value. Medusa books it on the order alone, and the words of its reason are free text in any language. What is more than
 * all is worth is taken from nothing. The parts are whole smallest units, and add up to the amount. Pure.
 *
 * @param amount in whole smallest units
 */
export function spreadRefund(amount: Num, shares: Share[], digits: number): Map<string, Num> {
  const worth = shares.filter(({ left }) => MathBN.gt(left, 0))
  const all = MathBN.sum(0, ...worth.map(({ left }) => left))
  const borne = MathBN.min(amount, all)
  const exact = worth.map(({ left }) => MathBN.div(MathBN.mult(borne, left), all))
  const parts = roundParts(
    exact.map((part) => ({ exact: part, kept: null })),
    borne,
    digits,
  )
  const taken = new Map(worth.map(({ target }, index) => [target, parts[index] ?? ZERO]))
  const rest = MathBN.sub(amount, borne)
  if (MathBN.gt(rest, 0)) taken.set(NO_TARGET, rest)
  return taken
}
