import type { AttributedOrder } from "./types"

/** The number that customers and staff know an order by. */
export const numberOf = ({
  display_id,
  order_id,
}: Pick<AttributedOrder, "display_id" | "order_id">): string =>
  display_id === null ? order_id : `#${display_id}`

/** Filter of the list of orders in its address: those of a campaign, and of a span of time as the address has it. */
export function ordersSearch(
  { campaign_uid }: Pick<AttributedOrder, "campaign_uid">,
  placedAt?: string | null,
): string {
  const filters = new URLSearchParams({ campaign_uid: JSON.stringify([campaign_uid]) })
  if (placedAt) filters.set("placed_at", placedAt)
  return `?${filters}`
}

/**
 * The order is gone, or was cancelled, or is reported already with its other campaign, or is of a page that the connection
 * has left: the service is told no more of it.
 */
const NOTHING_TO_TELL = [
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
export function canBeReported({
  state,
  reason,
  canceled_at,
}: Pick<AttributedOrder, "state" | "canceled_at"> & {
  reason: { code: string } | null
}): boolean {
  if (canceled_at !== null) return false
  const untold = state === "excluded" || state === "duplicate"
  return !(untold && NOTHING_TO_TELL.includes(reason?.code ?? ""))
}
