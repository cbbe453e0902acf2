import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CatalogItem } from "../models"
import { Conditions } from "../shared/conditions"
import {
  type AskedPage,
  containsWords,
  inOrder,
  type PageOfIds,
  readPageOfIds,
} from "../shared/page-of-ids"

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
  filters: Partial<Record<(typeof ITEM_FILTERS)[number], string[]>> & { q?: string }
}

/** Products as the admin lists them. */
export class ItemList {
  constructor(private readonly knex: Knex) {}

  async list(query: ItemQuery): Promise<{ rows: CatalogItem[]; count: number }> {
    const { ids, count } = await this.#page(query)
    const rows = await this.knex("svc_catalog_item").select<CatalogItem[]>("*").whereIn("id", ids)
    return { rows: inOrder(ids, rows), count }
  }

  #page({ filters, order, ...page }: ItemQuery): Promise<PageOfIds> {
    const conditions = new Conditions("item").oneOf(ITEM_FILTERS, filters)
    if (filters.q) {
      const found = containsWords(["item.title", "item.product_id"], filters.q)
      conditions.and(found.where, ...found.bindings)
    }
    return readPageOfIds(this.knex, {
      from: "svc_catalog_item item",
      row: "item",
      where: conditions.where,
      bindings: conditions.bindings,
      ...page,
      // What was never sent comes last, also downwards, where the index is of no use then.
      order: { ...order, nullsLast: order.column === "last_pushed_at" },
      readsAll: filters.q !== undefined,
    })
  }
}
