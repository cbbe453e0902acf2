import type { BigNumberInput } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"

/** What an order sold for a campaign and how it stands now. Amounts in major units with tax. */
export type Sale = {
  /** Of the campaign's lines, when the order was placed. */
  gross: BigNumberInput
  canceled: boolean
  /** All lines of the order as they are now: Medusa's `total` leaves out what was returned or edited away. */
  lines: { total: BigNumberInput; ofCampaign: boolean }[]
  /** Refunded although nothing was returned: Medusa writes a credit line for those refunds only. */
  goodwill: BigNumberInput
}

/**
 * How much of a campaign's sale in one order did not stay with the merchant (gap 51): the whole of a cancelled order,
 * else what was returned or edited away, and the campaign's share of a goodwill refund, by the value of the lines. A
 * refund for returned goods is not counted a second time. Never less than nothing, never more than was sold. Pure.
 */
export function refundedAmount({ gross, canceled, lines, goodwill }: Sale): number {
  if (canceled) return MathBN.convert(gross).toNumber()
  const kept = sum(lines.filter((line) => line.ofCampaign))
  const all = sum(lines)
  const share = MathBN.eq(all, 0) ? 0 : MathBN.div(MathBN.mult(goodwill, kept), all)
  const lost = MathBN.max(MathBN.sub(gross, kept), 0)
  // Taxes divide into endless fractions: differences behind the sixth place are rounding, not refunds.
  return Number(MathBN.min(MathBN.add(lost, share), gross).toFixed(6))
}

const sum = (lines: { total: BigNumberInput }[]): BigNumberInput =>
  lines.reduce<BigNumberInput>((total, line) => MathBN.add(total, line.total), 0)
