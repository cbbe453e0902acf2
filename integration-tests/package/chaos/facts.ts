/** What the store and the service say, as the invariants judge it. */

import { KEEP_DELIVERIES } from "../../../sandbox/webhooks/dispatcher"
import {
  catalogProblems,
  growthProblems,
  type LeaseSample,
  leaseProblems,
  ledgerProblems,
  type OrderFacts,
  type ProductFacts,
  priceProblems,
  projectionProblems,
  type ReportFacts,
  reportProblems,
  type ShowRecord,
} from "./invariants"
import type { Load } from "./load"
import type { ChaosShop } from "./shop"

type Shop = Pick<ChaosShop, "admin" | "sandbox" | "market" | "query">

/** Rows that a worker still has to do, by table; without those that wait for a payment. */
export async function workLeft({ query }: Shop): Promise<Record<string, number>> {
  const [row] = await query<Record<string, string>>(`SELECT
    (SELECT count(*) FROM svc_catalog_item WHERE wanted > acknowledged AND deleted_at IS NULL) AS products,
    (SELECT count(*) FROM svc_catalog_import WHERE status = 'running') AS imports,
    (SELECT count(*) FROM svc_attribution WHERE state = 'waiting'
       AND coalesce(reason_code, '') <> 'payment_not_authorised') AS reports,
    (SELECT count(*) FROM svc_show_order WHERE dirty) AS ledgers,
    (SELECT count(*) FROM svc_delivery WHERE outcome = 'received') AS deliveries,
    (SELECT count(*) FROM svc_event_product WHERE needs_lookup
       AND (deleted_in_svc_at IS NULL OR needs_reread)) AS lookups,
    (SELECT count(*) FROM svc_connection_work WHERE kind = 'listings' AND wanted > acknowledged
       AND coalesce(next_attempt_at, now()) <= now()) AS listings`)
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, rows]) => [name, Number(rows)]))
}

/** Everything that must hold at the end; sentences for what does not. */
export async function problemsOf(shop: Shop, pricesOf: Load["pricesOf"]): Promise<string[]> {
  const orders = await readOrders(shop, pricesOf)
  return [
    ...catalogProblems(await readProducts(shop)),
    ...reportProblems(orders, await readReports(shop)),
    ...ledgerProblems(orders),
    ...priceProblems(orders),
    ...projectionProblems(...(await readShows(shop))),
    ...leaseProblems(await readLeases(shop)),
    ...growthProblems(await readGrowth(shop)),
  ]
}

async function readProducts({ admin, sandbox, market, query }: Shop): Promise<ProductFacts[]> {
  const { products } = await sandbox.control<{
    products: { product: Record<string, unknown> & { id: string } }[]
  }>(`/products?page_uid=${market.pageUid}&limit=1000`)
  const received = new Map(products.map(({ product }) => [product.id, product]))
  const rows = await query<{ id: string; product_id: string }>(
    "SELECT id, product_id FROM svc_catalog_item WHERE deleted_at IS NULL ORDER BY id",
  )
  const facts: ProductFacts[] = []
  for (const { id, product_id } of rows) {
    const { product } = await admin.get<{
      product: Pick<ProductFacts, "title" | "state" | "payload">
    }>(`/admin/svc/products/${id}`)
    facts.push({ ...product, received: received.get(product_id) })
  }
  return facts
}

const SHOW_ORDERS = `
  SELECT o.id, o.canceled_at IS NOT NULL AS is_cancelled,
    EXISTS (SELECT 1 FROM payment JOIN order_payment_collection paid
      ON paid.payment_collection_id = payment.payment_collection_id AND paid.deleted_at IS NULL
      WHERE paid.order_id = o.id AND payment.canceled_at IS NULL AND payment.deleted_at IS NULL) AS is_paid,
    (SELECT json_agg(json_build_object('id', line.id, 'product', line.product_id,
        'campaign', line.metadata->>'svc_campaign_uid',
        'price', coalesce(item.unit_price, line.unit_price), 'proven', sold.proven_price))
      FROM order_item item JOIN order_line_item line ON line.id = item.item_id
      LEFT JOIN svc_show_order_line sold ON sold.line_item_id = line.id
      WHERE item.order_id = o.id AND item.version = o.version AND item.deleted_at IS NULL
        AND line.metadata->>'svc_campaign_uid' IS NOT NULL) AS lines,
    coalesce((SELECT json_agg(json_build_object('orderNo', svc_order_no, 'state', state, 'reason', reason_code,
        'accepted', (SELECT count(*) FROM svc_report_attempt tried
          WHERE tried.attribution_id = known.id AND tried.outcome = 'accepted')))
      FROM svc_attribution known WHERE known.order_id = o.id AND known.deleted_at IS NULL), '[]') AS attributions,
    coalesce((SELECT sum(amount) FROM svc_ledger_entry WHERE order_id = o.id AND deleted_at IS NULL), 0)::float8 AS ledger
  FROM "order" o WHERE o.deleted_at IS NULL`

