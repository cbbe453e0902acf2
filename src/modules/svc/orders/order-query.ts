import type { Attribution } from "../models"
import type { Filtered } from "../shared/conditions"
import type { AskedPage } from "../shared/page-of-ids"

/** What the list of orders can be filtered by, each by one or several values. */
export const ORDER_FILTERS = [
  "id",
  "order_id",
  "cart_id",
  "connection_id",
  "campaign_uid",
  "svc_order_no",
  "state",
] as const
/** What it can be sorted by. */
export const ORDER_COLUMNS = [
  "placed_at",
  "created_at",
  "reported_at",
  "next_attempt_at",
  "display_id",
  "state",
  "attempts",
  "campaign_uid",
  "svc_order_no",
  "order_id",
  "id",
] as const

export type OrderQuery = AskedPage<(typeof ORDER_COLUMNS)[number]> & {
  /** `q`: `#1042`, `1042`, a part of an e-mail address, an order number or an id. `from` and `to`: placed. */
  filters: Filtered<typeof ORDER_FILTERS>
}

/** An attribution with what is shown beside it. Amounts are exact decimal texts in major units. */
export type ListedAttribution = Omit<Attribution, "reason_params"> & {
  reason_params: Record<string, string> | null
  connection_name: string | null
  campaign_name: string | null
  event_id: string | null
  /** What the campaign sold in the order, and what is left of it (gap 51); null until its ledger is made. */
  units: string | null
  gross: string | null
  discounts: string | null
  net: string | null
  left_out: string | null
  /** Nobody has authorised or paid the order yet. */
  unpaid: boolean | null
  ledger_problem: string | null
  canceled_at: Date | null
}

/** A campaign that orders came from. */
export type OrderedCampaign = {
  connection_id: string
  campaign_uid: string
  /** Of its show, as far as it is known. */
  name: string | null
  orders: number
  last_placed_at: Date
}

/** A line of an order that a show sold. Amounts are exact decimal texts in major units. */
export type ListedLine = {
  line_item_id: string
  title: string | null
  product_id: string | null
  variant_id: string | null
  connection_id: string
  campaign_uid: string
  svc_order_no: string
  currency_code: string
  unit_price: string
  catalog_price: string | null
  proven_price: string
  is_tax_inclusive: boolean
  fetched_at: Date
  expires_at: Date
  quantity: string
  net: string
  tax: string
}
