import type { AttributedOrder } from "./types"

/** The number that customers and staff know an order by. */
export const numberOf = ({
  display_id,
  order_id,
}: Pick<AttributedOrder, "display_id" | "order_id">): string =>
  display_id === null ? order_id : `#${display_id}`

/** Filter of the list of orders in its address: those of a campaign. */
export const ordersSearch = ({ campaign_uid }: Pick<AttributedOrder, "campaign_uid">): string =>
  `?${new URLSearchParams({ campaign_uid: JSON.stringify([campaign_uid]) })}`

/** The order is gone, or was cancelled: the service is not told of it any more. */
const NO_ORDER_ANY_MORE = ["order_cancelled", "order_deleted"]

/**
 * Whether telling the service again can help. An order whose number another one has can never be reported. One that a rule
 * leaves out is reported when a person asks for it.
 */
export function canBeReported({
  state,
  reason,
  canceled_at,
}: Pick<AttributedOrder, "state" | "canceled_at"> & {
  reason: { code: string } | null
}): boolean {
  if (state === "duplicate" || canceled_at !== null) return false
  return state !== "excluded" || !NO_ORDER_ANY_MORE.includes(reason?.code ?? "")
}
