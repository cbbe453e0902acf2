import type { BigNumberInput } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"
import { type Num, ZERO } from "./standing"

/** A line or a shipping method, and what it is still worth. */
export type Share = { target: string; of: "goods" | "shipping"; left: Num }

/** For what neither goods nor shipping can bear. */
export const NO_TARGET = ""

/** Codes and labels that merchants give a refund of shipping; Medusa brings "Shipping Issue". */
const ABOUT_SHIPPING = /shipping|delivery|freight|parcel/i

/**
 * Says what a refund is taken from, where nothing came back for it. Medusa books it on the order alone.
 *
 * Of the shipping, where the refund's reason names it or the amount is exactly what the shipping cost; else of the goods,
 * each by its value. What is more than they are worth is taken from the other, and what is left from nothing. Exact: the
 * parts add up to the amount. Pure.
 *
 * @param reason label and code of the refund's reason; null where there is none
 */
export function spreadRefund(
  amount: BigNumberInput,
  shares: Share[],
  reason: { reference: string | null; referenceId: string | null } | null,
): Map<string, Num> {
  const of = (what: Share["of"]) => shares.filter((share) => share.of === what)
  const shipping = sum(of("shipping"))
  const named = [reason?.reference, reason?.referenceId].some((text) =>
    ABOUT_SHIPPING.test(text ?? ""),
  )
  const exactly = MathBN.eq(amount, shipping) && MathBN.gt(shipping, 0)
  const order = named || (reason && exactly) ? ["shipping", "goods"] : ["goods", "shipping"]
  const taken = new Map<string, Num>()
  let rest: Num = MathBN.convert(amount)
  for (const what of order) {
    const some = of(what === "goods" ? "goods" : "shipping")
    const part = MathBN.min(rest, sum(some))
    byValue(part, some, taken)
    rest = MathBN.sub(rest, part)
  }
  if (MathBN.gt(rest, 0)) taken.set(NO_TARGET, rest)
  return taken
}

const sum = (shares: Share[]): Num => MathBN.sum(0, ...shares.map((share) => share.left))

/** The last one bears what division leaves. */
function byValue(amount: Num, shares: Share[], taken: Map<string, Num>): void {
  const worth = shares.filter((share) => MathBN.gt(share.left, 0))
  const all = sum(worth)
  let rest = amount
  for (const [index, { target, left }] of worth.entries()) {
    const last = index === worth.length - 1
    const part = last ? rest : MathBN.div(MathBN.mult(amount, left), all)
    rest = MathBN.sub(rest, part)
    if (!MathBN.eq(part, ZERO)) taken.set(target, part)
  }
}
