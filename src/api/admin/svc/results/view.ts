import type { ResultRow } from "../../../../workflows/orders"
import { difference, shownAmount } from "../../../money"

/**
 * What was sold in one currency. Amounts in major units with VAT: `net` is `gross` less `discounts` and `refunded`, `tax`
 * is the VAT in `net`, and `net_without_tax` is `net` less `tax`.
 */
export const resultView = (row: ResultRow) => {
  const amount = (exact: string) => shownAmount(exact, row.currency_code)
  return {
    campaign_uid: row.campaign_uid,
    connection_id: row.connection_id,
    connection_name: row.connection_name,
    event_id: row.event_id,
    product_id: row.product_id,
    /** Of the show, or of the product where results are by product. */
    name: row.name,
    /** Beginning of the day or hour, where results are by day or hour. */
    period: row.period,
    currency_code: row.currency_code,
    /** Placed orders in which something was sold at the show's price; an order of two shows is one order in a sum. */
    orders: row.orders,
    /** Not among `orders`, and in no other field. */
    cancelled_orders: row.cancelled_orders,
    /** Orders of the show in which nothing was sold at its price; not among `orders`. */
    orders_without_show_lines: row.orders_without_show_lines,
    units: Number(row.units),
    gross: amount(row.gross),
    discounts: amount(row.discounts),
    refunded: amount(row.refunded),
    net: amount(row.net),
    tax: amount(row.tax),
    net_without_tax: shownAmount(difference(row.net, row.tax), row.currency_code),
    /** What orders would add to `net` that nobody has authorised or paid yet. */
    unpaid: amount(row.unpaid),
    /** Carts that met the show. Null where results are neither by campaign nor by event, or of one product. */
    carts: row.carts,
    /** Orders per cart that met the show, 0 to 1; null where no cart did, and where `carts` is null. */
    conversion_rate: row.conversion_rate,
  }
}
