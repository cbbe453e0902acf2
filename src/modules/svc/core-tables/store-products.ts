import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** SQL: how many products are for sale in the sales channel of a row `connection`. */
export const COUNT_FOR_SALE = `SELECT count(*)::int
  FROM product
  JOIN product_sales_channel link ON link.product_id = product.id AND link.deleted_at IS NULL
  WHERE link.sales_channel_id = connection.sales_channel_id AND product.deleted_at IS NULL AND product.status = 'published'`

/** A product of the store as one page of the catalog worker needs it. */
export type SourceProduct = {
  id: string
  title: string
  handle: string | null
  thumbnail: string | null
  status: string
  deleted: boolean
  in_channel: boolean
  is_giftcard: boolean
  type_id: string | null
  collection_id: string | null
  images: string[]
  options: ProductOption[]
  variants: SourceVariant[]
  /** For a connection's rules and a merchant's own mapper. */
  description: string | null
  metadata: Record<string, unknown> | null
  collection_title: string | null
  type_value: string | null
  /** Those that shoppers see. */
  categories: { id: string; name: string }[]
  /** Hidden and inactive ones too. */
  category_ids: string[]
  tag_ids: string[]
}

export type SourceVariant = {
  id: string
  title: string
  sku: string | null
  thumbnail: string | null
  /** Its own pictures, in the product's order. */
  images: string[]
  rank: number
  manage_inventory: boolean
  allow_backorder: boolean
  price_set_id: string | null
  options: SourceOption[]
  /** How many can be sold: what the scarcest part allows, over the channel's locations; null without parts. */
  units: number | null
}

type ProductOption = { id: string; title: string }

/** A value of an option; by their ids Medusa finds their translations. */
type SourceOption = { id: string; value: string; rank: number | null; option: ProductOption }

type ProductRow = Omit<SourceProduct, "in_channel" | "images" | "options" | "variants">

/** What the statement answers: one list of each kind, as arrays, which Postgres writes and we parse at once. */
type Lists = {
  products: ProductRow[] | null
  in_channel: string[] | null
  images: [product: string, url: string][] | null
  variant_images: [variant: string, url: string][] | null
  option_links: [product: string, option: string][] | null
  variants:
    | [
        product: string,
        id: string,
        title: string,
        sku: string | null,
        thumbnail: string | null,
        rank: number,
        manageInventory: boolean,
        allowBackorder: boolean,
      ][]
    | null
  price_sets: [variant: string, set: string][] | null
  option_values: [variant: string, value: string][] | null
  values: [id: string, value: string, rank: number | null, option: string][] | null
  options: [id: string, title: string, deleted: boolean][] | null
  parts: [variant: string, inventoryItem: string, required: number][] | null
  stock: [inventoryItem: string, units: number][] | null
}

/**
 * Reads products with everything that a payload takes but prices, in one statement.
 *
 * Not `query.graph`: it takes 4 s for 1,000 products whose variants share a global option (the ORM walks every
 * variant of the store that has the same value), and a page with stock is the worker's whole cost.
 *
 * Each table is read once for the whole page, by an index and the keys that were found before. The keys are handed on as
 * `ARRAY(SELECT ...)`: Postgres takes such an array for a short one and always uses the index. A join, or the ids
 * themselves, would have it read whole tables for each page of a large catalog. The lists are put together here, not by
 * joins: Postgres, which takes them for short, would compare each row of one with each of the other.
 */
export class StoreProducts {
  constructor(private readonly knex: Knex) {}

