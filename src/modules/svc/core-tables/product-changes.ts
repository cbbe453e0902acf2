import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** The kinds of records that an event of the store can name by id. */
export type ChangeKind =
  | "product"
  | "variant"
  | "option"
  | "option_value"
  | "image"
  | "price"
  | "price_set"
  | "price_list"
  | "price_rule"
  | "price_list_rule"
  | "inventory_item"
  | "inventory_level"
  | "reservation"
  | "channel_link"
  | "inventory_link"
  | "price_set_link"

const OF_VARIANTS = (variants: string) =>
  `SELECT product_id AS id FROM product_variant WHERE id IN (${variants})`
const OF_PRICE_SETS = (sets: string) =>
  OF_VARIANTS(
    `SELECT variant_id FROM product_variant_price_set WHERE price_set_id IN (${sets}) AND deleted_at IS NULL`,
  )
const OF_INVENTORY_ITEMS = (items: string) =>
  OF_VARIANTS(
    `SELECT variant_id FROM product_variant_inventory_item WHERE inventory_item_id IN (${items}) AND deleted_at IS NULL`,
  )
const OF_OPTIONS = (options: string) =>
  `SELECT product_id AS id FROM product_product_option WHERE product_option_id IN (${options}) AND deleted_at IS NULL`

/**
 * From changed records to the products that show them. The changed record itself is found even when it was
 * soft-deleted, because a deletion is a change; the links after it must not be deleted, because a deleted link has an
 * event of its own. Each step is by primary key or by a partial index of a foreign key.
 */
const PRODUCTS_OF: Record<ChangeKind, string> = {
  product: `SELECT unnest(CAST(:ids AS text[])) AS id`,
  variant: OF_VARIANTS(`SELECT unnest(CAST(:ids AS text[]))`),
  option: OF_OPTIONS(`SELECT unnest(CAST(:ids AS text[]))`),
  option_value: OF_OPTIONS(`SELECT option_id FROM product_option_value WHERE id = ANY(:ids)`),
  image: `SELECT product_id AS id FROM image WHERE id = ANY(:ids)`,
  price: OF_PRICE_SETS(`SELECT price_set_id FROM price WHERE id = ANY(:ids)`),
  price_set: OF_PRICE_SETS(`SELECT unnest(CAST(:ids AS text[]))`),
  price_list: OF_PRICE_SETS(
    `SELECT price_set_id FROM price WHERE price_list_id = ANY(:ids) AND deleted_at IS NULL`,
  ),
  price_rule: OF_PRICE_SETS(
    `SELECT price_set_id FROM price WHERE id IN (SELECT price_id FROM price_rule WHERE id = ANY(:ids))`,
  ),
  price_list_rule: OF_PRICE_SETS(
    `SELECT price_set_id FROM price WHERE deleted_at IS NULL
       AND price_list_id IN (SELECT price_list_id FROM price_list_rule WHERE id = ANY(:ids))`,
  ),
  inventory_item: OF_INVENTORY_ITEMS(`SELECT unnest(CAST(:ids AS text[]))`),
  inventory_level: OF_INVENTORY_ITEMS(
    `SELECT inventory_item_id FROM inventory_level WHERE id = ANY(:ids)`,
  ),
  reservation: OF_INVENTORY_ITEMS(
    `SELECT inventory_item_id FROM reservation_item WHERE id = ANY(:ids)`,
  ),
  channel_link: `SELECT product_id AS id FROM product_sales_channel WHERE id = ANY(:ids)`,
  inventory_link: OF_VARIANTS(
    `SELECT variant_id FROM product_variant_inventory_item WHERE id = ANY(:ids)`,
  ),
  price_set_link: OF_VARIANTS(
    `SELECT variant_id FROM product_variant_price_set WHERE id = ANY(:ids)`,
  ),
}

/** Tolerance on both sides of a boundary: clocks differ, and `updated_at` is written before its commit. */
const GRACE = "interval '30 seconds'"
/** Boundaries older than this are left to the nightly sweep. */
const HORIZON = "interval '48 hours'"

/** Finds the products and connections that a change in the store concerns. */
export class ProductChanges {
  constructor(private readonly knex: Knex) {}

  /** Product ids that show any of the changed things, in one statement. */
  async productsOf(changes: Map<ChangeKind, Set<string>>): Promise<string[]> {
    const parts: string[] = []
    const bindings: Record<string, string[]> = {}
    for (const [kind, ids] of changes) {
      parts.push(PRODUCTS_OF[kind].replaceAll(":ids", `:${kind}`))
      bindings[kind] = [...ids]
    }
    if (parts.length === 0) return []
    const { rows } = await this.knex.raw<{ rows: { id: string | null }[] }>(
      parts.join(" UNION "),
      bindings,
    )
    return rows.flatMap((row) => row.id ?? [])
  }

  /** Connections whose region changed, or whose sales channel got or lost a stock location. */
  async connectionsOf(changed: { regions: string[]; locationLinks: string[] }): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT id FROM svc_connection
       WHERE deleted_at IS NULL AND (
         region_id = ANY(:regions)
         OR sales_channel_id IN (SELECT sales_channel_id FROM sales_channel_stock_location WHERE id = ANY(:locationLinks)))`,
      changed,
    )
    return rows.map((row) => row.id)
  }

  /**
   * Products whose price list opened, closed or was changed after we last read them. Medusa emits nothing when a
   * window opens or closes, nor when a list is updated (deleted lists and prices have events), so this looks at the
   * rows: a settled item that was taken (`updated_at`) before the list's latest boundary is stale. There is no cursor
   * that could get lost: after an hour without a worker, the first minute finds everything.
   */
  async productsWithMovedPriceLists(): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `WITH moved AS (
         SELECT list.id, max(boundary.at) AS at
         FROM price_list list
         CROSS JOIN LATERAL (VALUES (list.starts_at), (list.ends_at), (list.updated_at)) AS boundary (at)
         WHERE list.deleted_at IS NULL AND boundary.at <= now() AND boundary.at > now() - ${HORIZON}
         GROUP BY list.id
       )
       SELECT DISTINCT item.product_id AS id
       FROM moved
       JOIN price ON price.price_list_id = moved.id AND price.deleted_at IS NULL
       JOIN product_variant_price_set link ON link.price_set_id = price.price_set_id AND link.deleted_at IS NULL
       JOIN product_variant variant ON variant.id = link.variant_id
       JOIN svc_catalog_item item ON item.product_id = variant.product_id AND item.deleted_at IS NULL
       WHERE item.wanted = item.acknowledged AND item.updated_at < moved.at + ${GRACE}
         AND item.state <> 'failed'`,
    )
    return rows.map((row) => row.id)
  }
}
