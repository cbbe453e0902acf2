import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CatalogItem } from "../models"
import { Conditions, type Filtered } from "../shared/conditions"
import { type AskedPage, listRows } from "../shared/page-of-ids"

/** What the list of products can be narrowed by. */
export const ITEM_FILTERS = ["id", "connection_id", "state", "product_id", "reason_code"] as const

/** What it can be sorted by. Each has an index: a store may have half a million rows. */
export const ITEM_COLUMNS = [
  "updated_at",
  "title",
  "state",
  "last_pushed_at",
  "product_id",
  "id",
] as const

export type ItemQuery = AskedPage<(typeof ITEM_COLUMNS)[number]> & {
  /** `q`, escaped for `LIKE`: words of the title, or a part of the product's id. */
  filters: Filtered<typeof ITEM_FILTERS>
}

/** Products as the admin lists them. */
export class ItemList {
  constructor(private readonly knex: Knex) {}

  list({ filters, order, ...page }: ItemQuery): Promise<{ rows: CatalogItem[]; count: number }> {
    return listRows(this.knex, {
      table: "svc_catalog_item",
      columns: ["*"],
      conditions: new Conditions("listed")
        .oneOf(ITEM_FILTERS, filters)
        .contain(["listed.title", "listed.product_id"], filters.q),
      ...page,
      // What was never sent comes last, also downwards, where the index is of no use then.
      order: { ...order, nullsLast: order.column === "last_pushed_at" },
      readsAll: filters.q !== undefined,
    })
  }
}
