/** What the admin's pages read in a store that has sold in shows for years, written in SQL: filled in seconds. */
import { setTimeout as pause } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"

type Admin = { connection_id: string; products: number; deliveries: number; shows: number }

/** Products of the connection's channel, as `catalog-seed.ts` names them. */
const BENCH_PRODUCT = (n: string): string => `'prod_bench_' || lpad((${n})::text, 7, '0')`

/**
 * One row and payload for each product, 91 of a hundred at the service and settled; deliveries of three months, one of a
 * hundred of them with a problem; shows that are over, whose campaigns are those of `orders-seed.ts`, one that runs with
 * thirty products and five that come with twenty.
 */
export async function seedAdmin(tables: Knex, seeded: Admin): Promise<void> {
  const { connection_id, products, deliveries, shows } = seeded
  const show = (id: string, campaign: string, name: string, status: string, times: string) =>
    `SELECT 'svcev_bench_' || ${id}, '${connection_id}', 'event-' || ${id}, 'live', ${campaign}, ${name}, ${status}, true,
       ${times}, now(), 1, md5('event' || ${id}), '[]'::jsonb, now(), '{}'::jsonb`
  const statements = [
    `INSERT INTO svc_catalog_item (id, connection_id, product_id, title, state, wanted, acknowledged, acknowledged_hash,
       reason_code, reason_message, reason_fix, last_pushed_at)
     SELECT 'svcprod_bench_' || lpad(p::text, 7, '0'), '${connection_id}', ${BENCH_PRODUCT("p")}, 'Bench product ' || p,
       CASE WHEN p % 100 < 4 THEN 'invalid' WHEN p % 100 < 7 THEN 'removed' WHEN p % 100 < 9 THEN 'failed' ELSE 'synced' END,
       1, 1, md5(p::text),
       CASE WHEN p % 100 < 4 THEN 'no_price' WHEN p % 100 < 7 THEN 'not_published' WHEN p % 100 < 9 THEN 'svc_rejected' END,
       CASE WHEN p % 100 < 9 THEN 'It is not at the service.' END, CASE WHEN p % 100 < 9 THEN 'Mend it.' END,
       now() - p * interval '20 seconds'
     FROM generate_series(1, ${products}) p
     ON CONFLICT DO NOTHING`,
    `INSERT INTO svc_catalog_payload (id, connection_id, payload)
     SELECT id, connection_id, jsonb_build_object('id', product_id, 'name', title, 'sku', id, 'price', 129,
       'url', 'https://shop.example/products/' || id, 'description', repeat('A product of the benchmark. ', 20))
     FROM svc_catalog_item WHERE connection_id = '${connection_id}'
     ON CONFLICT DO NOTHING`,
    keptDeliveries(connection_id, deliveries),
    `INSERT INTO svc_live_event (id, connection_id, event_id, kind, campaign_uid, name, status, is_published, starts_at,
       live_started_at, live_ended_at, occurred_at, rank, hash, alive_at, data)
     ${show(
       "s",
       "'campaign-' || s",
       "'Show ' || s",
       "'vod'",
       "timestamptz '2025-06-01' + s * interval '1 day', timestamptz '2025-06-01' + s * interval '1 day', timestamptz '2025-06-01' + s * interval '26 hours'",
     )} FROM generate_series(0, ${shows - 1}) s
     UNION ALL
     ${show(
       "s",
       "'campaign-' || s",
       "'Show ' || s",
       `CASE WHEN s = ${shows} THEN 'live' ELSE 'planned' END`,
       `now() + (s - ${shows}) * interval '1 day', CASE WHEN s = ${shows} THEN now() END, NULL::timestamptz`,
     )} FROM generate_series(${shows}, ${shows + 5}) s`,
    `INSERT INTO svc_event_product (id, connection_id, uid, campaign_uid, kind, sku, external_id, name, price, raw_price,
       suggested_retail_price, raw_suggested_retail_price, available, variants, occurred_at, rank, hash, alive_at, data)
     SELECT 'svcevp_bench_' || s || '_' || p, '${connection_id}', 'uid-' || s || '-' || p, 'campaign-' || s, 'live', 'sku-' || p,
       ${BENCH_PRODUCT("p")}, 'Bench product ' || p, 99, '{"value": "99", "precision": 20}',
       129, '{"value": "129", "precision": 20}', true, '[]', now(), 1, md5(s || ' ' || p), now(), '{}'
     FROM generate_series(0, ${shows + 5}) s, generate_series(1, 30) p
     WHERE s <= ${shows} OR p <= 20`,
  ]
  for (const statement of statements) await tables.raw(statement.replaceAll("?", "\\?"))
}

/** @returns SQL for so many deliveries, one each 75 seconds, of which one of fifty has a problem */
export const keptDeliveries = (connectionId: string, count: number): string =>
  `INSERT INTO svc_delivery (id, connection_id, dedup_key, topic, event_uid, delivery_uid, occurred_at, received_at,
     outcome, reason, body, body_hash, bytes, headers)
   SELECT 'svcdel_bench_' || lpad(d::text, 7, '0'), '${connectionId}', md5('key' || d),
     (ARRAY['live_event.created', 'live_event.updated', 'live_event_product.created', 'live_event_product.updated'])[1 + d % 4],
     'event-uid-' || d, 'delivery-uid-' || d, at, at,
     CASE d % 100 WHEN 0 THEN 'failed' WHEN 1 THEN 'quarantined' WHEN 2 THEN 'duplicate' WHEN 3 THEN 'stale' ELSE 'applied' END,
     CASE WHEN d % 100 < 2 THEN jsonb_build_object('code', 'given_up', 'message', 'It could not be applied for a day.', 'fix', 'Nothing to do.') END,
     '{"data":{"event":{"id":"event-' || d || '"}},"filler":"' || repeat('x', 800) || '"}', md5('body' || d), 900,
     '{"x-svc-topic":"live_event.updated"}'
   FROM generate_series(1, ${count}) d, LATERAL (SELECT now() - d * interval '75 seconds' AS at) times`

/** Tables as autovacuum keeps them in a store that runs for long: what was written is known to be visible to everybody. */
export async function tidy(tables: Knex): Promise<void> {
  for (;;) {
    await tables.raw("VACUUM ANALYZE")
    const { rows } = await tables.raw<{ rows: { tidy: boolean }[] }>(
      "SELECT relallvisible > 0.99 * relpages AS tidy FROM pg_class WHERE relname = 'svc_delivery'",
    )
    // A transaction that began before the rows were there keeps them from it until it ends.
    if (rows[0]?.tidy) return
    await pause(1_000)
  }
}
