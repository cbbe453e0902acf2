import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { GROSS_KINDS } from "../orders/entries"
import type { ResultGroup, ResultQuery, ResultRow } from "../orders/result-query"

/** The latest event of the campaign of a row `sold`; a show that was deleted still has its name. */
const SHOW = `
  LEFT JOIN LATERAL (
    SELECT event.event_id, event.name FROM svc_live_event event
    WHERE event.connection_id = sold.connection_id AND event.campaign_uid = sold.campaign_uid
    ORDER BY event.deleted_in_svc_at IS NULL DESC, event.occurred_at DESC LIMIT 1) show ON true
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
  SELECT ${row("entry", "entry.occurred_at", "CASE WHEN origin.canceled_at IS NULL THEN 'unpaid' WHEN entry.kind = 'sale' THEN 'cancelled' END")},
    0, CASE WHEN origin.canceled_at IS NULL THEN entry.amount ELSE 0 END, 0, 0, 0
  FROM svc_show_order origin
  JOIN svc_ledger_entry entry ON entry.order_id = origin.order_id AND entry.campaign_uid IS NOT NULL
    AND entry.deleted_at IS NULL
  WHERE (origin.unpaid OR origin.canceled_at IS NOT NULL) AND origin.left_out IS NULL AND origin.deleted_at IS NULL`

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
 * @param sold SQL: further conditions on the lines `line` that would make it an order like others
 */
const withoutLines = (sold: string) => `
  SELECT ${row("report", "report.placed_at", "'bare'", "''")}, ${NO_MONEY}, 0 AS carts
  FROM svc_attribution report
  WHERE NOT report.has_show_lines AND report.state NOT IN ('duplicate', 'excluded') AND report.deleted_at IS NULL
    AND NOT EXISTS (
      SELECT 1 FROM svc_show_order_line line
      WHERE line.order_id = report.order_id AND line.deleted_at IS NULL AND ${sold})
    AND NOT EXISTS (
      SELECT 1 FROM svc_show_order origin
      WHERE origin.order_id = report.order_id AND (origin.unpaid OR origin.canceled_at IS NOT NULL)
        AND origin.deleted_at IS NULL)`

const NO_SHOW = `NULL::text AS event_id, NULL::text AS connection_name`

/** What shows earned: the ledger added up, one statement for each question. */
export class Results {
  constructor(private readonly knex: Knex) {}

  async list(query: ResultQuery): Promise<{ rows: ResultRow[]; count: number }> {
    const rows = await this.#read(query)
    if (rows[0] || query.offset === 0) return { rows, count: rows[0]?.total_count ?? 0 }
    // Each row tells how many there are, and a page behind the last one has none.
    const [first] = await this.#read({ ...query, limit: 1, offset: 0 })
    return { rows, count: first?.total_count ?? 0 }
  }

  /** All of them, of one moment: pages of sums would be read while sales move rows from one page to the next. */
  async all(query: ResultQuery): Promise<ResultRow[]> {
    return this.#read({ ...query, limit: null, offset: 0 })
  }

  async #read(query: Unlimited): Promise<ResultRow[]> {
    const { sql, bindings } = statementOf(query)
    const { rows } = await this.knex.raw<{ rows: ResultRow[] }>(sql, bindings)
    return rows
  }
}

type Unlimited = Omit<ResultQuery, "limit"> & { limit: number | null }
type Binding = string | number | string[] | Date | null

