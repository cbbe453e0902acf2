import { type ReportAttempt, reasonFor, reasonOfRow } from "../../../../modules/svc"
import type { ListedAttribution, ListedLine } from "../../../../workflows/orders"
import { difference, shownAmount, sum, times } from "../../../money"

/** An attribution as the API shows it. Amounts in major units with VAT. */
export const orderView = (row: ListedAttribution) => ({
  id: row.id,
  order_id: row.order_id,
  display_id: row.display_id,
  cart_id: row.cart_id,
  connection_id: row.connection_id,
  /** Also of a connection that was deleted. */
  connection_name: row.connection_name,
  svc_order_no: row.svc_order_no,
  campaign_uid: row.campaign_uid,
  /** Name and id of the show, as far as it is known. */
  campaign_name: row.campaign_name,
  event_id: row.event_id,
  state: row.state,
  reason: reasonOfRow(row),
  currency_code: row.currency_code,
  /** False where the order is the show's by its number alone: nothing in it was sold at the show's price. */
  has_show_lines: row.has_show_lines,
  /**
   * What the show sold in the order by now, as the results have it: `gross` before `discounts`, `refunded` what was given
   * back, `net` what is left. Null until the order's ledger is made.
   */
  units: row.units === null ? null : Number(row.units),
  ...amountsOf(row),
  /** Nobody has authorised or paid the order yet: it is beside the results, not among them. */
  unpaid: row.unpaid ?? false,
  /** Code of the rule by which the order is not among the results; null where it is. */
  left_out: row.left_out,
  placed_at: row.placed_at,
  canceled_at: row.canceled_at,
  attempts: row.attempts,
  next_attempt_at: row.next_attempt_at,
  reported_at: row.reported_at,
})

function amountsOf({ gross, discounts, net, currency_code }: ListedAttribution) {
  if (gross === null || discounts === null || net === null) {
    return { gross: null, discounts: null, refunded: null, net: null }
  }
  const amount = (exact: string) => shownAmount(exact, currency_code)
  return {
    gross: amount(gross),
    discounts: amount(discounts),
    refunded: amount(difference(difference(gross, discounts), net)),
    net: amount(net),
  }
}

/** A line of the order that a show sold, and the proof of its price. */
export const orderLineView = ({
  proven_price,
  is_tax_inclusive,
  fetched_at,
  expires_at,
  currency_code,
  ...line
}: ListedLine) => {
  const amount = (exact: string) => shownAmount(exact, currency_code)
  return {
    ...line,
    unit_price: amount(line.unit_price),
    /** The catalog's price when it was sold; null where it is not known. */
    catalog_price: line.catalog_price === null ? null : amount(line.catalog_price),
    /** The show's price, when the service said it, and until when it held. */
    proof: { price: amount(proven_price), is_tax_inclusive, fetched_at, expires_at },
    /** What is left of the line by the ledger, refunds taken off. */
    quantity: Number(line.quantity),
    net: amount(line.net),
    tax: amount(line.tax),
  }
}

/**
 * What the show's lines cost in the show, what the catalog asked for the same when they were sold, and how much less that
 * is. Null where nothing of them is left, or the catalog's price of one is not known.
 */
export function againstCatalog(row: ListedAttribution, lines: ListedLine[]) {
  const sold = lines.filter(({ quantity }) => Number(quantity) > 0)
  const catalogPrices = sold.flatMap(({ catalog_price, quantity }) =>
    catalog_price === null ? [] : times(catalog_price, quantity),
  )
  if (sold.length === 0 || catalogPrices.length < sold.length) return null
  const show = sum(sold.map(({ unit_price, quantity }) => times(unit_price, quantity)))
  const catalog = sum(catalogPrices)
  return {
    show: shownAmount(show, row.currency_code),
    catalog: shownAmount(catalog, row.currency_code),
    difference: shownAmount(difference(catalog, show), row.currency_code),
  }
}

/** A call of `POST /processOrders`. */
export const attemptView = (attempt: ReportAttempt) => ({
  started_at: attempt.started_at,
  finished_at: attempt.finished_at,
  outcome: attempt.outcome,
  status: attempt.status,
  code: attempt.code,
  message: attempt.message,
  excerpt: attempt.excerpt,
})

/** The single one adds its lines and every call. */
export const orderDetail = (
  row: ListedAttribution,
  lines: ListedLine[],
  attempts: ReportAttempt[],
) => ({
  ...orderView(row),
  lines: lines.map(orderLineView),
  against_catalog: againstCatalog(row, lines),
  report_attempts: attempts.map(attemptView),
  /** Why what the order earned could not be booked; null where it was. */
  ledger_problem:
    row.ledger_problem === null
      ? null
      : reasonFor("ledger_store_error", { problem: row.ledger_problem }),
})
