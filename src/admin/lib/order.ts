import type { AttributedOrder } from "./types"

/** The number that customers and staff know an order by. */
export const numberOf = ({
  display_id,
  order_id,
}: Pick<AttributedOrder, "display_id" | "order_id">): string =>
  display_id === null ? order_id : `#${display_id}`

/** Filter of the list of orders in its address: those of a campaign, and of a span of time as the address has it. */
export function ordersSearch(
  { campaign_uid, connection_id }: Pick<AttributedOrder, "campaign_uid" | "connection_id">,
  placedAt?: string | null,
): string {
  const filters = new URLSearchParams({
    campaign_uid: JSON.stringify([campaign_uid]),
    // A connection that was deleted and made again has the same campaigns.
    connection_id: JSON.stringify([connection_id]),
  })
  if (placedAt) filters.set("placed_at", placedAt)
  return `?${filters}`
}

/** More than floats are off where amounts are added, and less than the smallest amount of any currency. */
const ROUNDING = 0.0005

/** What the show earned beside the lines that it sold: what an exchange or a claim sent out in their place. */
export function sentOut({
  net,
  lines,
}: Pick<AttributedOrder, "net"> & { lines: { net: number }[] }): number {
  const beside = lines.reduce((rest, line) => rest - line.net, net ?? 0)
  return Math.abs(beside) < ROUNDING ? 0 : beside
}

/** Why what an order sold is not among the results; null where it is. */
export function whyNotCounted({
  canceled_at,
  left_out,
  unpaid,
}: Pick<AttributedOrder, "canceled_at" | "left_out" | "unpaid">) {
  if (canceled_at !== null) return "orders.cancelled"
  if (left_out !== null) return "orders.leftOut"
  return unpaid ? "orders.unpaid" : null
}

/**
 * The order is gone, or was cancelled, or is reported already with its other campaign, or is of a connection that was deleted
 * or has left the page: the service is told no more of it.
 */
const NOTHING_TO_TELL = [
  "connection_not_found",
  "connection_not_found_maybe_told",
  "order_cancelled",
  "order_cancelled_maybe_told",
  "order_deleted",
  "order_number_shared",
  "page_left",
]

/**
 * Whether telling the service again can help. One that a rule leaves out is reported when a person asks for it; so is one
 * whose number another order had, once that one does not stand.
 */
export const canBeReported = ({
  reason,
  canceled_at,
}: Pick<AttributedOrder, "canceled_at"> & {
  reason: { code: string } | null
}): boolean => canceled_at === null && !NOTHING_TO_TELL.includes(reason?.code ?? "")
