import type { SoldBy } from "./inherit-show"
import type { OrderFacts } from "./judge-report"
import type { OrderSnapshot } from "./order-snapshot"

/** A placed order as Medusa has it, and which of its lines a show sold. */
export type PlacedOrder = OrderSnapshot &
  OrderFacts & {
    /** Null for an order that Medusa left half-placed. */
    cartId: string | null
    /** The show of each line that one sold, by the line's id; none before the order is written down. */
    shows: Record<string, SoldBy>
  }
