/**
 * What Postgres believes of a table is a minute old at best. Where it was nearly empty then, and a show has filled it since,
 * each statement that a shopper or a worker waits for still ends.
 */
import { type Knex, knex as knexOf } from "@medusajs/framework/mikro-orm/knex"
import { CatalogWalkRows } from "../../src/modules/svc/catalog/walk-rows"
import { CartSituations } from "../../src/modules/svc/core-tables/cart-situations"
import { ExpiringCarts } from "../../src/modules/svc/core-tables/expiring-carts"
import { MovingLines } from "../../src/modules/svc/core-tables/moving-lines"
import { PlacedOrders } from "../../src/modules/svc/core-tables/placed-orders"
import { StoreProducts } from "../../src/modules/svc/core-tables/store-products"
import { LANE } from "../../src/modules/svc/shared/lanes"
import { ProcessLeases } from "../../src/modules/svc/shared/process-leases"
import { InboxRows } from "../../src/modules/svc/webhooks/inbox-rows"
import { believedEmpty } from "../setup/believed-empty"
import { createDatabase, type TestDatabase } from "../setup/test-database"

const ROWS = 3_000
/** Reading each table some times takes a fraction of it, comparing each row with each of others many times as long. */
const STATEMENT_TIMEOUT_MS = 10_000

