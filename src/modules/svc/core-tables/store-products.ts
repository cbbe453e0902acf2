import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** SQL: how many products are for sale in the sales channel `:channel`. */
export const COUNT_FOR_SALE = `SELECT count(*)::int
  FROM product
  JOIN product_sales_channel link ON link.product_id = product.id AND link.deleted_at IS NULL
  WHERE link.sales_channel_id = :channel AND product.deleted_at IS NULL AND product.status = 'published'`

/** A product of the store as one page of the catalog worker needs it. */
export type SourceProduct = {
  id: string
  title: string
  handle: string | null
  thumbnail: string | null
  status: string
  deleted: boolean
  in_channel: boolean
  type_id: string | null
  collection_id: string | null
  images: string[]
  option_titles: string[]
  variants: SourceVariant[]
  /** Only where somebody needs it (`ProductNeeds`). */
  description: string | null
  metadata: Record<string, unknown> | null
  collection_title: string | null
  type_value: string | null
  categories: { id: string; name: string }[]
  tag_ids: string[]
}

export type SourceVariant = {
  id: string
  title: string
  sku: string | null
  thumbnail: string | null
  rank: number
  manage_inventory: boolean
  allow_backorder: boolean
  price_set_id: string | null
  options: SourceOption[]
  /** How many can be sold: what the scarcest part allows, over the channel's locations; null without parts. */
  units: number | null
}

export type SourceOption = {
  title: string
  value: string
  rank: number | null
  option_id: string
  value_id: string
}

/** What is read of a product beyond what every payload takes. */
export type SourceNeeds = {
  texts: boolean
  metadata: boolean
  categories: boolean
  tags: boolean
  groups: boolean
}

/**
 * Reads products with everything that a payload takes but prices, in one statement.
 *
 * Not `query.graph`: it takes 4 s for 1,000 products whose variants share a global option (the ORM walks every
 * variant of the store that has the same value), and a page with stock is the worker's whole cost.
 *
 * All joins are by indexed foreign keys: the plan is one nested loop per product of the page.
 */
export class StoreProducts {
  constructor(private readonly knex: Knex) {}

  /** Deleted products are returned as such, unknown ids not at all. */
  async read(ids: string[], salesChannelId: string, needs: SourceNeeds): Promise<SourceProduct[]> {
    if (ids.length === 0) return []
    const { rows } = await this.knex.raw<{ rows: SourceProduct[] }>(
      `SELECT p.id, p.title, p.handle, p.thumbnail, p.status, p.type_id, p.collection_id,
         p.deleted_at IS NOT NULL AS deleted,
         EXISTS (
           SELECT 1 FROM product_sales_channel link
           WHERE link.product_id = p.id AND link.sales_channel_id = :channel AND link.deleted_at IS NULL
         ) AS in_channel,
         ${needs.texts ? "p.description" : "NULL AS description"},
         ${needs.metadata ? "p.metadata" : "NULL AS metadata"},
         ${needs.groups ? COLLECTION : "NULL AS collection_title"},
         ${needs.groups ? TYPE : "NULL AS type_value"},
         ${needs.categories ? CATEGORIES : "'[]'::json AS categories"},
         ${needs.tags ? TAGS : "'[]'::json AS tag_ids"},
         COALESCE((
           SELECT json_agg(image.url ORDER BY image.rank, image.id)
           FROM image WHERE image.product_id = p.id AND image.deleted_at IS NULL
         ), '[]') AS images,
         COALESCE((
           SELECT json_agg(o.title ORDER BY link.created_at, link.id)
           FROM product_product_option link
           JOIN product_option o ON o.id = link.product_option_id AND o.deleted_at IS NULL
           WHERE link.product_id = p.id AND link.deleted_at IS NULL
         ), '[]') AS option_titles,
         COALESCE((
           SELECT json_agg(json_build_object(
             'id', v.id, 'title', v.title, 'sku', v.sku, 'thumbnail', v.thumbnail,
             'rank', COALESCE(v.variant_rank, 0),
             'manage_inventory', v.manage_inventory, 'allow_backorder', v.allow_backorder,
             'price_set_id', (
               SELECT link.price_set_id FROM product_variant_price_set link
               WHERE link.variant_id = v.id AND link.deleted_at IS NULL LIMIT 1
             ),
             'options', COALESCE((
               SELECT json_agg(json_build_object(
                 'title', o.title, 'value', ov.value, 'rank', ov.rank, 'option_id', o.id, 'value_id', ov.id
               ) ORDER BY o.title)
               FROM product_variant_option link
               JOIN product_option_value ov ON ov.id = link.option_value_id AND ov.deleted_at IS NULL
               JOIN product_option o ON o.id = ov.option_id
               WHERE link.variant_id = v.id
             ), '[]'::json),
             'units', (
               SELECT min(CASE WHEN part.required_quantity > 0 THEN floor(COALESCE((
                   SELECT sum(level.stocked_quantity - level.reserved_quantity)
                   FROM inventory_level level
                   JOIN sales_channel_stock_location place
                     ON place.stock_location_id = level.location_id
                     AND place.sales_channel_id = :channel AND place.deleted_at IS NULL
                   WHERE level.inventory_item_id = part.inventory_item_id AND level.deleted_at IS NULL
                 ), 0) / part.required_quantity) ELSE 0 END)
               FROM product_variant_inventory_item part
               WHERE part.variant_id = v.id AND part.deleted_at IS NULL
             )
           ) ORDER BY v.variant_rank, v.id)
           FROM product_variant v WHERE v.product_id = p.id AND v.deleted_at IS NULL
         ), '[]') AS variants
       FROM product p WHERE p.id = ANY(:ids)`,
      { channel: salesChannelId, ids },
    )
    return rows
  }

  /**
   * Ids of the products that a walk has to look at, after a cursor: those in the channel, published or not, and those
   * that the connection knows. Pages stay right while products come and go.
   */
  async idsToCompare(
    connection: { id: string; sales_channel_id: string },
    after: string,
    limit: number,
  ): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT id FROM (
         (SELECT link.product_id AS id FROM product_sales_channel link
          WHERE link.sales_channel_id = :channel AND link.deleted_at IS NULL AND link.product_id > :after
          ORDER BY link.product_id LIMIT :limit)
         UNION
         (SELECT item.product_id FROM svc_catalog_item item
          WHERE item.connection_id = :connection AND item.deleted_at IS NULL AND item.product_id > :after
          ORDER BY item.product_id LIMIT :limit)
       ) AS page ORDER BY id LIMIT :limit`,
      { connection: connection.id, channel: connection.sales_channel_id, after, limit },
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
const TAGS = `COALESCE((
  SELECT json_agg(link.product_tag_id ORDER BY link.product_tag_id)
  FROM product_tags link WHERE link.product_id = p.id
), '[]') AS tag_ids`
