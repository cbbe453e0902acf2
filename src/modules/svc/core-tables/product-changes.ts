/** What an event of the store names by its id, where single products show it. */
export type ChangeKind =
  | "product"
  | "variant"
  | "option"
  | "option_value"
  | "product_option"
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
  | "translation"

/**
 * SQL: one of those that a question of its own finds. Handed on as an array: joined, Postgres compares each with each where its
 * statistics say that a table is nearly empty, as they do for a minute after many products came in.
 */
const AMONG = (found: string) => `= ANY(ARRAY(${found}))`
/** SQL: the ids of the event. */
const IDS = "SELECT unnest(CAST(:ids AS text[]))"
/** SQL: whether one of the ids is of a row that is gone for good. */
const IS_GONE = (table: string) =>
  `EXISTS (${IDS} EXCEPT SELECT id FROM ${table} WHERE id = ANY(:ids))`
const OF_VARIANTS = (variants: string) =>
  `SELECT product_id AS id FROM product_variant WHERE id ${AMONG(variants)}`
const OF_PRICE_SETS = (sets: string) =>
  OF_VARIANTS(
    `SELECT variant_id FROM product_variant_price_set WHERE price_set_id ${AMONG(sets)} AND deleted_at IS NULL`,
  )
const OF_INVENTORY_ITEMS = (items: string) =>
  OF_VARIANTS(
    `SELECT variant_id FROM product_variant_inventory_item WHERE inventory_item_id ${AMONG(items)} AND deleted_at IS NULL`,
  )
const OF_OPTIONS = (options: string) =>
  `SELECT product_id AS id FROM product_product_option WHERE product_option_id ${AMONG(options)} AND deleted_at IS NULL`
const OF_TRANSLATIONS = (reference: string) =>
  `SELECT reference_id FROM translation WHERE id = ANY(:ids) AND reference = '${reference}'`

/**
 * From what changed to the products that show it. What was deleted softly is still found; the links after it must stand:
 * when they go, events of their own tell. Each step is by primary key or by a partial index of a foreign key.
 *
 * `row` is the table that the id is of, where Medusa may delete such rows for good (`removePrices`, `updatePriceSets`,
 * `deletePriceLists`, `deleteInventoryLevel`, `deleteProductVariants`, an option that is taken from a product): without the row nobody can
 * tell whose it was.
 */
const CHANGES: Record<ChangeKind, { products: string; row?: string }> = {
  product: { products: `${IDS} AS id` },
  variant: { products: OF_VARIANTS(IDS), row: "product_variant" },
  option: { products: OF_OPTIONS(IDS) },
  option_value: {
    products: OF_OPTIONS("SELECT option_id FROM product_option_value WHERE id = ANY(:ids)"),
  },
  product_option: {
    products: "SELECT product_id AS id FROM product_product_option WHERE id = ANY(:ids)",
    row: "product_product_option",
  },
  image: { products: "SELECT product_id AS id FROM image WHERE id = ANY(:ids)" },
  price: {
    products: OF_PRICE_SETS("SELECT price_set_id FROM price WHERE id = ANY(:ids)"),
    row: "price",
  },
  price_set: { products: OF_PRICE_SETS(IDS) },
  price_list: {
    products: OF_PRICE_SETS(
      "SELECT price_set_id FROM price WHERE price_list_id = ANY(:ids) AND deleted_at IS NULL",
    ),
    row: "price_list",
  },
  price_rule: {
    products: OF_PRICE_SETS(
      `SELECT price_set_id FROM price WHERE id ${AMONG("SELECT price_id FROM price_rule WHERE id = ANY(:ids)")}`,
    ),
    row: "price_rule",
  },
  price_list_rule: {
    products: OF_PRICE_SETS(
      `SELECT price_set_id FROM price WHERE deleted_at IS NULL
         AND price_list_id ${AMONG("SELECT price_list_id FROM price_list_rule WHERE id = ANY(:ids)")}`,
    ),
    row: "price_list_rule",
  },
  inventory_item: { products: OF_INVENTORY_ITEMS(IDS) },
  inventory_level: {
    products: OF_INVENTORY_ITEMS(
      "SELECT inventory_item_id FROM inventory_level WHERE id = ANY(:ids)",
    ),
    row: "inventory_level",
  },
  reservation: {
    products: OF_INVENTORY_ITEMS(
      "SELECT inventory_item_id FROM reservation_item WHERE id = ANY(:ids)",
    ),
    row: "reservation_item",
  },
  channel_link: {
    products: "SELECT product_id AS id FROM product_sales_channel WHERE id = ANY(:ids)",
  },
  inventory_link: {
    products: OF_VARIANTS(
      "SELECT variant_id FROM product_variant_inventory_item WHERE id = ANY(:ids)",
    ),
  },
  price_set_link: {
    products: OF_VARIANTS("SELECT variant_id FROM product_variant_price_set WHERE id = ANY(:ids)"),
  },
  translation: {
    products: [
      OF_TRANSLATIONS("product").replace("reference_id", "reference_id AS id"),
      OF_VARIANTS(OF_TRANSLATIONS("product_variant")),
      OF_OPTIONS(OF_TRANSLATIONS("product_option")),
      OF_OPTIONS(
        `SELECT option_id FROM product_option_value WHERE id ${AMONG(OF_TRANSLATIONS("product_option_value"))}`,
      ),
    ].join(" UNION "),
    row: "translation",
  },
}

export const CHANGE_KINDS = Object.keys(CHANGES) as ChangeKind[]

/** SQL for the products that show any of the changed things; null where nothing changed. */
export function changedProducts(changes: ReadonlyMap<ChangeKind, ReadonlySet<string>>): {
  products: string
  /** SQL: whether one of the ids is of a row that is gone for good. */
  unexplained: string
  bindings: Record<string, string[]>
} | null {
  const products: string[] = []
  const gone: string[] = []
  const bindings: Record<string, string[]> = {}
  for (const [kind, ids] of changes) {
    if (ids.size === 0) continue
    const change = CHANGES[kind]
    products.push(change.products.replaceAll(":ids", `:${kind}`))
    if (change.row) {
      gone.push(IS_GONE(change.row).replaceAll(":ids", `:${kind}`))
    }
    bindings[kind] = [...ids]
  }
  if (products.length === 0) return null
  return {
    products: `SELECT DISTINCT id FROM (${products.join(" UNION ")}) AS any_product WHERE id IS NOT NULL`,
    unexplained: gone.length > 0 ? `(${gone.join(" OR ")})` : "false",
    bindings,
  }
}
