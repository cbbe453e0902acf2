/**
 * Has Postgres explain the catalog's statements on a large catalog with five connections, and names those that read a large
 * table from its beginning to its end. The statements are run by the classes that hold them, so none can be forgotten
 * that one of these calls makes.
 */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { CatalogItemRows } from "../src/modules/svc/catalog/item-rows"
import { CatalogPaceRows } from "../src/modules/svc/catalog/pace-rows"
import { CatalogWalkRows } from "../src/modules/svc/catalog/walk-rows"
import { ConnectionRows } from "../src/modules/svc/connections/connection-rows"
import { CatalogMarks } from "../src/modules/svc/core-tables/catalog-marks"
import { MarketChanges } from "../src/modules/svc/core-tables/market-changes"
import type { ChangeKind } from "../src/modules/svc/core-tables/product-changes"
import { StoreMarkets } from "../src/modules/svc/core-tables/store-markets"
import { StoreProducts } from "../src/modules/svc/core-tables/store-products"
import { Holds } from "../src/modules/svc/shared/holds"
import { LANE } from "../src/modules/svc/shared/lanes"
import type { SeededMarket } from "./catalog-seed"

const CONNECTIONS = 5
/** Rows of a table that may as well be read whole. */
const SMALL = 5_000
const PAGE = 500
const STATEMENT = /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)/
const LEASE = { limit: PAGE, leaseMs: 30_000, token: "bench" }

type Plan = {
  "Node Type": string
  "Relation Name"?: string
  Plans?: Plan[]
}
export type Explained = {
  statements: number
  scans: string[]
  /** Of statements that a person's click makes once: they may count or search what there is. */
  scansForPeople: string[]
}

/** Adds connections that know every product of the channel, as after an import. */
async function connect(knex: Knex, market: SeededMarket): Promise<string[]> {
  const ids = Array.from({ length: CONNECTIONS }, (_, n) => `svccon_plan_${n}`)
  for (const id of ids) {
    await knex.raw(
      `INSERT INTO svc_connection (id, name, page_uid, base_url, sales_channel_id, region_id, storefront_url)
       VALUES (:id, :id, :id, 'http://127.0.0.1:1', :channel, :region, 'https://shop.example')`,
      { id, channel: market.sales_channel_id, region: market.region_id },
    )
    await knex.raw(
      `INSERT INTO svc_catalog_item
         (id, connection_id, product_id, title, state, wanted, acknowledged, acknowledged_hash, lane, read_at, last_pushed_at)
       SELECT 'item_' || :id || product.id, :id, product.id, product.title, 'synced', 1, 1, md5(product.id), 2, now(), now()
       FROM product JOIN product_sales_channel link ON link.product_id = product.id
       WHERE link.sales_channel_id = :channel`,
      { id, channel: market.sales_channel_id },
    )
    await knex.raw(
      `INSERT INTO svc_catalog_payload (id, connection_id, payload)
       SELECT id, connection_id, '{"type":"simple"}' FROM svc_catalog_item WHERE connection_id = :id`,
      { id },
    )
    await new CatalogPaceRows(knex, { callsPerSecond: 5, batchSize: 100 }).take(id)
  }
  await knex.raw("ANALYZE")
  return ids
}

/** Every table that a plan reads from its beginning to its end. */
const scannedBy = (plan: Plan): string[] => [
  ...(plan["Node Type"] === "Seq Scan" ? [plan["Relation Name"] ?? ""] : []),
  ...(plan.Plans ?? []).flatMap(scannedBy),
]