  /** Deleted products are returned as such, unknown ids not at all. */
  async read(ids: string[], salesChannelId: string): Promise<SourceProduct[]> {
    if (ids.length === 0) return []
    const { rows } = await this.knex.raw<{ rows: Lists[] }>(
      `WITH given AS MATERIALIZED (SELECT unnest(CAST(:ids AS text[])) AS id),
       variant AS MATERIALIZED (
         SELECT id, product_id, title, sku, thumbnail, variant_rank, manage_inventory, allow_backorder
         FROM product_variant WHERE product_id = ANY(${GIVEN}) AND deleted_at IS NULL
       ), option_link AS MATERIALIZED (
         SELECT product_id, product_option_id, created_at, id FROM product_product_option
         WHERE product_id = ANY(${GIVEN}) AND deleted_at IS NULL
       ), value_link AS MATERIALIZED (
         SELECT variant_id, option_value_id FROM product_variant_option
         WHERE variant_id = ANY(ARRAY(SELECT id FROM variant))
       ), value AS MATERIALIZED (
         SELECT id, value, rank, option_id FROM product_option_value
         WHERE id = ANY(ARRAY(SELECT DISTINCT option_value_id FROM value_link)) AND deleted_at IS NULL
       ), part AS MATERIALIZED (
         SELECT variant_id, inventory_item_id, required_quantity FROM product_variant_inventory_item
         WHERE variant_id = ANY(ARRAY(SELECT id FROM variant)) AND deleted_at IS NULL
       ), image_link AS MATERIALIZED (
         SELECT variant_id, image_id FROM product_variant_product_image
         WHERE variant_id = ANY(ARRAY(SELECT id FROM variant)) AND deleted_at IS NULL
       ), variant_image AS MATERIALIZED (
         SELECT id, url, rank FROM image WHERE id = ANY(ARRAY(SELECT image_id FROM image_link)) AND deleted_at IS NULL
       )
       SELECT
         (SELECT json_agg(p) FROM (
           SELECT p.id, p.title, p.handle, p.thumbnail, p.status, p.is_giftcard, p.type_id,
             p.collection_id, p.deleted_at IS NOT NULL AS deleted, p.description, p.metadata,
             ${COLLECTION}, ${TYPE}, ${CATEGORIES}, ${CATEGORY_IDS}, ${TAGS}
           FROM product p WHERE p.id = ANY(${GIVEN})) AS p) AS products,
         (SELECT json_agg(product_id) FROM product_sales_channel
          WHERE product_id = ANY(${GIVEN}) AND sales_channel_id = :channel AND deleted_at IS NULL) AS in_channel,
         (SELECT json_agg(json_build_array(product_id, url) ORDER BY rank, id COLLATE "C")
          FROM image WHERE product_id = ANY(${GIVEN}) AND deleted_at IS NULL) AS images,
         (SELECT json_agg(json_build_array(link.variant_id, image.url) ORDER BY image.rank, image.id COLLATE "C")
          FROM image_link link JOIN variant_image image ON image.id = link.image_id) AS variant_images,
         (SELECT json_agg(json_build_array(product_id, product_option_id) ORDER BY created_at, id COLLATE "C")
          FROM option_link) AS option_links,
         (SELECT json_agg(json_build_array(
            product_id, id, title, sku, thumbnail, COALESCE(variant_rank, 0), manage_inventory, allow_backorder
          ) ORDER BY variant_rank, id COLLATE "C") FROM variant) AS variants,
         (SELECT json_agg(json_build_array(variant_id, price_set_id)) FROM product_variant_price_set
          WHERE variant_id = ANY(ARRAY(SELECT id FROM variant)) AND deleted_at IS NULL) AS price_sets,
         (SELECT json_agg(json_build_array(variant_id, option_value_id)) FROM value_link) AS option_values,
         (SELECT json_agg(json_build_array(id, value, rank, option_id)) FROM value) AS values,
         (SELECT json_agg(json_build_array(id, title, deleted_at IS NOT NULL) ORDER BY title COLLATE "C") FROM product_option
          WHERE id = ANY(ARRAY(SELECT option_id FROM value UNION SELECT product_option_id FROM option_link))) AS options,
         (SELECT json_agg(json_build_array(variant_id, inventory_item_id, required_quantity)) FROM part) AS parts,
         (SELECT json_agg(json_build_array(inventory_item_id, units)) FROM (
            SELECT inventory_item_id, sum(stocked_quantity - reserved_quantity) AS units FROM inventory_level
            WHERE inventory_item_id = ANY(ARRAY(SELECT inventory_item_id FROM part)) AND deleted_at IS NULL
              AND location_id = ANY(ARRAY(
                SELECT stock_location_id FROM sales_channel_stock_location
                WHERE sales_channel_id = :channel AND deleted_at IS NULL))
            GROUP BY inventory_item_id) AS level) AS stock`,
      { channel: salesChannelId, ids },
    )
    return rows[0] ? assembled(rows[0]) : []
  }

