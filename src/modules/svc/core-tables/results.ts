import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { GROSS_KINDS } from "../orders/entries"
import type { ResultQuery, ResultRow } from "../orders/result-query"
import { SvcRefusal } from "../shared/refusal"
import { sqlState } from "../shared/sql-error"
import { latestShowOf } from "../shows/merged"

const SHOW = `
  ${latestShowOf("sold")}
  LEFT JOIN svc_connection connection ON connection.id = sold.connection_id`

const GROSS = GROSS_KINDS.map((kind) => `'${kind}'`).join(", ")

/** What every part below brings: one row for each thing that counts, and `what` it is. */
const row = (of: string, at: string, what: string, product = `coalesce(${of}.product_id, '-')`) =>
  `${of}.order_id, ${of}.connection_id, ${of}.campaign_uid, ${of}.currency_code, ${product} AS product_id,
    ${at} AS at, ${what} AS what`
const NO_MONEY = "0 AS quantity, 0 AS amount, 0 AS discount, 0 AS tax"

/** The ledger, served by its index on campaign and time. */
const EARNED = `
  SELECT ${row("entry", "entry.occurred_at", "entry.kind")},
    entry.quantity, entry.amount, entry.discount, entry.tax, 0 AS carts
  FROM svc_ledger_entry entry
  WHERE entry.counted AND entry.campaign_uid IS NOT NULL AND entry.deleted_at IS NULL`

/** Orders that nobody has paid yet, with what they would earn, and orders that were cancelled. */
const BESIDE = `
  SELECT ${row("entry", "entry.occurred_at", "CASE WHEN origin.canceled_at IS NULL THEN 'unpaid' ELSE 'cancelled' END")},
    0, CASE WHEN origin.canceled_at IS NULL THEN entry.amount ELSE 0 END, 0, 0, 0
  FROM svc_show_order origin
  JOIN svc_ledger_entry entry ON entry.order_id = origin.order_id AND entry.campaign_uid IS NOT NULL
    AND entry.deleted_at IS NULL
  WHERE (origin.unpaid OR origin.canceled_at IS NOT NULL) AND origin.left_out IS NULL AND origin.deleted_at IS NULL
    AND (origin.canceled_at IS NULL OR entry.kind = 'sale')`

/** Carts, each once for a campaign, when it met it first: those that are known, and how many were forgotten. */
const CARTS = [
  `SELECT '' AS order_id, met.connection_id, met.campaign_uid, cart.currency_code, '' AS product_id,
    met.met_at AS at, 'cart' AS what, ${NO_MONEY}, 1 AS carts
  FROM (
    SELECT number.cart_id, number.connection_id, number.campaign_uid, min(number.created_at) AS met_at
    FROM svc_cart_order_number number WHERE number.deleted_at IS NULL
    GROUP BY number.cart_id, number.connection_id, number.campaign_uid) met
  JOIN cart ON cart.id = met.cart_id`,
  `SELECT '' AS order_id, past.connection_id, past.campaign_uid, past.currency_code, '' AS product_id,
    past.met_at AS at, 'cart' AS what, ${NO_MONEY}, past.carts
  FROM svc_forgotten_carts past WHERE past.deleted_at IS NULL`,
]

/**
 * Orders that are a show's by their number alone: nothing of what the question is about was sold in them. Those are few, and
 * have an index of their own.
 *
 * @param sold SQL: which lines `line` would make it an order like others
 * @param asked as `narrowed` has it
 */
const withoutLines = (sold: string, asked: string) => `
  SELECT ${row("report", "report.placed_at", "'bare'", "''")}, ${NO_MONEY}, 0 AS carts
  FROM svc_attribution report
  WHERE NOT report.has_show_lines AND report.deleted_at IS NULL
    AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT line.connection_id, line.campaign_uid, report.currency_code, report.placed_at AS at
        FROM svc_show_order_line line
        WHERE line.order_id = report.order_id AND line.deleted_at IS NULL AND ${sold}) sums
      WHERE ${asked})
    AND EXISTS (
      SELECT 1 FROM svc_show_order origin
      WHERE origin.order_id = report.order_id AND origin.version IS NOT NULL AND NOT origin.unpaid
        AND origin.canceled_at IS NULL AND origin.left_out IS NULL AND origin.deleted_at IS NULL)`

