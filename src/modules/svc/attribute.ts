import type { BigNumberInput } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"

/** A line of a placed order. Amounts in major units, `total` with tax and discounts. */
export type OrderLine = {
  variantId: string | null
  quantity: BigNumberInput
  total: BigNumberInput
  /** `svc_campaign_uid` of the line's metadata, as it was copied from the basket. */
  campaignUid: string | null
}

/** An order number that the basket met; `usedAt` in ms since the epoch. */
export type MetNumber = {
  orderNo: string
  campaignUid: string
  connectionId: string
  usedAt: number
  /** Variants that were priced under this number, from our own record. */
  variantIds: string[]
}

/** What shall be told to the service about one order. */
export type Claim = {
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
export function attribute(numbers: MetNumber[], lines: OrderLine[]): Claim[] {
  const latestFirst = [...numbers].sort((a, b) => b.usedAt - a.usedAt)
  const unclaimed = new Set(lines.filter((line) => line.campaignUid !== null))
  const claims: Claim[] = []
  for (const [index, number] of latestFirst.entries()) {
    const own = [...unclaimed].filter(
      (line) =>
        line.campaignUid === number.campaignUid &&
        line.variantId !== null &&
        number.variantIds.includes(line.variantId),
    )
    if (index > 0 && own.length === 0) continue
    for (const line of own) unclaimed.delete(line)
    claims.push({
      orderNo: number.orderNo,
      campaignUid: number.campaignUid,
      connectionId: number.connectionId,
      units: sum(own.map((line) => line.quantity)),
      gross: sum(own.map((line) => line.total)),
    })
  }
  return claims
}

const sum = (values: BigNumberInput[]): number =>
  values.length === 0 ? 0 : MathBN.sum(...values).toNumber()
