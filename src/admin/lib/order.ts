import type { AttributedOrder, OrderState } from "./types"

/** The number that customers and staff know an order by. */
export const numberOf = ({
  display_id,
  order_id,
}: Pick<AttributedOrder, "display_id" | "order_id">): string =>
  display_id === null ? order_id : `#${display_id}`

/**
 * Whether telling the service again can help. An order whose number another one has can never be reported, and one that
 * is left out must not be.
 */
export const canBeReported = (state: OrderState): boolean =>
  state === "waiting" || state === "failed" || state === "reported"