const RAW = `'{"value":"100","precision":20}'::jsonb`
const EACH = `generate_series(1, ${ROWS}) n`
/** A third of the rows of a cart are of lines that were removed. */
const LINES = `${EACH}, generate_series(1, 3) line`
const CARTS = [
  `INSERT INTO customer (id, email) SELECT 'cus_' || n, n || '@example.test' FROM ${EACH}`,
  `INSERT INTO cart (id, currency_code, region_id, customer_id, email)
   SELECT 'cart_' || n, 'dkk', 'reg', 'cus_' || n, n || '@example.test' FROM ${EACH}`,
  `INSERT INTO cart_line_item (id, cart_id, title, quantity, unit_price, raw_unit_price, variant_id, product_id, is_custom_price, deleted_at)
   SELECT 'cali_' || n || '_' || line, 'cart_' || n, '', 2, 100, ${RAW}, 'variant_' || n, 'prod_' || n, true,
     CASE WHEN line = 3 THEN now() END FROM ${LINES}`,
  `INSERT INTO svc_line_price (id, line_item_id, cart_id, connection_id, campaign_uid, order_no, product_id, variant_id, region_id,
     amount, raw_amount, currency_code, is_tax_inclusive, fetched_at, expires_at)
   SELECT 'svclp_' || n || '_' || line, 'cali_' || n || '_' || line, 'cart_' || n, 'svccon_1', 'campaign-1', 'NO-' || n,
     'prod_' || n, 'variant_' || n, 'reg', 100, ${RAW}, 'dkk', true, now(), now() FROM ${LINES}`,
]
const ORDERS = [
  `INSERT INTO "order" (id, currency_code, customer_id, status) SELECT 'order_' || n, 'dkk', 'cus_' || n, 'pending' FROM ${EACH}`,
  `INSERT INTO order_cart (id, order_id, cart_id) SELECT 'oc_' || n, 'order_' || n, 'cart_' || n FROM ${EACH}`,
  `INSERT INTO payment_collection (id, currency_code, amount, raw_amount) SELECT 'paycol_' || n, 'dkk', 100, ${RAW} FROM ${EACH}`,
  `INSERT INTO cart_payment_collection (id, cart_id, payment_collection_id) SELECT 'cpc_' || n, 'cart_' || n, 'paycol_' || n FROM ${EACH}`,
  `INSERT INTO payment_session (id, currency_code, amount, raw_amount, provider_id, payment_collection_id)
   SELECT 'payses_' || n, 'dkk', 100, ${RAW}, 'p', 'paycol_' || n FROM ${EACH}`,
  `INSERT INTO payment (id, amount, raw_amount, currency_code, provider_id, payment_collection_id, payment_session_id)
   SELECT 'pay_' || n, 100, ${RAW}, 'dkk', 'p', 'paycol_' || n, 'payses_' || n FROM ${EACH}`,
  `INSERT INTO capture (id, amount, raw_amount, payment_id) SELECT 'capt_' || n, 100, ${RAW}, 'pay_' || n FROM ${EACH}`,
]
const SHOWS = [
  `INSERT INTO svc_connection (id, name, page_uid, base_url, sales_channel_id, region_id, storefront_url)
   VALUES ('svccon_1', '', 'page-1', 'https://svc.example', 'sc', 'reg', 'https://shop.example')`,
  `INSERT INTO svc_live_event (id, connection_id, event_id, kind, campaign_uid, status, occurred_at, rank, hash, data)
   SELECT 'svcev_' || n, 'svccon_1', 'event-' || n, 'live', 'campaign-' || n, 'live', now(), 1, '', '{}' FROM ${EACH}`,
  `INSERT INTO svc_event_product (id, connection_id, uid, campaign_uid, kind, external_id, available, max_qty_per_customer, variants,
     occurred_at, rank, hash, data, needs_lookup, heard_at, shown)
   SELECT 'svcevp_' || n || kind, 'svccon_1', 'uid-' || n, 'campaign-' || n, kind, 'prod_' || n, false, 5, '[]',
     now(), 1, '', '{}', true, now(), kind = 'live'
   FROM ${EACH}, unnest(ARRAY['live', 'shoppable']) kind`,
  `INSERT INTO svc_delivery (id, connection_id, dedup_key, topic, received_at, outcome, body, body_hash, bytes, headers)
   SELECT 'svcdel_' || n || '_' || line, 'svccon_1', n || '_' || line, '', now() - interval '1 year', 'applied', '', '', 0, '{}' FROM ${LINES}`,
]
const PRODUCTS = [
  `INSERT INTO product (id, title, handle, status) SELECT 'prod_' || n, '', 'p-' || n, 'published' FROM ${EACH}`,
  `INSERT INTO product_variant (id, title, product_id) SELECT 'variant_' || n, '', 'prod_' || n FROM ${EACH}`,
  `INSERT INTO image (id, url, rank, product_id) SELECT 'img_' || n, 'https://shop.example/' || n, 0, 'prod_' || n FROM ${EACH}`,
  `INSERT INTO product_variant_product_image (id, variant_id, image_id)
   SELECT 'pvpi_' || n, 'variant_' || n, 'img_' || n FROM ${EACH}`,
]
const CATALOG = [
  `INSERT INTO svc_catalog_import (id, connection_id, status, started_at) VALUES ('svcimp_1', 'svccon_1', 'cancelled', now())`,
  `INSERT INTO svc_catalog_item (id, connection_id, product_id, wanted, acknowledged, lane, import_id)
   SELECT 'svcprod_' || n || '_' || line, 'svccon_1', 'prod_' || n || '_' || line, 1, 0, ${LANE.import}, 'svcimp_1' FROM ${LINES}`,
]
const ROWS_OF_ALL = [...CARTS, ...ORDERS, ...SHOWS, ...PRODUCTS, ...CATALOG]
const TABLES = ROWS_OF_ALL.map((sql) => /^INSERT INTO "?(\w+)/.exec(sql)?.[1] ?? "")

describe("tables that Postgres believes to be empty", () => {
  let database: TestDatabase
  let knex: Knex
  let leases: ProcessLeases

  beforeAll(async () => {
    const name = `believed_empty_of_${process.pid}`
    database = await createDatabase(name, "migrated")
    // The rows stand alone: what they belong to is not looked at.
    await database.query(`ALTER DATABASE "${name}" SET session_replication_role = replica`)
    for (const sql of ROWS_OF_ALL) await database.query(sql)
    await database.query("ANALYZE")
    knex = knexOf({
      client: "pg",
      connection: { connectionString: database.url, statement_timeout: STATEMENT_TIMEOUT_MS },
    })
    leases = new ProcessLeases(knex)
  })
  afterAll(async () => {
    await knex.destroy()
    await database.drop()
  })

  it("reads a cart with what its customer has bought of a show", () =>
    believedEmpty(knex, TABLES, async () => {
      const cart = await new CartSituations(knex).read({ cartId: "cart_7" })
      expect(cart?.bought).toEqual([
        { connectionId: "svccon_1", campaignUid: "campaign-1", productId: "prod_7", quantity: 4 },
      ])
    }))

  it("holds the prices of a cart that was paid", () =>
    believedEmpty(knex, TABLES, async () => {
      await new ExpiringCarts(knex).holdWhilePaid("cart_8", 60_000)
      const held = await knex("svc_line_price").whereNotNull("held_until").orderBy("id").pluck("id")
      expect(held).toEqual(["svclp_8_1", "svclp_8_2"])
    }))

  it("marks the lines of a cart before its region changes, and forgets those that were removed", () =>
    believedEmpty(knex, TABLES, async () => {
      expect(await new MovingLines(knex).mark("cart_9", "other")).toBe(true)
      const left = await knex("svc_line_price").where({ cart_id: "cart_9" }).orderBy("id")
      expect(left.map(({ id, moving_at }) => [id, moving_at !== null])).toEqual([
        ["svclp_9_1", true],
        ["svclp_9_2", true],
      ])
    }))

  it("reads the orders whose ledgers are to be made", () =>
    believedEmpty(knex, TABLES, async () => {
      const ids = Array.from({ length: 20 }, (_, index) => `order_${index + 1}`)
      const orders = await new PlacedOrders(knex).read(ids)
      expect([...orders.values()].map(({ payment }) => payment)).toEqual(ids.map(() => "captured"))
    }))

  it("closes the proofs of lines that are gone", () =>
    believedEmpty(knex, TABLES, async () => {
      await new ExpiringCarts(knex).closeGone("cart_9")
      const closed = knex("svc_line_price").where({ is_open: false }).pluck("line_item_id")
      expect(new Set((await closed).map((id) => id.at(-1)))).toEqual(new Set(["3"]))
    }))

  it("reads a page of products with the pictures of their variants", () =>
    believedEmpty(knex, TABLES, async () => {
      const ids = Array.from({ length: 500 }, (_, index) => `prod_${index + 1}`)
      const products = await new StoreProducts(knex).read(ids, "sc")
      const shown = products.flatMap(({ variants }) => variants.flatMap(({ images }) => images))
      expect(new Set(shown).size).toBe(ids.length)
    }))

  it("takes back the marks of an import that was cancelled", () =>
    believedEmpty(knex, TABLES, async () => {
      await new CatalogWalkRows(knex, leases, () => ({ ownCode: "", isMapped: false })).tidy()
      expect(await database.count("SELECT count(*) FROM svc_catalog_item")).toBe(0)
    }))

  it("deletes old deliveries", () =>
    believedEmpty(knex, TABLES, async () => {
      await new InboxRows(knex).trim({ days: 30, megabytes: 0, batch: 1_000 })
      expect(await database.count("SELECT count(*) FROM svc_delivery")).toBe(0)
    }))
})