type OrderRow = {
  id: string
  is_cancelled: boolean
  is_paid: boolean
  lines:
    | { id: string; product: string; campaign: string; price: number; proven: number | null }[]
    | null
  attributions: OrderFacts["attributions"]
  ledger: number
}

async function readOrders(
  { admin, query }: Shop,
  pricesOf: Load["pricesOf"],
): Promise<OrderFacts[]> {
  const rows = await query<OrderRow>(SHOW_ORDERS)
  const totals = new Map<string, number>()
  for (let offset = 0; ; offset += 100) {
    const { orders } = await admin.get<{ orders: { id: string; total: number }[] }>(
      `/admin/orders?fields=id,total&order=id&limit=100&offset=${offset}`,
    )
    for (const { id, total } of orders) totals.set(id, total)
    if (orders.length < 100) break
  }
  return rows.map(({ id, is_cancelled, is_paid, lines, attributions, ledger }) => ({
    orderId: id,
    isPaid: is_paid,
    isCancelled: is_cancelled,
    attributions,
    ledger,
    total: totals.get(id) ?? Number.NaN,
    lines: (lines ?? []).map(({ id: lineId, product, campaign, price, proven }) => ({
      id: lineId,
      unitPrice: price,
      proven,
      known: pricesOf(campaign, product),
    })),
  }))
}

async function readReports({ sandbox, query }: Shop): Promise<ReportFacts> {
  const { orders } = await sandbox.control<{
    orders: { order_no: string; reports: number; converted_at: number | null }[]
  }>("/orders")
  const { entries } = await sandbox.control<{
    entries: { request: { headers: Record<string, string>; body: string } }[]
  }>("/journal?q=endpoint:process_orders&limit=20000")
  const keys = new Map<string, Set<string>>()
  for (const { request } of entries) {
    const orderNo = String(JSON.parse(request.body || "{}").svcOrderNumber)
    const known = keys.get(orderNo) ?? new Set()
    keys.set(orderNo, known.add(request.headers["idempotency-key"] ?? "none"))
  }
  const attempts = await query<{ svc_order_no: string; count: string }>(
    `SELECT sale.svc_order_no, count(*) FROM svc_report_attempt tried
     JOIN svc_attribution sale ON sale.id = tried.attribution_id GROUP BY 1`,
  )
  return {
    reports: new Map(
      orders.map(({ order_no, reports, converted_at }) => [
        order_no,
        {
          calls: reports,
          converted: converted_at !== null,
          keys: [...(keys.get(order_no) ?? [])],
        },
      ]),
    ),
    attempts: new Map(attempts.map(({ svc_order_no, count }) => [svc_order_no, Number(count)])),
  }
}

/** Ours, and theirs. */
async function readShows({ sandbox, market, query }: Shop): Promise<[ShowRecord[], ShowRecord[]]> {
  const ours: ShowRecord[] = []
  const theirs: ShowRecord[] = []
  const { events } = await sandbox.control<{
    events: {
      id: string
      campaign_uid: string
      status: string
      deleted_at: number | null
      data: { event: { eventName: string } }
    }[]
  }>(`/events?page_uid=${market.pageUid}&deleted=true&limit=10000`)
  for (const { id, status, deleted_at, data } of events) {
    if (deleted_at !== null) {
      theirs.push({ id, says: { deleted: true } })
      continue
    }
    theirs.push({ id, says: { deleted: false, status, name: data.event.eventName } })
    const { products } = await sandbox.control<{
      products: { uid: string; campaign_uid: string; data: { price: number; available: boolean } }[]
    }>(`/events/${id}`)
    for (const { uid, campaign_uid, data: product } of products) {
      const { price, available } = product
      theirs.push({ id: `${campaign_uid} ${uid}`, says: { price, available } })
    }
  }
  const rows = await query<{ event_id: string; status: string; name: string; deleted: boolean }>(
    "SELECT event_id, status, name, deleted_in_svc_at IS NOT NULL AS deleted FROM svc_live_event WHERE deleted_at IS NULL",
  )
  for (const { event_id: id, status, name, deleted } of rows) {
    ours.push({ id, says: deleted ? { deleted } : { deleted, status, name } })
  }
  const products = await query<{
    id: string
    price: number
    available: boolean
    undecided: boolean
  }>(
    `SELECT campaign_uid || ' ' || uid AS id, price::float8 AS price, available,
       needs_reread AND (campaign_uid IN (SELECT campaign_uid FROM svc_live_event WHERE status = 'cancelled')) AS undecided
     FROM svc_event_product WHERE deleted_at IS NULL AND deleted_in_svc_at IS NULL`,
  )
  for (const { id, price, available } of products) ours.push({ id, says: { price, available } })
  const undecided = new Set(products.flatMap((product) => (product.undecided ? product.id : [])))
  return [withoutPrices(ours, undecided), withoutPrices(theirs, undecided)]
}

