import type { BigNumberInput } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"

/** A line of a placed order. Amounts in major units, `total` with tax and discounts. */
export type OrderLine = {
  variantId: string | null
  quantity: BigNumberInput
  total: BigNumberInput
  /** Campaign at whose price the line was sold (`campaignOfLine`), or null. */
  campaignUid: string | null
}

/**
 * The campaign at whose price an order's line was sold: the one that our own record has for that variant at that price.
 * The line's metadata is not asked, because shoppers can write it.
 *
 * @param unitPrice major units, as charged
 * @param prices proofs of the cart's prices
 */
export function campaignOfLine(
  line: { variantId: string | null; unitPrice: BigNumberInput },
  prices: { variant_id: string; amount: BigNumberInput; campaign_uid: string }[],
): string | null {
  const record = prices.find(
    (price) => price.variant_id === line.variantId && MathBN.eq(price.amount, line.unitPrice),
  )
  return record?.campaign_uid ?? null
}

/** An order number that the cart met; `usedAt` in ms since the epoch. */
export type MetNumber = {
  orderNo: string
  campaignUid: string
  connectionId: string
  usedAt: number
  /** Variants that were priced under this number, from our own record. */
  variantIds: string[]
}

/** What the service is told about one order: a number, and what was sold under it. */
type AttributedNumber = {
  orderNo: string
  campaignUid: string
  connectionId: string
  units: number
  gross: number
}

/**
 * Decides which order numbers an order is reported under: every one that still has a line in the order, and the
 * latest in any case (gap 48). Pure.
 *
 * A campaign's lines count for the number they were priced under, so that no amount is counted twice: one that
 * several numbers of a campaign priced goes to the latest of them.
 */
export function attributeOrder(numbers: MetNumber[], lines: OrderLine[]): AttributedNumber[] {
  const latestFirst = [...numbers].sort((a, b) => b.usedAt - a.usedAt)
  const unassigned = new Set(lines.filter((line) => line.campaignUid !== null))
  const attributed: AttributedNumber[] = []
  for (const [index, number] of latestFirst.entries()) {
    const own = [...unassigned].filter(
      (line) =>
        line.campaignUid === number.campaignUid &&
        line.variantId !== null &&
        number.variantIds.includes(line.variantId),
    )
    if (index > 0 && own.length === 0) continue
    for (const line of own) unassigned.delete(line)
    attributed.push({
      orderNo: number.orderNo,
      campaignUid: number.campaignUid,
      connectionId: number.connectionId,
      units: sum(own.map((line) => line.quantity)),
      gross: sum(own.map((line) => line.total)),
    })
  }
  return attributed
}

const sum = (values: BigNumberInput[]): number =>
  values.length === 0 ? 0 : MathBN.sum(...values).toNumber()
