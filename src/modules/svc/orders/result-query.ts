/** What results can be grouped by; by `currency` is everything in one row of each. */
export const RESULT_GROUPS = ["campaign", "event", "product", "day", "hour", "currency"] as const

/** The columns of results, as a file has them: each of them can be sorted by. */
export const RESULT_COLUMNS = [
  "period",
  "name",
  "campaign_uid",
  "event_id",
  "product_id",
  "connection_id",
  "connection_name",
  "currency_code",
  "orders",
  "cancelled_orders",
  "orders_without_show_lines",
  "units",
  "gross",
  "discounts",
  "refunded",
  "net",
  "tax",
  "net_without_tax",
  "unpaid",
  "carts",
  "conversion_rate",
] as const

export type ResultQuery = {
  groupBy: (typeof RESULT_GROUPS)[number]
  filters: {
    connection_id?: string[]
    campaign_uid?: string[]
    event_id?: string[]
    product_id?: string[]
    currency_code?: string[]
    /** A `LIKE` pattern's inside: part of the campaign's id or of its show's name. */
    q?: string
  }
  /** A moment, or the name of a day, which begins by `timezone`. */
  from: Date | string | null
  to: Date | string | null
  /** Days and hours begin by this clock: an IANA name. */
  timezone: string
  order: { column: (typeof RESULT_COLUMNS)[number]; direction: "ASC" | "DESC" }
}

/** Amounts are exact decimal texts in major units, with tax; `tax` is the tax in `net`. */
export type ResultRow = {
  campaign_uid: string | null
  connection_id: string | null
  connection_name: string | null
  event_id: string | null
  product_id: string | null
  /** Of the show, or of the product where results are by product. */
  name: string | null
  /** Beginning of the day or hour, where results are by day or hour. */
  period: Date | null
  currency_code: string
  /** Placed orders in which something was sold at the show's price; an order of two shows is one order in a sum. */
  orders: number
  /** Not among `orders`, and in no other field. */
  cancelled_orders: number
  /** Orders of the show in which nothing was sold at its price; not among `orders`. */
  orders_without_show_lines: number
  units: string
  gross: string
  discounts: string
  refunded: string
  net: string
  tax: string
  /** What orders would add to `net` that nobody has authorised or paid yet. */
  unpaid: string
  /** Carts that met the show. Null where results are neither by campaign nor by event, or of one product. */
  carts: number | null
  /** Orders per cart that met the show, 0 to 1; null where no cart did, and where `carts` is null. */
  conversion_rate: number | null
}
