import type { Knex } from "@medusajs/framework/mikro-orm/knex"

const FOR_SALE = `
  FROM product
  JOIN product_sales_channel link ON link.product_id = product.id AND link.deleted_at IS NULL
  WHERE link.sales_channel_id = :channel AND product.deleted_at IS NULL AND product.status = 'published'`

/** SQL: how many products are for sale in the sales channel `:channel`. */
export const COUNT_FOR_SALE = `SELECT count(*)::int ${FOR_SALE}`

/** SQL: how many products for sale the cursor of a row `import` of `svc_catalog_import` has not reached. */
export const COUNT_BEYOND_CURSOR = `
  SELECT count(*)::int FROM product
  JOIN product_sales_channel link ON link.product_id = product.id AND link.deleted_at IS NULL
  JOIN svc_connection connection ON connection.sales_channel_id = link.sales_channel_id
  WHERE connection.id = import.connection_id AND product.deleted_at IS NULL
    AND product.status = 'published' AND product.id > COALESCE(import.cursor, '')`

/** A product of the store as one page of the catalog worker needs it. Quantities are decimal strings. */
export type SourceProduct = {
  id: string
  title: string
  handle: string | null
  thumbnail: string | null
  status: string
  deleted: boolean
  in_channel: boolean
  images: string[]
  option_titles: string[]
  variants: SourceVariant[]
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
  options: { title: string; value: string; rank: number | null }[]
  parts: { required: string; available: string }[]
}

/**
 * Reads products with everything that a payload takes except the price, in one statement.
 *
 * Not `query.graph`: it takes 4 s for 1,000 products whose variants share a global option, because the ORM reads
 * every variant of the store that has the same value; and reading a page with stock is most of what the worker does.
 * Prices are calculated by Medusa's pricing module: its rules and price lists must not be written a second time.
 *
 * All joins are by indexed foreign keys: the plan is one nested loop per product of the page.
 */
export class StoreProducts {
  constructor(private readonly knex: Knex) {}

  /** Deleted products are returned as such, unknown ids not at all. */
  async read(ids: string[], salesChannelId: string): Promise<SourceProduct[]> {
    if (ids.length === 0) return []
    const { rows } = await this.knex.raw<{ rows: SourceProduct[] }>(
      `SELECT p.id, p.title, p.handle, p.thumbnail, p.status,
         p.deleted_at IS NOT NULL AS deleted,
         EXISTS (
           SELECT 1 FROM product_sales_channel link
           WHERE link.product_id = p.id AND link.sales_channel_id = :channel AND link.deleted_at IS NULL
         ) AS in_channel,
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
               SELECT json_agg(json_build_object('title', o.title, 'value', ov.value, 'rank', ov.rank) ORDER BY o.title)
               FROM product_variant_option link
               JOIN product_option_value ov ON ov.id = link.option_value_id AND ov.deleted_at IS NULL
               JOIN product_option o ON o.id = ov.option_id
               WHERE link.variant_id = v.id
             ), '[]'::json),
             'parts', COALESCE((
               SELECT json_agg(json_build_object(
                 'required', part.required_quantity::text,
                 'available', COALESCE((
                   SELECT sum(level.stocked_quantity - level.reserved_quantity)
                   FROM inventory_level level
                   JOIN sales_channel_stock_location place
                     ON place.stock_location_id = level.location_id
                     AND place.sales_channel_id = :channel AND place.deleted_at IS NULL
                   WHERE level.inventory_item_id = part.inventory_item_id AND level.deleted_at IS NULL
                 ), 0)::text
               ) ORDER BY part.inventory_item_id)
               FROM product_variant_inventory_item part
               WHERE part.variant_id = v.id AND part.deleted_at IS NULL
             ), '[]'::json)
           ) ORDER BY v.variant_rank, v.id)
           FROM product_variant v WHERE v.product_id = p.id AND v.deleted_at IS NULL
         ), '[]') AS variants
       FROM product p WHERE p.id = ANY(:ids)`,
      { channel: salesChannelId, ids },
    )
    return rows
  }

  /**
   * Ids of the products for sale in a channel, after a cursor: products that are created or deleted meanwhile shift
   * no page.
   */
  async idsForSale(salesChannelId: string, after: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT product.id ${FOR_SALE} AND product.id > :after ORDER BY product.id LIMIT :limit`,
      { channel: salesChannelId, after, limit },
    )
    return rows.map((row) => row.id)
  }
}