/**
 * Of two changes that bear one time nobody can tell which came last (gap 3), and the service has no price for what a cancelled
 * show sold: the product stays marked as undecided.
 */
const withoutPrices = (records: ShowRecord[], undecided: ReadonlySet<string>): ShowRecord[] =>
  records.map((record) => {
    if (!undecided.has(record.id)) return record
    const { price: _undecided, ...says } = record.says
    return { ...record, says }
  })

const LEASED = ["svc_catalog_item", "svc_catalog_import", "svc_attribution", "svc_connection_work"]

const readLeases = ({ query }: Shop): Promise<{ table: string; rows: number }[]> =>
  query(
    LEASED.map(
      (table) =>
        `SELECT '${table}' AS table, count(*)::int AS rows FROM ${table}
         WHERE lease_token IS NOT NULL AND lease_until > now()`,
    ).join(" UNION ALL "),
  )

/** Who holds leases now: the beginning of a token is its process. */
export async function sampleLeases({ query }: Pick<Shop, "query">): Promise<LeaseSample> {
  const rows = await query<{ holder: string; rows: number; until: number }>(
    `SELECT holder, sum(rows)::int AS rows, max(until)::float8 AS until FROM (${LEASED.map(
      (table) =>
        `SELECT split_part(lease_token, ':', 1) AS holder, count(*) AS rows,
           max(extract(epoch FROM lease_until) * 1000) AS until
         FROM ${table} WHERE lease_token IS NOT NULL GROUP BY 1`,
    ).join(" UNION ALL ")}) held GROUP BY 1`,
  )
  const holders = rows.map(({ holder, ...held }) => [holder, held] as const)
  return { at: Date.now(), holders: Object.fromEntries(holders) }
}

/** What each table may hold, from what was done. */
async function readGrowth({ sandbox, query }: Shop) {
  const counted = async (path: string) => (await sandbox.control<{ count: number }>(path)).count
  const [kept, events] = [
    await counted("/deliveries?limit=1"),
    await counted("/events?deleted=true"),
  ]
  // The sandbox forgets older ones: after a long run nobody knows how many there were.
  const deliveries = kept < KEEP_DELIVERIES ? kept : Number.POSITIVE_INFINITY
  const [store] = await query<{ products: number; lines: number; attributions: number }>(
    `SELECT (SELECT count(*) FROM product)::int AS products,
       (SELECT count(*) FROM cart_line_item)::int AS lines,
       (SELECT count(*) FROM svc_attribution)::int AS attributions`,
  )
  const { products, lines, attributions } = store ?? { products: 0, lines: 0, attributions: 0 }
  const most: Record<string, number> = {
    svc_catalog_item: products,
    svc_catalog_payload: products,
    svc_catalog_pace: 1,
    svc_webhook: 1,
    svc_connection_work: 3,
    svc_cursor: 20,
    svc_delivery: deliveries,
    svc_live_event: events,
    svc_event_product: deliveries,
    // A reason for which requests were refused, each with its last few in one row.
    svc_refused_delivery: 20,
    svc_line_price: lines,
    svc_show_order_line: lines,
    svc_attribution: lines,
    // An attempt is made again after a pause that grows.
    svc_report_attempt: attributions * 20,
  }
  const rows = await query<{ table: string; rows: number }>(
    Object.keys(most)
      .map((table) => `SELECT '${table}' AS table, count(*)::int AS rows FROM ${table}`)
      .join(" UNION ALL "),
  )
  return rows.map(({ table, rows: count }) => ({ table, rows: count, atMost: most[table] ?? 0 }))
}
