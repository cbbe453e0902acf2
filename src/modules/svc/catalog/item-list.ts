import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CatalogItem } from "../models"
import {
  containsWords,
  inOrder,
  type ListedRows,
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

export type ItemQuery = {
  /** `q`, escaped for `LIKE`: words of the title, or a part of the product's id. */
  filters: Partial<Record<(typeof ITEM_FILTERS)[number], string[]>> & { q?: string }
  order: { column: (typeof ITEM_COLUMNS)[number]; direction: "ASC" | "DESC" }
  limit: number
  offset: number
}

/** Products as the admin lists them. */
export class ItemList {
  constructor(private readonly knex: Knex) {}

  async list(query: ItemQuery): Promise<{ rows: CatalogItem[]; count: number }> {
    const { ids, count } = await this.#page(query)
    const rows = await this.knex("svc_catalog_item").select<CatalogItem[]>("*").whereIn("id", ids)
    return { rows: inOrder(ids, rows), count }
  }

  #page({ filters, ...page }: ItemQuery): Promise<PageOfIds> {
    const where = ["item.deleted_at IS NULL"]
    const bindings: ListedRows["bindings"] = []
    for (const name of ITEM_FILTERS) {
      const wanted = filters[name]
      if (!wanted) continue
      where.push(`item.${name} = ANY(?)`)
      bindings.push(wanted)
    }
    if (filters.q) {
      const found = containsWords(["item.title", "item.product_id"], filters.q)
      where.push(found.where)
      bindings.push(...found.bindings)
    }
    return readPageOfIds(this.knex, {
      from: "svc_catalog_item item",
      row: "item",
      where: where.join(" AND "),
      bindings,
      ...page,
      readsAll: filters.q !== undefined,
    })
  }
}
