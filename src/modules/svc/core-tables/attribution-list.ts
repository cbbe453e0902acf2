import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { GROSS_KINDS } from "../orders/entries"
import {
  type ListedAttribution,
  type ListedLine,
  ORDER_FILTERS,
  type OrderedCampaign,
  type OrderQuery,
} from "../orders/order-query"
import { asOneText, Conditions } from "../shared/conditions"
import { inOrder, pagesAfter, readPageOfIds } from "../shared/page-of-ids"
import { latestShowOf } from "../shows/merged"

const GROSS = GROSS_KINDS.map((kind) => `'${kind}'`).join(", ")
const SELECT = `
  SELECT sale.*, connection.name AS connection_name, show.name AS campaign_name, show.event_id,
    sold.units::text, sold.gross::text, sold.discounts::text, sold.net::text, origin.left_out,
    origin.reason_params->>'problem' AS ledger_problem, origin.unpaid, origin.canceled_at
  FROM page
  JOIN svc_attribution sale ON sale.id = page.id
  LEFT JOIN svc_show_order origin ON origin.order_id = sale.order_id AND origin.deleted_at IS NULL
  LEFT JOIN LATERAL (
    SELECT coalesce(sum(entry.quantity) FILTER (WHERE entry.kind IN (${GROSS})), 0) AS units,
      coalesce(sum(entry.amount + entry.discount) FILTER (WHERE entry.kind IN (${GROSS})), 0) AS gross,
      coalesce(sum(entry.discount) FILTER (WHERE entry.kind IN (${GROSS})), 0) AS discounts,
      coalesce(sum(entry.amount), 0) AS net
    FROM svc_ledger_entry entry
    WHERE entry.order_id = sale.order_id AND entry.connection_id = sale.connection_id
      AND entry.campaign_uid = sale.campaign_uid AND entry.deleted_at IS NULL) sold ON origin.version IS NOT NULL
  LEFT JOIN svc_connection connection ON connection.id = sale.connection_id
  ${latestShowOf("sale")}`

/** Named only where it matters: an index is not read backwards for an order that names it. */
const MAY_BE_NULL: ReadonlySet<string> = new Set(["reported_at", "next_attempt_at", "display_id"])

/** Orders of shows as the admin lists them. */
export class AttributionList {
  constructor(private readonly knex: Knex) {}

  /** The page is found first, and then told of each of its rows what stands in other tables. */
  async list(query: OrderQuery): Promise<{ rows: ListedAttribution[]; count: number }> {
    const { column, direction } = query.order
    const { ids, count } = await readPageOfIds(this.knex, {
      from: "svc_attribution sale",
      row: "sale",
      ...narrowed(query.filters),
      order: { column, direction, nullsLast: MAY_BE_NULL.has(column) },
      limit: query.limit,
      offset: query.offset,
    })
    const { rows } = await this.knex.raw<{ rows: ListedAttribution[] }>(
      `WITH page AS (SELECT unnest(?::text[]) AS id) ${SELECT}`,
      [ids],
    )
    return { rows: inOrder(ids, rows), count }
  }

  /** The attribution of this id, or those of the order of this id. */
  async named(id: string): Promise<ListedAttribution[]> {
    const { rows } = await this.knex.raw<{ rows: ListedAttribution[] }>(
      `WITH page AS (
         SELECT sale.id FROM svc_attribution sale
         WHERE (sale.id = ? OR sale.order_id = ?) AND sale.deleted_at IS NULL)
       ${SELECT}
       ORDER BY sale.placed_at, sale.id`,
      [id, id],
    )
    return rows
  }

  /** All of them, oldest first, a page at a time from where the page before ended. */
  pages(filters: OrderQuery["filters"], size: number): AsyncGenerator<ListedAttribution[]> {
    const { where, bindings } = narrowed(filters)
    return pagesAfter(size, async (last: ListedAttribution | null) => {
      const { rows } = await this.knex.raw<{ rows: ListedAttribution[] }>(
        `WITH page AS (
           SELECT sale.id FROM svc_attribution sale
           WHERE ${where} ${last ? "AND (sale.placed_at, sale.id) > (?, ?)" : ""}
           ORDER BY sale.placed_at, sale.id LIMIT ?)
         ${SELECT}
         ORDER BY sale.placed_at, sale.id`,
        [...bindings, ...(last ? [last.placed_at, last.id] : []), size],
      )
      return rows
    })
  }