/** The statement of a question; exported for who looks at its plan. */
export function statementOf(query: Unlimited): { sql: string; bindings: Binding[] } {
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
      // The array besides the pairs: by it each part finds a show's rows in its index.
      `sums.campaign_uid = ANY(ARRAY(SELECT event.campaign_uid FROM svc_live_event event WHERE event.event_id = ANY(?)))
       AND (sums.connection_id, sums.campaign_uid) IN (
         SELECT event.connection_id, event.campaign_uid FROM svc_live_event event WHERE event.event_id = ANY(?))`,
      filters.event_id,
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
  if (from) narrow("sums.at >= ?", from)
  if (to) narrow("sums.at < ?", to)

  const keys = KEYS[groupBy]
  const keyBindings: Binding[] =
    groupBy === "day" || groupBy === "hour" ? [groupBy, timezone, timezone] : []
  const ofProducts = groupBy === "product" || filters.product_id !== undefined
  const ofShow = groupBy === "campaign" || groupBy === "event"
  // Where the question is wider than a campaign, an order of two counts once, and not as one without lines.
  const [sold, soldBindings] =
    ofShow || !filters.campaign_uid
      ? [ofShow ? "line.campaign_uid = report.campaign_uid" : "true", []]
      : ["line.campaign_uid = ANY(?)", [filters.campaign_uid]]
  // Each part has the conditions in it: of the rows of all together Postgres would find a show's only by reading all.
  const parts: { sql: string; bindings: Binding[] }[] = [
    { sql: EARNED, bindings: [] },
    { sql: BESIDE, bindings: [] },
    // Neither a cart nor an order without lines is of a product.
    ...(ofProducts
      ? []
      : [
          ...CARTS.map((sql) => ({ sql, bindings: [] })),
          { sql: withoutLines(sold), bindings: soldBindings },
        ]),
  ]
  const narrowed = parts.map(
    (part) => `SELECT * FROM (${part.sql}) sums WHERE ${where.join(" AND ") || "true"}`,
  )
  const sql = `
    WITH of_order AS (
      SELECT ${keys.select}, sums.currency_code, sums.order_id,
        bool_or(sums.what = 'sale') AS is_sold, bool_or(sums.what = 'cancelled') AS is_cancelled,
        bool_or(sums.what = 'bare') AS is_bare, sum(sums.carts) AS carts,
        coalesce(sum(sums.amount) FILTER (WHERE sums.what = 'unpaid'), 0) AS unpaid,
        coalesce(sum(sums.quantity) FILTER (WHERE sums.what IN (${GROSS})), 0) AS units,
        coalesce(sum(sums.amount + sums.discount) FILTER (WHERE sums.what IN (${GROSS})), 0) AS gross,
        coalesce(sum(sums.discount) FILTER (WHERE sums.what IN (${GROSS})), 0) AS discounts,
        coalesce(sum(sums.amount) FILTER (WHERE sums.what <> 'unpaid'), 0) AS net,
        sum(sums.tax) AS tax
      FROM (${narrowed.join(" UNION ALL ")}) sums
      GROUP BY ${keys.groupBy}sums.currency_code, sums.order_id),
    sold AS (
      SELECT campaign_uid, connection_id, product_id, period, currency_code,
        (count(*) FILTER (WHERE is_sold))::int AS orders,
        (count(*) FILTER (WHERE is_cancelled))::int AS cancelled_orders,
        (count(*) FILTER (WHERE is_bare))::int AS orders_without_show_lines,
        sum(units) AS units, sum(gross) AS gross, sum(discounts) AS discounts,
        sum(gross) - sum(discounts) - sum(net) AS refunded, sum(net) AS net, sum(tax) AS tax,
        sum(unpaid) AS unpaid, sum(carts)::int AS carts
      FROM of_order
      GROUP BY campaign_uid, connection_id, product_id, period, currency_code)
    SELECT sold.campaign_uid, sold.connection_id, sold.product_id, sold.period, sold.currency_code,
      ${ofShow ? "show.event_id, show.name, connection.name AS connection_name" : NO_SHOW},
      ${groupBy === "product" ? "product.title AS name," : ofShow ? "" : "NULL::text AS name,"}
      sold.orders, sold.cancelled_orders, sold.orders_without_show_lines,
      sold.units::text, sold.gross::text, sold.discounts::text, sold.refunded::text, sold.net::text,
      sold.tax::text, sold.unpaid::text, sold.carts,
      CASE WHEN sold.carts > 0 THEN least(1, sold.orders::float8 / sold.carts) END AS conversion_rate,
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
    bindings: [
      ...keyBindings,
      ...parts.flatMap((part) => [...part.bindings, ...bindings]),
      query.limit,
      query.offset,
    ],
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
        date_trunc(?, sums.at AT TIME ZONE ?) AT TIME ZONE ? AS period`,
    groupBy: "4, ",
  },
  hour: {
    select: `NULL::text AS campaign_uid, NULL::text AS connection_id, NULL::text AS product_id,
        date_trunc(?, sums.at AT TIME ZONE ?) AT TIME ZONE ? AS period`,
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
