import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { ResultGroup, ResultQuery, ResultRow } from "../orders/result-query"

/** The latest event of the campaign of a row `sold`; a show that was deleted still has its name. */
const SHOW = `
  LEFT JOIN LATERAL (
    SELECT event.event_id, event.name FROM svc_live_event event
    WHERE event.connection_id = sold.connection_id AND event.campaign_uid = sold.campaign_uid
    ORDER BY event.deleted_in_svc_at IS NULL DESC, event.occurred_at DESC LIMIT 1) show ON true
  LEFT JOIN svc_connection connection ON connection.id = sold.connection_id`

/** The quarters of an hour, as rows `sums`. */
const QUARTERS = `
  SELECT sums.connection_id, sums.campaign_uid, sums.currency_code, sums.product_id, sums.quarter, sums.orders,
    sums.cancelled_orders, 0 AS orders_without_show_lines, sums.units, sums.gross, sums.discounts, sums.refunded,
    sums.net, sums.tax, sums.carts
  FROM svc_sales_quarter sums`

/**
 * As rows `sums`: the orders that are a campaign's by their number alone, because nothing in them was sold at its price.
 * Those are few, and have an index of their own.
 */
const WITHOUT_LINES = `
  SELECT sums.connection_id, sums.campaign_uid, sums.currency_code, sums.product_id, sums.quarter, 0, 0, 1,
    0, 0, 0, 0, 0, 0, 0
  FROM (
    SELECT connection_id, campaign_uid, currency_code, '' AS product_id, placed_at AS quarter
    FROM svc_attribution
    WHERE units = 0 AND state NOT IN ('duplicate', 'excluded') AND deleted_at IS NULL) sums`

const NO_SHOW = `NULL::text AS event_id, NULL::text AS connection_name`

/**
 * What shows earned, from the sums of the ledger: one statement for each question. Rows without a product hold a campaign
 * as a whole, and are few; rows with one are read only where the question is about products.
 */
export class Results {
  constructor(private readonly knex: Knex) {}

  async list(query: ResultQuery): Promise<{ rows: ResultRow[]; count: number }> {
    const rows = await this.#read(query)
    if (rows[0] || query.offset === 0) return { rows, count: rows[0]?.total_count ?? 0 }
    // Each row tells how many there are, and a page behind the last one has none.
    const [first] = await this.#read({ ...query, limit: 1, offset: 0 })
    return { rows, count: first?.total_count ?? 0 }
  }

