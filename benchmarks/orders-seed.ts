/** Orders of shows with their ledger, written in SQL: through carts and payments a hundred thousand take hours. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"

type SeededOrders = {
  orders: number
  connection_id: string
  region_id: string
  sales_channel_id: string
}

/** So many orders, one after the other, belong to a show; the next ones to the next show, a day later. */
const ORDERS_OF_A_SHOW = 500

/** Orders of shows with two lines and shipping each, of which a seventh lost a piece. */
export async function seedOrders(
  tables: Knex,
  { orders, connection_id, region_id, sales_channel_id }: SeededOrders,
): Promise<void> {
  const raw = (amount: string) => `jsonb_build_object('value', (${amount})::text, 'precision', 20)`
  const order = `'order_bench_' || lpad(o::text, 7, '0')`
  const placed = `timestamptz '2025-06-01' + (o / ${ORDERS_OF_A_SHOW}) * interval '1 day' + (o % ${ORDERS_OF_A_SHOW}) * interval '20 seconds'`
  const campaign = `'campaign-' || (o / ${ORDERS_OF_A_SHOW})`
  const entry = (
    suffix: string,
    kind: string,
    campaignOf: string,
    quantity: string,
    amount: string,
    at: string,
    where: string,
  ) => `
    INSERT INTO svc_ledger_entry (id, order_id, source, kind, line_item_id, variant_id, product_id, connection_id,
      campaign_uid, quantity, raw_quantity, amount, raw_amount, tax, raw_tax, discount, raw_discount,
      currency_code, occurred_at)
    SELECT 'svcled_' || md5(o::text || '${suffix}'), ${order}, 'v1:${suffix}', '${kind}', 'ordli_' || o || '_${suffix}',
      'variant_' || (o % 100), 'prod_' || ((o * 7) % 40), CASE WHEN ${campaignOf} IS NULL THEN NULL ELSE '${connection_id}' END,
      ${campaignOf}, ${quantity}, ${raw(quantity)}, ${amount}, ${raw(amount)}, (${amount}) * 0.2, ${raw(`(${amount}) * 0.2`)},
      0, ${raw("0")}, 'dkk', ${at}
    FROM generate_series(1, ${orders}) o ${where}`
  const statements = [
    // The store's own orders: the search reads them as well.
    `INSERT INTO "order" (id, region_id, sales_channel_id, email, currency_code, version, status, created_at)
     SELECT ${order}, '${region_id}', '${sales_channel_id}', 'shopper-' || o || '@example.test', 'dkk', 1,
       'pending', ${placed}
     FROM generate_series(1, ${orders}) o`,
    `INSERT INTO svc_show_order (id, order_id, currency_code, display_id, placed_at, version, dirty)
     SELECT 'svcord_' || o, ${order}, 'dkk', o, ${placed}, 1, false FROM generate_series(1, ${orders}) o`,
    `INSERT INTO svc_attribution (id, order_id, display_id, connection_id, page, campaign_uid, svc_order_no, state,
       currency_code, placed_at, reported_at)
     SELECT 'svcatt_' || o, ${order}, o, '${connection_id}', '', ${campaign}, 'BENCH-' || o, 'reported', 'dkk',
       ${placed}, ${placed} FROM generate_series(1, ${orders}) o`,
    entry("one", "sale", campaign, "1", "129 + o % 100", placed, ""),
    entry("two", "sale", campaign, "1", "129", placed, ""),
    entry("ship", "shipping", "NULL::text", "0", "39", placed, ""),
    entry(
      "back",
      "return",
      campaign,
      "-1",
      "-129",
      `${placed} + interval '9 days'`,
      "WHERE o % 7 = 0",
    ),
  ]
  for (const statement of statements) await tables.raw(statement.replaceAll("?", "\\?"))
  for (const table of ["ledger_entry", "attribution", "show_order"]) {
    await tables.raw(`VACUUM ANALYZE svc_${table}`)
  }
  await tables.raw('VACUUM ANALYZE "order"')
}