  /**
   * Campaigns that orders came from, to choose from: the wanted ones first, then the latest. Also those of a connection that
   * was deleted.
   */
  async campaigns(wanted: string[], limit: number): Promise<OrderedCampaign[]> {
    const { rows } = await this.knex.raw<{ rows: OrderedCampaign[] }>(
      `WITH ordered AS (
         SELECT sale.connection_id, sale.campaign_uid, count(*)::int AS orders, max(sale.placed_at) AS last_placed_at
         FROM svc_attribution sale WHERE sale.deleted_at IS NULL
         GROUP BY sale.connection_id, sale.campaign_uid
         ORDER BY sale.campaign_uid = ANY(?) DESC, last_placed_at DESC, sale.campaign_uid LIMIT ?)
       SELECT ordered.*, show.name
       FROM ordered
       ${latestShowOf("ordered")}
       ORDER BY ordered.last_placed_at DESC, ordered.campaign_uid`,
      [wanted, limit],
    )
    return rows
  }

  /** The lines of an order that shows sold, with the proofs of their prices and what is left of them. */
  async lines(orderId: string): Promise<ListedLine[]> {
    const { rows } = await this.knex.raw<{ rows: ListedLine[] }>(
      `SELECT sold.line_item_id, line.title, sold.product_id, sold.variant_id, sold.connection_id,
         sold.campaign_uid, sold.svc_order_no, origin.currency_code, sold.unit_price::text,
         line.compare_at_unit_price::text AS catalog_price, sold.proven_price::text, sold.is_tax_inclusive,
         sold.fetched_at, sold.expires_at, coalesce(booked.quantity, 0)::text AS quantity,
         coalesce(booked.net, 0)::text AS net, coalesce(booked.tax, 0)::text AS tax
       FROM svc_show_order_line sold
       JOIN svc_show_order origin ON origin.order_id = sold.order_id AND origin.deleted_at IS NULL
       LEFT JOIN order_line_item line ON line.id = sold.line_item_id
       LEFT JOIN LATERAL (
         SELECT sum(entry.quantity) AS quantity, sum(entry.amount) AS net, sum(entry.tax) AS tax
         FROM svc_ledger_entry entry
         WHERE entry.order_id = sold.order_id AND entry.line_item_id = sold.line_item_id
           AND entry.deleted_at IS NULL) booked ON true
       WHERE sold.order_id = ? AND sold.deleted_at IS NULL
       ORDER BY sold.line_item_id`,
      [orderId],
    )
    return rows
  }
}

function narrowed(filters: OrderQuery["filters"]) {
  const conditions = new Conditions("sale")
    .oneOf(ORDER_FILTERS, filters)
    .within("placed_at", filters)
  const exact = /^#(\d{1,9})$/.exec(filters.q ?? "")?.[1]
  if (exact) {
    // Nothing but an order's number is written like this: no part of any other text is looked for.
    conditions.and(
      `sale.id IN (
      SELECT own.id FROM svc_attribution own WHERE own.display_id = ? AND own.deleted_at IS NULL
      UNION ALL
      SELECT own.id FROM "order" o
      JOIN svc_attribution own ON own.order_id = o.id AND own.deleted_at IS NULL
      WHERE o.custom_display_id = ANY(?) AND o.deleted_at IS NULL)`,
      Number(exact),
      [exact, `#${exact}`],
    )
  } else if (filters.q) {
    const like = `%${filters.q}%`
    const number = /^(\d{1,9})$/.exec(filters.q)?.[1]
    conditions.and(
      `(${asOneText(["sale.svc_order_no", "sale.order_id"])} LIKE lower(?) OR sale.order_id IN (
      SELECT o.id FROM "order" o WHERE ${asOneText(["o.email", "o.custom_display_id"])} LIKE lower(?))
      ${number ? "OR sale.display_id = ?" : ""})`,
      like,
      like,
      ...(number ? [Number(number)] : []),
    )
  }
  const { where, bindings } = conditions
  return { where, bindings, readsAll: !exact && filters.q !== undefined }
}