  /**
   * Ids of the products that a walk has to look at, after a cursor: those in the channel, published or not, and those
   * that the connection knows. Pages stay right while products come and go.
   */
  async idsToCompare(
    connection: { id: string; sales_channel_id: string },
    after: string,
    limit: number,
    ofCompare = false,
  ): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT id FROM (
         (SELECT link.product_id AS id FROM product_sales_channel link
          WHERE link.sales_channel_id = :channel AND link.deleted_at IS NULL AND link.product_id > :after
            AND (NOT CAST(:ofCompare AS boolean) OR EXISTS (
              SELECT 1 FROM svc_catalog_import import
              WHERE import.connection_id = :connection AND import.kind = 'import'
                AND import.status = 'completed' AND import.deleted_at IS NULL))
          ORDER BY link.product_id LIMIT :limit)
         UNION
         (SELECT item.product_id FROM svc_catalog_item item
          WHERE item.connection_id = :connection AND item.deleted_at IS NULL AND item.product_id > :after
          ORDER BY item.product_id LIMIT :limit)
       ) AS page ORDER BY id LIMIT :limit`,
      { connection: connection.id, channel: connection.sales_channel_id, after, limit, ofCompare },
    )
    return rows.map((row) => row.id)
  }
}

const COLLECTION = `(
  SELECT collection.title FROM product_collection collection
  WHERE collection.id = p.collection_id AND collection.deleted_at IS NULL) AS collection_title`
const TYPE = `(
  SELECT type.value FROM product_type type WHERE type.id = p.type_id AND type.deleted_at IS NULL) AS type_value`
const CATEGORIES = `COALESCE((
  SELECT json_agg(json_build_object('id', category.id, 'name', category.name) ORDER BY category.mpath)
  FROM product_category_product link
  JOIN product_category category ON category.id = link.product_category_id
    AND category.deleted_at IS NULL AND category.is_active AND NOT category.is_internal
  WHERE link.product_id = p.id
), '[]') AS categories`
const CATEGORY_IDS = `COALESCE((
  SELECT json_agg(link.product_category_id ORDER BY link.product_category_id)
  FROM product_category_product link WHERE link.product_id = p.id
), '[]') AS category_ids`
const TAGS = `COALESCE((
  SELECT json_agg(link.product_tag_id ORDER BY link.product_tag_id)
  FROM product_tags link WHERE link.product_id = p.id
), '[]') AS tag_ids`

/** SQL: the ids that were asked for. */
const GIVEN = "ARRAY(SELECT id FROM given)"

/** Puts the lists together. Those of a product come in the order in which it shows them. */
function assembled(lists: Lists): SourceProduct[] {
  const inChannel = new Set(lists.in_channel)
  const products = (lists.products ?? []).map(
    (row): SourceProduct => ({
      ...row,
      in_channel: inChannel.has(row.id),
      images: [],
      options: [],
      variants: [],
    }),
  )
  const byId = new Map(products.map((product) => [product.id, product]))
  for (const [id, url] of lists.images ?? []) byId.get(id)?.images.push(url)
  const titles = new Map(
    lists.options?.flatMap(([id, title, deleted]) => (deleted ? [] : [[id, title] as const])),
  )
  for (const [id, optionId] of lists.option_links ?? []) {
    const title = titles.get(optionId)
    if (title !== undefined) byId.get(id)?.options.push({ id: optionId, title })
  }
  const options = optionsByVariant(lists)
  const units = unitsByVariant(lists)
  // A variant has one price set; of several links, which Medusa does not make, any is as good as the other.
  const priceSets = new Map(lists.price_sets)
  const images = new Map<string, string[]>()
  for (const [id, url] of lists.variant_images ?? [])
    images.set(id, [...(images.get(id) ?? []), url])
  for (const [productId, id, title, sku, thumbnail, rank, managed, backorder] of lists.variants ??
    []) {
    byId.get(productId)?.variants.push({
      id,
      title,
      sku,
      thumbnail,
      images: images.get(id) ?? [],
      rank,
      manage_inventory: managed,
      allow_backorder: backorder,
      price_set_id: priceSets.get(id) ?? null,
      options: options.get(id) ?? [],
      units: units.get(id) ?? null,
    })
  }
  return products
}

/** The options of each variant, in the order of their titles. */
function optionsByVariant(lists: Lists): Map<string, SourceOption[]> {
  const titles = new Map((lists.options ?? []).map(([id, title], place) => [id, { title, place }]))
  const values = new Map<string, { option: SourceOption; place: number }>()
  for (const [id, value, rank, optionId] of lists.values ?? []) {
    const known = titles.get(optionId)
    if (!known) continue
    const { title, place } = known
    values.set(id, { option: { id, value, rank, option: { id: optionId, title } }, place })
  }
  const found = new Map<string, { option: SourceOption; place: number }[]>()
  for (const [variantId, valueId] of lists.option_values ?? []) {
    const value = values.get(valueId)
    if (!value) continue
    const known = found.get(variantId)
    if (known) known.push(value)
    else found.set(variantId, [value])
  }
  return new Map(
    [...found].map(([variantId, some]) => [
      variantId,
      some.sort((a, b) => a.place - b.place).map(({ option }) => option),
    ]),
  )
}

/** How many of each variant its scarcest part allows. */
function unitsByVariant(lists: Lists): Map<string, number> {
  const stock = new Map(lists.stock)
  const units = new Map<string, number>()
  for (const [variantId, item, required] of lists.parts ?? []) {
    const enough = required > 0 ? Math.floor((stock.get(item) ?? 0) / required) : 0
    units.set(variantId, Math.min(enough, units.get(variantId) ?? enough))
  }
  return units
}