/** What shows earned: the ledger added up, one statement for each question. */
export class Results {
  constructor(private readonly knex: Knex) {}

  /**
   * All rows, of one moment: pages of sums would be read while sales move rows from one page to the next.
   *
   * @throws SvcRefusal `invalid_request` where Postgres does not know the time zone
   */
  async list(query: ResultQuery): Promise<ResultRow[]> {
    try {
      const { rows } = await this.knex.raw<{ rows: ResultRow[] }>(
        resultsSql(query),
        resultBindings(query),
      )
      return rows
    } catch (error) {
      if (!isUnknownName(error)) throw error
      throw new SvcRefusal(
        "invalid_request",
        `timezone: the store's database does not know "${query.timezone}".`,
      )
    }
  }
}

/** `invalid_parameter_value`: of all that is asked only a time zone's name can be one. */
const isUnknownName = (error: unknown): boolean => sqlState(error) === "22023"

/** Values by their names in the statement. */
export const resultBindings = ({ filters, from, to, timezone }: ResultQuery) => ({
  ...filters,
  q: `%${filters.q}%`,
  from: from && new Date(from),
  to: to && new Date(to),
  timezone,
})

/** SQL of what each part is narrowed by. */
function narrowed({ filters, ...span }: ResultQuery): string {
  const moment = (name: "from" | "to") =>
    typeof span[name] === "string"
      ? `CAST(:${name} AS timestamptz) AT TIME ZONE 'UTC' AT TIME ZONE :timezone`
      : `:${name}`
  const columns = ["connection_id", "campaign_uid", "product_id", "currency_code"] as const
  const shows = "SELECT event.connection_id, event.campaign_uid FROM svc_live_event event"
  const conditions = [
    ...columns.filter((name) => filters[name]).map((name) => `sums.${name} = ANY(:${name})`),
    // The array besides the pairs: by it each part finds a show's rows in its index.
    filters.event_id &&
      `sums.campaign_uid = ANY(ARRAY(SELECT event.campaign_uid FROM svc_live_event event WHERE event.event_id = ANY(:event_id)))
       AND (sums.connection_id, sums.campaign_uid) IN (${shows} WHERE event.event_id = ANY(:event_id))`,
    filters.q &&
      `(sums.campaign_uid ILIKE :q OR (sums.connection_id, sums.campaign_uid) IN (${shows} WHERE event.name ILIKE :q))`,
    span.from && `sums.at >= ${moment("from")}`,
    span.to && `sums.at < ${moment("to")}`,
  ]
  return conditions.filter(Boolean).join(" AND ") || "true"
}

