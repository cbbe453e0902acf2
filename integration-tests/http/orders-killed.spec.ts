/**
 * A store that is killed between the order and the acknowledged report: `kill -9` of a process of its own. When it comes,
 * an order stands at each of eight points: the database holds it at six, the sandbox at two.
 */
import { MathBN } from "@medusajs/framework/utils"
import reportOrders from "../../src/jobs/report-orders"
import { attributeOrderWorkflow, workLedger, workReports } from "../../src/workflows/orders"
import { type RunningChild, startChild } from "../../tools/child"
import { connectMarket } from "../setup/connected-market"
import { beginPayment, eventually, type Market, runShow } from "../setup/market"
import { describeStore } from "../setup/medusa"
import { findRedis, type RunningRedis, startRedis } from "../setup/redis"
import { TEST_ENCRYPTION_KEYS } from "../setup/store-process"
import { ordersShop } from "./orders/shop"

/** Kills of this run, each at every point and with either event bus; `ORDERS_KILLS=20` for as many as the weekly run. */
const KILLS = Number(process.env.ORDERS_KILLS ?? 1)

/** Each kill starts a store of its own; on a busy machine that alone takes minutes. */
const PATIENCE_MS = 1_200_000

/**
 * Each holds the first that comes by, until its process is gone; whoever comes next passes. The claim is one statement for
 * all that is due at a connection, so it is held at a connection of its own (`europe`).
 */
const HALTS = {
  "before the order is written down": { on: "INSERT", table: "svc_show_order", when: "true" },
  "before its number is": { on: "INSERT", table: "svc_attribution", when: "true" },
  "before the worker has claimed it": {
    on: "UPDATE",
    table: "svc_attribution",
    when: "NEW.lease_token IS NOT NULL AND NEW.connection_id = '<europe>'",
  },
  "before the attempt is written down": {
    on: "INSERT",
    table: "svc_report_attempt",
    // That of `europe` does not come as far.
    when: "true",
  },
  "before the answer is written down": {
    on: "UPDATE",
    table: "svc_report_attempt",
    when: "NEW.outcome = 'accepted'",
  },
  "before the order counts as reported": {
    on: "UPDATE",
    table: "svc_attribution",
    when: "NEW.state = 'reported'",
  },
}
const POINTS = Object.keys(HALTS).length
const FIRST_LOCK = 900
/** Only the process that is to be killed is held, not the one that tests. */
const IS_HELD = "current_setting('svc.is_held', true) = 'yes'"
const HELD_CONNECTIONS = "-c svc.is_held=yes"
/** Held by the sandbox: one call before it is carried out, one after. */
const CALLS = [
  { on: "process_orders", kind: "hang", times: 1 },
  { on: "process_orders", kind: "hang", after: true, times: 1 },
]
/** One for each point of the worker: the attempt, the answer, the row, and the two calls. */
const DUE = 5
/** Orders whose answer is lost: the one before it is written down, and the one that never came. */
const ANSWERS_LOST = 2

