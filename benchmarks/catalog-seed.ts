/**
 * A store's catalog for benchmarks, written in SQL: through Medusa's workflows ten thousand products take
 * minutes, and it is not the store's writing that is measured.
 */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"

export const VARIANTS = 3

export type SeededMarket = { sales_channel_id: string; region_id: string }

/** Products with three variants, a price and a price list's price each, and stock, in one sales channel. */
export async function seedCatalog(
  knex: Knex,
  products: number,
  prefix: string,
): Promise<SeededMarket> {
  const id = (kind: string) => `${kind}_${prefix}`
  const product = `'prod_${prefix}_' || lpad(p::text, 7, '0')`
  const variant = `'variant_${prefix}_' || lpad(p::text, 7, '0') || '_' || v`
  const each = (select: string) =>
    `SELECT ${select} FROM generate_series(1, ${products}) p, generate_series(1, ${VARIANTS}) v`
  const raw = (amount: string) => `jsonb_build_object('value', (${amount})::text, 'precision', 20)`
  const statements = [
    `INSERT INTO sales_channel (id, name) VALUES ('${id("sc")}', 'Bench ${prefix}')`,
    `INSERT INTO stock_location (id, name) VALUES ('${id("sloc")}', 'Bench ${prefix}')`,
    `INSERT INTO region (id, name, currency_code) VALUES ('${id("reg")}', 'Bench ${prefix}', 'dkk')`,
    `INSERT INTO sales_channel_stock_location (id, sales_channel_id, stock_location_id)
       VALUES ('${id("scloc")}', '${id("sc")}', '${id("sloc")}')`,
    `INSERT INTO product_option (id, title, is_exclusive) VALUES ('${id("opt")}', 'Size', true)`,
    `INSERT INTO product_option_value (id, value, option_id, rank)
       SELECT '${id("optval")}_' || v, (ARRAY['S','M','L'])[v], '${id("opt")}', v
       FROM generate_series(1, ${VARIANTS}) v`,
    `INSERT INTO product (id, title, handle, status, thumbnail)
       SELECT ${product}, 'Bench product ' || p, '${prefix}-product-' || p, 'published',
              'https://shop.example/images/' || p || '.jpg'
       FROM generate_series(1, ${products}) p`,
    `INSERT INTO image (id, url, rank, product_id)
       SELECT 'img_${prefix}_' || p || '_' || i, 'https://shop.example/images/' || p || '-' || i || '.jpg', i, ${product}
       FROM generate_series(1, ${products}) p, generate_series(1, 2) i`,
    `INSERT INTO product_product_option (id, product_id, product_option_id)
       SELECT 'prodopt_${prefix}_' || p, ${product}, '${id("opt")}' FROM generate_series(1, ${products}) p`,
    `INSERT INTO product_sales_channel (id, product_id, sales_channel_id)
       SELECT 'prodsc_${prefix}_' || p, ${product}, '${id("sc")}' FROM generate_series(1, ${products}) p`,
    `INSERT INTO product_variant (id, title, sku, product_id, variant_rank)
       ${each(`${variant}, (ARRAY['S','M','L'])[v], '${prefix}-' || p || '-' || v, ${product}, v`)}`,
    `INSERT INTO product_variant_option (variant_id, option_value_id)
       ${each(`${variant}, '${id("optval")}_' || v`)}`,
    `INSERT INTO price_set (id) ${each(`'pset_${prefix}_' || p || '_' || v`)}`,
    `INSERT INTO product_variant_price_set (id, variant_id, price_set_id)
       ${each(`'pvps_${prefix}_' || p || '_' || v, ${variant}, 'pset_${prefix}_' || p || '_' || v`)}`,
    `INSERT INTO price (id, price_set_id, currency_code, amount, raw_amount)
       ${each(
         `'price_${prefix}_' || p || '_' || v, 'pset_${prefix}_' || p || '_' || v, 'dkk', 100 + p % 900, ${raw("100 + p % 900")}`,
       )}`,
    `INSERT INTO price_list (id, title, description, status, type)
       VALUES ('${id("plist")}', 'Bench sale', 'A tenth of the catalog', 'active', 'sale')`,
    `INSERT INTO price (id, price_set_id, currency_code, amount, raw_amount, price_list_id)
       ${each(
         `'price_${prefix}_' || p || '_' || v || '_sale', 'pset_${prefix}_' || p || '_' || v, 'dkk', 49.95, ${raw("49.95")}, '${id("plist")}'`,
       )} WHERE p % 10 = 0`,
    `INSERT INTO inventory_item (id, sku) ${each(`'iitem_${prefix}_' || p || '_' || v, '${prefix}-' || p || '-' || v`)}`,
    `INSERT INTO inventory_level
       (id, inventory_item_id, location_id, stocked_quantity, raw_stocked_quantity, reserved_quantity, raw_reserved_quantity)
       ${each(
         `'ilev_${prefix}_' || p || '_' || v, 'iitem_${prefix}_' || p || '_' || v, '${id("sloc")}', p % 50, ${raw("p % 50")}, 0, ${raw("0")}`,
       )}`,
    `INSERT INTO product_variant_inventory_item (id, variant_id, inventory_item_id, required_quantity)
       ${each(`'pvitem_${prefix}_' || p || '_' || v, ${variant}, 'iitem_${prefix}_' || p || '_' || v, 1`)}`,
  ]
  for (const statement of statements) await knex.raw(statement)
  // Without statistics the planner reads whole tables for the first page.
  await knex.raw("ANALYZE")
  return { sales_channel_id: id("sc"), region_id: id("reg") }
}