export async function explainStatements(knex: Knex, market: SeededMarket): Promise<Explained> {
  const connections = await connect(knex, market)
  const [first = ""] = connections
  const { rows: large } = await knex.raw<{ rows: { relname: string }[] }>(
    "SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > ?",
    [SMALL],
  )
  const isLarge = new Set(large.map(({ relname }) => relname))
  const seen = new Set<string>()
  const scans: string[] = []
  const scansForPeople: string[] = []
  let isForPeople = false

  async function run(target: Knex, sql: string, bindings: Knex.RawBinding[]) {
    if (!seen.has(sql)) {
      seen.add(sql)
      const { rows } = await target.raw<{ rows: { "QUERY PLAN": { Plan: Plan }[] }[] }>(
        `EXPLAIN (FORMAT JSON) ${sql}`,
        bindings,
      )
      const tables = rows
        .flatMap((row) => row["QUERY PLAN"])
        .flatMap(({ Plan }) => scannedBy(Plan))
        .filter((table) => isLarge.has(table))
      const begin = sql.trim().replace(/\s+/g, " ").slice(0, 100)
      const found = isForPeople ? scansForPeople : scans
      if (tables.length > 0) found.push(`${[...new Set(tables)].join(", ")}: ${begin}`)
    }
    return target.raw(sql, bindings)
  }
  const explained = (inner: Knex): Knex =>
    new Proxy(inner, {
      get(target, name) {
        if (name === "raw") {
          return (sql: string, bindings: Knex.RawBinding[] = []) =>
            // Some are a part of a statement that knex puts together.
            STATEMENT.test(sql) ? run(target, sql, bindings) : target.raw(sql, bindings)
        }
        if (name === "transaction") {
          return (work: (trx: Knex) => Promise<unknown>) =>
            target.transaction((trx) => work(explained(trx)))
        }
        return Reflect.get(target, name, target)
      },
    })

  const spy = explained(knex)
  const items = new CatalogItemRows(spy)
  const walks = new CatalogWalkRows(spy, () => "")
  const marks = new CatalogMarks(spy)
  const pace = new CatalogPaceRows(spy, { callsPerSecond: 5, batchSize: 100 })
  const products = new StoreProducts(spy)

  // What an event marks, and what each minute looks for.
  const variant = await knex("product_variant").first("id", "product_id")
  const price = await knex("price").first("id", "price_set_id", "price_list_id")
  const level = await knex("inventory_level").first("id", "inventory_item_id")
  const changed: [ChangeKind, string][] = [
    ["product", variant.product_id],
    ["variant", variant.id],
    ["image", (await knex("image").first("id")).id],
    ["price", price.id],
    ["price_set", price.price_set_id],
    ["inventory_item", level.inventory_item_id],
    ["inventory_level", level.id],
    ["channel_link", (await knex("product_sales_channel").first("id")).id],
    ["price_set_link", (await knex("product_variant_price_set").first("id")).id],
    ["inventory_link", (await knex("product_variant_inventory_item").first("id")).id],
  ]
  for (const [kind, id] of changed) await marks.markChanged(new Map([[kind, new Set([id])]]))
  await marks.markMovedPriceLists()
  await marks.markRestored()
  await new MarketChanges(spy).connectionsOf({ kind: "groups" })

  // A walk.
  await walks.openCompare("all")
  await walks.outdated()
  await walks.dueInMs()
  await walks.untidy()
  const walk = await walks.claim(first, LEASE.token, LEASE.leaseMs)
  const ids = await products.idsToCompare(
    { id: first, sales_channel_id: market.sales_channel_id },
    variant.product_id,
    PAGE,
  )
  await products.read(ids, market.sales_channel_id, true)
  await new StoreMarkets(spy).read(connections)
  const known = await items.known(first, ids)
  await items.payloads([...known.values()].map(({ id }) => id))
  if (walk) {
    await walks.finishPage(walk, LEASE.token, {
      next: ids.at(-1) ?? null,
      changed: ids,
      done: 0,
      failed: 0,
    })
  }
  await walks.complete(first)

  // A worker.
  await items.dueInMs()
  await items.dueInMs(first)
  const rows = await items.claim(first, LEASE)
  await items.renew(
    LEASE.token,
    rows.map(({ id }) => id),
    LEASE.leaseMs,
  )
  const reason = { code: "bench", message: "bench", fix: "bench" }
  const [settled, postponed, released] = [rows.slice(0, 100), rows.slice(100, 200), rows.slice(200)]
  await items.settle(
    LEASE.token,
    settled.map((row) => ({
      id: row.id,
      generation: row.wanted,
      state: "synced",
      title: row.title,
      sent: null,
      reason: null,
      target: "bench",
      readAt: row.claimed_at,
    })),
  )
  await items.postpone(
    LEASE.token,
    postponed.map(({ id }) => ({ id, inMs: 0, reason, alone: false, mayBeTaken: null })),
  )
  await items.release(
    LEASE.token,
    released.map(({ id }) => id),
  )
  await pace.take(first)
  await pace.held()
  await new ConnectionRows(spy, new Holds(spy)).find(first)

  await items.prune(PAGE)
  await walks.prune()
  await marks.mark(ids, LANE.mass)

  // What people ask for.
  isForPeople = true
  await items.markToSend(settled.map(({ id }) => id))
  await items.markMatching({ reason_code: ["bench"] }, ["", ""], PAGE)
  await items.acceptedAfter(first, variant.product_id, PAGE)
  const opened = await walks.openImport(first, market.sales_channel_id, true)
  await walks.latestImport(first)
  if (opened) {
    await walks.cancel(opened.id)
    await walks.tidy(opened.id, PAGE)
  }
  return { statements: seen.size, scans, scansForPeople }
}