/** The statement of a question; exported for who looks at its plan. */
export function resultsSql(query: ResultQuery): string {
  const { groupBy, filters, order } = query
  const ofShow = groupBy === "campaign" || groupBy === "event"
  const ofProduct = groupBy === "product"
  const ofTime = groupBy === "day" || groupBy === "hour"
  // Where the question is wider than a campaign, an order of two counts once, and not as one without lines.
  const sold = ofShow ? "line.campaign_uid = report.campaign_uid" : "true"
  const asked = narrowed(query)
  // Neither a cart nor an order without lines is of a product.
  const ofAllProducts = !ofProduct && !filters.product_id
  // A cart that met two shows has a row for each: a sum over shows would count it twice, and its order once. Of carts whose
  // records were forgotten only the number is kept, so nobody can tell which of them are one.
  const hasCarts = ofShow && ofAllProducts
  const others = [...(hasCarts ? CARTS : []), ...(ofAllProducts ? [withoutLines(sold, asked)] : [])]
  // Each part has the conditions in it: of the rows of all together Postgres would find a show's only by reading all.
  const parts = [EARNED, BESIDE, ...others].map(
    (part) => `SELECT * FROM (${part}) sums WHERE ${asked}`,
  )
  return `
    WITH of_order AS (
      SELECT ${ofShow ? "sums.campaign_uid, sums.connection_id" : "NULL::text AS campaign_uid, NULL::text AS connection_id"},
        ${ofProduct ? "sums.product_id" : "NULL::text AS product_id"},
        ${ofTime ? `date_trunc('${groupBy}', sums.at, :timezone)` : "NULL::timestamptz"} AS period,
        sums.currency_code, sums.order_id,
        bool_or(sums.what = 'sale') AS is_sold, bool_or(sums.what = 'cancelled') AS is_cancelled,
        bool_or(sums.what = 'bare') AS is_bare, sum(sums.carts) AS carts,
        coalesce(sum(sums.amount) FILTER (WHERE sums.what = 'unpaid'), 0) AS unpaid,
        coalesce(sum(sums.quantity) FILTER (WHERE sums.what IN (${GROSS})), 0) AS units,
        coalesce(sum(sums.amount + sums.discount) FILTER (WHERE sums.what IN (${GROSS})), 0) AS gross,
        coalesce(sum(sums.discount) FILTER (WHERE sums.what IN (${GROSS})), 0) AS discounts,
        coalesce(sum(sums.amount) FILTER (WHERE sums.what <> 'unpaid'), 0) AS net,
        sum(sums.tax) AS tax
      FROM (${parts.join(" UNION ALL ")}) sums
      GROUP BY 1, 2, 3, 4, 5, 6),
    sold AS (
      SELECT campaign_uid, connection_id, product_id, period, currency_code,
        (count(*) FILTER (WHERE is_sold))::int AS orders,
        (count(*) FILTER (WHERE is_cancelled))::int AS cancelled_orders,
        (count(*) FILTER (WHERE is_bare))::int AS orders_without_show_lines,
        sum(units) AS units, sum(gross) AS gross, sum(discounts) AS discounts,
        sum(gross) - sum(discounts) - sum(net) AS refunded, sum(net) AS net, sum(tax) AS tax,
        sum(unpaid) AS unpaid, sum(carts)::int AS carts
      FROM of_order
      GROUP BY 1, 2, 3, 4, 5)
    SELECT sold.campaign_uid, sold.connection_id, sold.product_id, sold.period, sold.currency_code,
      ${ofShow ? "show.event_id, connection.name" : "NULL::text AS event_id, NULL::text"} AS connection_name,
      ${ofProduct ? "product.title" : ofShow ? "show.name" : "NULL::text"} AS name,
      sold.orders, sold.cancelled_orders, sold.orders_without_show_lines,
      sold.units::text, sold.gross::text, sold.discounts::text, sold.refunded::text, sold.net::text,
      sold.tax::text, sold.unpaid::text,
      ${hasCarts ? "sold.carts" : "NULL::int AS carts"},
      CASE WHEN sold.carts > 0 THEN least(1, sold.orders::float8 / sold.carts) END AS conversion_rate
    FROM sold
    ${ofShow ? SHOW : ""}
    ${ofProduct ? "LEFT JOIN product ON product.id = sold.product_id" : ""}
    WHERE ${groupBy === "event" ? "show.event_id IS NOT NULL" : "true"}
    ORDER BY ${SORTED_BY[order.column] ?? `sold.${order.column}`} ${order.direction} NULLS LAST,
      sold.campaign_uid, sold.connection_id, sold.product_id, sold.period, sold.currency_code`
}

/** Columns that only the answer has; the amounts are texts in it, and numbers where they are sorted. */
const SORTED_BY: Partial<Record<ResultQuery["order"]["column"], string>> = {
  net_without_tax: "sold.net - sold.tax",
  conversion_rate: "conversion_rate",
  event_id: "event_id",
  connection_name: "connection_name",
  name: "name",
}
