import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { Conditions, type Filtered } from "../shared/conditions"
import { pagesAfter } from "../shared/page-of-ids"
import type { LedgerKind } from "./entries"

export const LEDGER_FILTERS = [
  "order_id",
  "campaign_uid",
  "connection_id",
  "product_id",
  "kind",
  "currency_code",
] as const

export type LedgerQuery = {
  /** `q`: a part of the order's id or of the campaign's. */
  filters: Filtered<typeof LEDGER_FILTERS>
  direction: "ASC" | "DESC"
  limit: number
  offset: number
}

/** Amounts are exact decimal texts in major units. */
export type LedgerRow = {
  id: string
  order_id: string
  display_id: number | null
  line_item_id: string | null
  variant_id: string | null
  product_id: string | null
  campaign_uid: string | null
  connection_id: string | null
  kind: LedgerKind
  /** The order's version or cancellation that it comes from. */
  source: string
  quantity: string
  amount: string
  tax: string
  discount: string
  currency_code: string
  occurred_at: Date
  /** False where a rule leaves the order out of the results. */
  counted: boolean
}

const SELECT = `
  SELECT entry.id, entry.order_id, origin.display_id, entry.line_item_id, entry.variant_id, entry.product_id,
    entry.campaign_uid, entry.connection_id, entry.kind, entry.source, entry.quantity::text, entry.amount::text,
    entry.tax::text, entry.discount::text, entry.currency_code, entry.occurred_at, entry.counted
  FROM svc_ledger_entry entry
  LEFT JOIN svc_show_order origin ON origin.order_id = entry.order_id AND origin.deleted_at IS NULL`

/** Entries of the ledger, for people and for exports. */
export class LedgerList {
  constructor(private readonly knex: Knex) {}

  /** By time; of those of one moment by id. */
  async list(query: LedgerQuery): Promise<{ rows: LedgerRow[]; count: number }> {
    const { where, bindings } = narrowed(query.filters)
    const { rows } = await this.knex.raw<{ rows: LedgerRow[] }>(
      `${SELECT} WHERE ${where}
       ORDER BY entry.occurred_at ${query.direction}, entry.id ${query.direction} LIMIT ? OFFSET ?`,
      [...bindings, query.limit, query.offset],
    )
    const counted = await this.knex.raw<{ rows: [{ count: number }] }>(
      `SELECT count(*)::int AS count FROM svc_ledger_entry entry WHERE ${where}`,
      bindings,
    )
    return { rows, count: counted.rows[0].count }
  }

  /**
   * All of them, oldest first, a page at a time from where the page before ended: what an export takes of memory does not
   * grow with it. Served by the index on time and id.
   */
  pages(filters: LedgerQuery["filters"], size: number): AsyncGenerator<LedgerRow[]> {
    const { where, bindings } = narrowed(filters)
    return pagesAfter(size, async (last: LedgerRow | null) => {
      const { rows } = await this.knex.raw<{ rows: LedgerRow[] }>(
        `${SELECT} WHERE ${where} ${last ? "AND (entry.occurred_at, entry.id) > (?, ?)" : ""}
         ORDER BY entry.occurred_at, entry.id LIMIT ?`,
        [...bindings, ...(last ? [last.occurred_at, last.id] : []), size],
      )
      return rows
    })
  }
}

const narrowed = (filters: LedgerQuery["filters"]): Conditions =>
  new Conditions("entry")
    .oneOf(LEDGER_FILTERS, filters)
    .within("occurred_at", filters)
    .contain(["entry.order_id", "entry.campaign_uid"], filters.q)