  async #read(query: ResultQuery): Promise<ResultRow[]> {
    const { sql, bindings } = statementOf(query)
    const { rows } = await this.knex.raw<{ rows: ResultRow[] }>(sql, bindings)
    return rows
  }

  /** The plan of the statement, for the benchmark. */
  async explain(query: ResultQuery): Promise<string> {
    const { sql, bindings } = statementOf(query)
    const { rows } = await this.knex.raw<{ rows: { "QUERY PLAN": string }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS) ${sql}`,
      bindings,
    )
    return rows.map((row) => row["QUERY PLAN"]).join("\n")
  }
}

type Binding = string | number | string[] | Date | null

function statementOf(query: ResultQuery): { sql: string; bindings: Binding[] } {
  const { groupBy, filters, from, to, timezone, order } = query
  const where: string[] = []
  const bindings: Binding[] = []
  const narrow = (condition: string, ...values: Binding[]) => {
    where.push(condition)
    bindings.push(...values)
  }
  for (const column of ["connection_id", "campaign_uid", "product_id", "currency_code"] as const) {
    const wanted = filters[column]
    if (wanted) narrow(`sums.${column} = ANY(?)`, wanted)
  }
  if (filters.event_id) {
    narrow(
      `(sums.connection_id, sums.campaign_uid) IN (
        SELECT event.connection_id, event.campaign_uid FROM svc_live_event event WHERE event.event_id = ANY(?))`,
      filters.event_id,
    )
  }
  if (filters.q) {
    const like = `%${filters.q}%`
    narrow(
      `(sums.campaign_uid ILIKE ? OR (sums.connection_id, sums.campaign_uid) IN (
        SELECT event.connection_id, event.campaign_uid FROM svc_live_event event WHERE event.name ILIKE ?))`,
      like,
      like,
    )
  }
  if (from) narrow("sums.quarter >= ?", from)
  if (to) narrow("sums.quarter < ?", to)

  const keys = KEYS[groupBy]
  const keyBindings: Binding[] =
    groupBy === "day" || groupBy === "hour" ? [groupBy, timezone, timezone] : []
  // Filtered or grouped by product, an order counts once for each of its products; else once for the campaign.
  narrow(
    groupBy === "product" || filters.product_id ? "sums.product_id <> ''" : "sums.product_id = ''",
  )
  const ofShow = groupBy === "campaign" || groupBy === "event"
  // Each part has the conditions in it: of the rows of both together Postgres would find a show's only by reading all.
  const parts = [QUARTERS, WITHOUT_LINES].map((part) => `${part} WHERE ${where.join(" AND ")}`)
  const sql = `
    WITH sold AS (
      SELECT ${keys.select}, sums.currency_code,
        sum(sums.orders)::int AS orders, sum(sums.cancelled_orders)::int AS cancelled_orders,
        sum(sums.orders_without_show_lines)::int AS orders_without_show_lines,
        sum(sums.units) AS units, sum(sums.gross) AS gross, sum(sums.discounts) AS discounts,
        sum(sums.refunded) AS refunded, sum(sums.net) AS net, sum(sums.tax) AS tax,
        sum(sums.carts)::int AS carts
      FROM (${parts.join(" UNION ALL ")}) sums
      GROUP BY ${keys.groupBy}sums.currency_code)
    SELECT sold.campaign_uid, sold.connection_id, sold.product_id, sold.period, sold.currency_code,
      ${ofShow ? "show.event_id, show.name, connection.name AS connection_name" : NO_SHOW},
      ${groupBy === "product" ? "product.title AS name," : ofShow ? "" : "NULL::text AS name,"}
      sold.orders, sold.cancelled_orders, sold.orders_without_show_lines,
      sold.units::text, sold.gross::text, sold.discounts::text, sold.refunded::text, sold.net::text,
      sold.tax::text, sold.carts,
      CASE WHEN sold.carts > 0
        THEN least(1, (sold.orders - sold.cancelled_orders)::float8 / sold.carts) END AS conversion_rate,
      count(*) OVER ()::int AS total_count
    FROM sold
    ${ofShow ? SHOW : ""}
    ${groupBy === "product" ? "LEFT JOIN product ON product.id = sold.product_id" : ""}
    WHERE ${keys.having ?? "true"}
    ORDER BY ${sortBy(order.column, groupBy)} ${order.direction} NULLS LAST,
      sold.campaign_uid, sold.connection_id, sold.product_id, sold.period, sold.currency_code
    LIMIT ? OFFSET ?`
  return {
    sql,
    bindings: [...keyBindings, ...parts.flatMap(() => bindings), query.limit, query.offset],
  }
}

/** `groupBy`: columns before the currency, each with its comma. */
const KEYS: Record<ResultGroup, { select: string; groupBy: string; having?: string }> = {
  campaign: {
    select:
      "sums.campaign_uid, sums.connection_id, NULL::text AS product_id, NULL::timestamptz AS period",
    groupBy: "sums.campaign_uid, sums.connection_id, ",
  },
  event: {
    select:
      "sums.campaign_uid, sums.connection_id, NULL::text AS product_id, NULL::timestamptz AS period",
    groupBy: "sums.campaign_uid, sums.connection_id, ",
    having: "show.event_id IS NOT NULL",
  },
  product: {
    select:
      "NULL::text AS campaign_uid, NULL::text AS connection_id, sums.product_id, NULL::timestamptz AS period",
    groupBy: "sums.product_id, ",
  },
  day: {
    select: `NULL::text AS campaign_uid, NULL::text AS connection_id, NULL::text AS product_id,
        date_trunc(?, sums.quarter AT TIME ZONE ?) AT TIME ZONE ? AS period`,
    groupBy: "4, ",
  },
  hour: {
    select: `NULL::text AS campaign_uid, NULL::text AS connection_id, NULL::text AS product_id,
        date_trunc(?, sums.quarter AT TIME ZONE ?) AT TIME ZONE ? AS period`,
    groupBy: "4, ",
  },
  currency: {
    select: `NULL::text AS campaign_uid, NULL::text AS connection_id, NULL::text AS product_id,
        NULL::timestamptz AS period`,
    groupBy: "",
  },
}

/** Columns that only the answer has. */
const BESIDE_SUMS: ReadonlySet<string> = new Set(["conversion_rate", "event_id", "connection_name"])

/** Amounts are texts in the answer, and numbers where they are sorted. */
function sortBy(column: ResultQuery["order"]["column"], groupBy: ResultGroup): string {
  if (column === "net_without_tax") return "sold.net - sold.tax"
  if (BESIDE_SUMS.has(column)) return column
  if (column !== "name") return `sold.${column}`
  if (groupBy === "product") return "product.title"
  return groupBy === "campaign" || groupBy === "event" ? "show.name" : "sold.period"
}