describeStore((suite) => {
  describe("a store that is killed", () => {
    const shop = ordersShop(suite)
    const { api, getContainer, knex, aMugShow, dropEvents } = shop
    let redis: RunningRedis | undefined
    let europe: Market | undefined

    beforeAll(async () => {
      europe = await connectMarket(api, getContainer(), shop.sandbox, "europe")
      if (findRedis()) redis = await startRedis()
    })
    afterAll(() => redis?.stop())

    const holdAtEachPoint = async (connectionOfTheClaim: string) => {
      await knex().raw(
        `CREATE OR REPLACE FUNCTION svc_halt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF ${IS_HELD} AND pg_try_advisory_lock(TG_ARGV[0]::int) THEN PERFORM pg_sleep(600); END IF;
           RETURN NEW;
         END $$`,
      )
      for (const [n, { on, table, when }] of Object.values(HALTS).entries()) {
        const lock = FIRST_LOCK + n
        await knex().raw(
          `CREATE TRIGGER svc_halt_${lock} BEFORE ${on} ON ${table} FOR EACH ROW
           WHEN (${when.replace("<europe>", connectionOfTheClaim)}) EXECUTE FUNCTION svc_halt(${lock})`,
        )
      }
    }
    const HELD = `FROM pg_stat_activity
      WHERE wait_event = 'PgSleep' AND datname = current_database()`
    const held = async () => Number((await knex().raw(`SELECT count(*) AS n ${HELD}`)).rows[0].n)
    /** The names of the points at which an order stands. */
    const heldAt = async () => {
      const { rows } = await knex().raw<{ rows: { lock: number }[] }>(
        `SELECT objid::int AS lock FROM pg_locks
         WHERE locktype = 'advisory' AND granted AND objid BETWEEN ? AND ? ORDER BY 1`,
        [FIRST_LOCK, FIRST_LOCK + POINTS - 1],
      )
      return rows.map(({ lock }) => Object.keys(HALTS)[lock - FIRST_LOCK])
    }
    /** What a process leaves behind is gone with it: its statements are not carried out either. */
    const killed = async (child: RunningChild) => {
      child.kill()
      await child.ended
      // One that waited behind another may come to a point when that one is gone.
      await eventually(
        async () => {
          await knex().raw(`SELECT pg_terminate_backend(pid) ${HELD}`)
          return held()
        },
        (n) => n === 0,
      )
      // Its leases run out.
      await knex()("svc_attribution")
        .whereNotNull("lease_until")
        .update({ lease_until: new Date() })
    }
    const place = (carts: string[], env: Record<string, string>) =>
      startChild({
        name: "The store that is killed",
        script: "integration-tests/setup/order-placer.ts",
        env: {
          DATABASE_URL: suite.databaseUrl,
          PGOPTIONS: HELD_CONNECTIONS,
          SVC_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
          SVC_ALLOW_INSECURE_URLS: "true",
          SVC_BACKEND_URL: suite.storeUrl,
          NODE_OPTIONS: "",
          NODE_ENV: "",
          CARTS: carts.join(","),
          // An order stands at each point, and with it a connection.
          SVC_DATABASE_POOL_MAX: "10",
          ...env,
        },
        timeoutMs: 240_000,
      })
    /** What is waited for comes only while the process lives. */
    const whileAlive = <T>(child: RunningChild, coming: Promise<T>): Promise<T> =>
      Promise.race([
        coming.catch(async (error: Error) => {
          const { rows } = await knex().raw(
            `SELECT wait_event, left(query, 90) AS query FROM pg_stat_activity
             WHERE datname = current_database() AND state <> 'idle'`,
          )
          const statements = JSON.stringify(rows, null, 1)
          throw new Error(
            `${error.message}\nThe store printed: ${child.output()}\nIt is at: ${statements}`,
          )
        }),
        child.ended.then(() => {
          throw new Error(`The store ended by itself: ${child.output()}`)
        }),
      ])
    const told = async () => {
      // The latest: those of many kills are more than one answer has.
      const { entries } = await shop.sandbox.client.journal.find({
        q: "endpoint:process_orders",
        order: "desc",
      })
      return entries.map(({ request }) => ({
        orderNo: JSON.parse(request.body).svcOrderNumber as string,
        key: request.headers["idempotency-key"],
      }))
    }

    async function aKill(env: Record<string, string>): Promise<void> {
      if (!europe) throw new Error("no second market")
      const shows = [
        { market: shop.denmark, show: await aMugShow() },
        {
          market: europe,
          show: await runShow(shop.sandbox, europe, [{ variant: shop.mug, price: 10 }]),
        },
      ] as const
      /** A cart that only waits for "Buy". */
      const ready = async ({ market, show }: (typeof shows)[number]) => {
        const { cartId, orderNo } = await shop.basket(show, 1, shop.mug, market)
        expect((await beginPayment(api, market, cartId)).status).toBe(200)
        return { cartId, orderNo }
      }
      const [home, abroad] = shows
      const placing = [await ready(home), await ready(home)]
      const due: typeof placing = []
      // Their orders are there and due, and nobody has reported them.
      dropEvents()
      for (const where of [...Array<typeof home>(DUE).fill(home), abroad]) {
        const cart = await ready(where)
        const path = `/store/carts/${cart.cartId}/complete`
        const { data } = await api.post(path, {}, where.market.store)
        await attributeOrderWorkflow(getContainer()).run({ input: data.order.id })
        due.push(cart)
      }
      jest.restoreAllMocks()
      const carts = [...placing, ...due]

      await holdAtEachPoint(europe.connectionId)
      await shop.sandbox.control("/faults", { rules: CALLS })
      const child = await place(
        placing.map(({ cartId }) => cartId),
        env,
      )
      const faults = async () =>
        (await shop.sandbox.client.faults.list()).faults.flatMap(({ rules }) =>
          rules.map(({ applied }) => applied),
        )
      const reached = async () => {
        await eventually(heldAt, (points) => points.length === POINTS)
        await eventually(faults, (applied) => applied.join() === "1,1")
        const ids = placing.map(({ cartId }) => cartId)
        // Core makes the order first, and asks for the payment last.
        await eventually(
          () =>
            knex()("cart_payment_collection as link")
              .join("payment", "payment.payment_collection_id", "link.payment_collection_id")
              .whereIn("link.cart_id", ids)
              .select("payment.id"),
          (paid) => paid.length === placing.length,
        )
      }
      await whileAlive(child, reached())
      await killed(child)
      await shop.sandbox.endFaults()

      // Another process of the store, when core is surely done with an order of which no event told.
      await knex()("order").update({
        created_at: knex().raw("created_at - interval '11 minutes'"),
      })
      await reportOrders(getContainer())
      await eventually(
        async () => {
          await knex()("svc_attribution")
            .where({ state: "waiting" })
            .update({ next_attempt_at: null })
          await workReports(getContainer())
          return knex()("svc_attribution").select("state")
        },
        (rows) => rows.length === carts.length && rows.every(({ state }) => state === "reported"),
      )
      const calls = await told()
      const perOrder = carts.map(({ orderNo }) =>
        calls.filter((call) => call.orderNo === orderNo).map(({ key }) => key),
      )
      // The call that hung before it was carried out was a call, too.
      expect(perOrder.filter((keys) => keys.length === 2)).toHaveLength(ANSWERS_LOST + 1)
      expect(perOrder.filter((keys) => keys.length === 1)).toHaveLength(
        carts.length - ANSWERS_LOST - 1,
      )
      for (const keys of perOrder) expect(new Set(keys).size).toBe(1)
      const known = await Promise.all(
        shows.map(({ show }) =>
          shop.sandbox.client.orders.list({ campaign_uid: show.campaignUid }),
        ),
      )
      const converted = known.flatMap(({ orders }) =>
        orders.filter(({ converted_at }) => converted_at !== null),
      )
      expect(converted.map(({ order_no }) => order_no).sort()).toEqual(
        carts.map(({ orderNo }) => orderNo).sort(),
      )
      expect(MathBN.sum(0, ...converted.map(({ reports }) => reports)).toNumber()).toBe(
        carts.length + ANSWERS_LOST,
      )

      await workLedger(getContainer())
      const { data } = await api.get("/admin/svc/campaigns?order=currency_code", home.market.admin)
      expect(data.campaigns).toMatchObject([
        { campaign_uid: home.show.campaignUid, orders: 7, units: 7, net: 7 * 79 },
        { campaign_uid: abroad.show.campaignUid, orders: 1, units: 1 },
      ])
    }

    for (let n = 1; n <= KILLS; n++) {
      it(
        `reports every order all the same, and none twice whose answer was written down (${n})`,
        () => aKill({}),
        PATIENCE_MS,
      )
      const withRedis = findRedis() ? it : it.skip
      withRedis(
        `and with events in Redis (${n})`,
        async () => {
          await redis?.empty()
          await aKill({ REDIS_URL: redis?.url ?? "" })
        },
        PATIENCE_MS,
      )
    }
  })
})
