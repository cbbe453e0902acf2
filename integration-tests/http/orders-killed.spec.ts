/**
 * A store that is killed between the order and the acknowledged report: `kill -9` of a process of its own, which the
 * database and the sandbox hold at a named point.
 */
import { MathBN } from "@medusajs/framework/utils"
import reportOrders from "../../src/jobs/report-orders"
import { attributeOrderWorkflow, workLedger, workReports } from "../../src/workflows/orders"
import { type RunningChild, startChild } from "../../tools/child"
import { beginPayment, deliverCart, eventually } from "../setup/market"
import { describeStore, TEST_ENCRYPTION_KEYS } from "../setup/medusa"
import { findRedis, type RunningRedis, startRedis } from "../setup/redis"
import { ordersShop } from "./orders/shop"

/** Rounds of this run, each with an order at every point; `ORDERS_KILLS=20` for as many as the weekly run. */
const ROUNDS = Number(process.env.ORDERS_KILLS ?? 1)

/** Each holds the first that comes by, until its process is gone; whoever comes next passes. */
const HALTS = {
  "before the order is written down": "BEFORE INSERT ON svc_show_order FOR EACH ROW",
  "before its number is": "BEFORE INSERT ON svc_attribution FOR EACH ROW",
  "before the worker has claimed it": `BEFORE UPDATE ON svc_attribution FOR EACH ROW
    WHEN (NEW.lease_token IS NOT NULL AND NEW.lease_token IS DISTINCT FROM OLD.lease_token)`,
  "before the attempt is written down": "BEFORE INSERT ON svc_report_attempt FOR EACH ROW",
  "before the answer is written down": `BEFORE UPDATE ON svc_report_attempt FOR EACH ROW
    WHEN (NEW.outcome = 'accepted')`,
  "before the order counts as reported": `BEFORE UPDATE ON svc_attribution FOR EACH ROW
    WHEN (NEW.state = 'reported')`,
}
type Halt = keyof typeof HALTS
const CLAIM: Halt = "before the worker has claimed it"
const NAMES = Object.keys(HALTS) as Halt[]
/** Held by the sandbox: one call before it is carried out, one after. */
const CALLS = [
  { on: "process_orders", kind: "hang", times: 1 },
  { on: "process_orders", kind: "hang", after: true, times: 1 },
]
/** Orders whose answer nobody wrote down: the service is told of them a second time. */
const TOLD_TWICE = 3

describeStore((suite) => {
  describe("a store that is killed", () => {
    const shop = ordersShop(suite)
    const { api, getContainer, knex, basket, aMugShow, dropEvents } = shop
    let redis: RunningRedis | undefined

    beforeAll(async () => {
      if (findRedis()) redis = await startRedis()
    })
    afterAll(() => redis?.stop())

    const haltAt = async (names: Halt[]) => {
      await knex().raw(
        `CREATE OR REPLACE FUNCTION svc_halt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF pg_try_advisory_lock(TG_ARGV[0]::int) THEN PERFORM pg_sleep(600); END IF;
           RETURN NEW;
         END $$`,
      )
      for (const name of names) {
        const at = 900 + NAMES.indexOf(name)
        await knex().raw(
          `CREATE TRIGGER svc_halt_${at} ${HALTS[name]} EXECUTE FUNCTION svc_halt(${at})`.replaceAll(
            "?",
            "\\?",
          ),
        )
      }
    }
    const HALTED =
      "FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"
    const halted = async () =>
      Number((await knex().raw(`SELECT count(*) AS n ${HALTED}`)).rows[0].n)
    /** What a process leaves behind is gone with it: its statements are not carried out either. */
    const killed = async (child: RunningChild) => {
      child.kill()
      await child.ended
      await knex().raw(`SELECT pg_terminate_backend(pid) ${HALTED}`)
      await eventually(halted, (n) => n === 0)
      for (const [table, at] of [
        ["svc_show_order", 900],
        ["svc_attribution", 901],
        ["svc_attribution", 902],
        ["svc_report_attempt", 903],
        ["svc_report_attempt", 904],
        ["svc_attribution", 905],
      ]) {
        await knex().raw(`DROP TRIGGER IF EXISTS svc_halt_${at} ON ${table}`)
      }
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
          DATABASE_URL: suite.dbConfig.clientUrl,
          SVC_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
          SVC_ALLOW_INSECURE_URLS: "true",
          SVC_BACKEND_URL: suite.storeUrl,
          NODE_OPTIONS: "",
          NODE_ENV: "",
          CARTS: carts.join(","),
          ...env,
        },
        timeoutMs: 300_000,
      })
    /** What is waited for comes only while the process lives. */
    const whileAlive = <T>(child: RunningChild, coming: Promise<T>): Promise<T> =>
      Promise.race([
        coming.catch((error: Error) => {
          throw new Error(`${error.message}\nThe store printed: ${child.output()}`)
        }),
        child.ended.then(() => {
          throw new Error(`The store ended by itself: ${child.output()}`)
        }),
      ])
    const told = async () => {
      const { entries } = await shop.sandbox.control<{
        entries: { request: { headers: Record<string, string>; body: string } }[]
      }>("/journal?q=endpoint:process_orders&limit=1000")
      return entries.map(({ request }) => ({
        orderNo: JSON.parse(request.body).svcOrderNumber as string,
        key: request.headers["idempotency-key"],
      }))
    }

    async function aRound(env: Record<string, string>): Promise<void> {
      const show = await aMugShow()
      const ready = async () => {
        const cart = await basket(show)
        await deliverCart(api, shop.denmark, cart.cartId, "dk")
        await beginPayment(api, shop.denmark, cart.cartId)
        return cart
      }
      const carts: Awaited<ReturnType<typeof ready>>[] = []
      for (let n = 0; n < 8; n++) carts.push(await ready())
      // Four orders are there and due, and nobody has reported them.
      dropEvents()
      for (const { cartId } of carts.slice(0, 4)) {
        const { data } = await api.post(`/store/carts/${cartId}/complete`, {}, shop.denmark.store)
        await attributeOrderWorkflow(getContainer()).run({ input: data.order.id })
      }
      jest.restoreAllMocks()

      await haltAt([CLAIM])
      const first = await place([carts[4]?.cartId ?? ""], env)
      await whileAlive(
        first,
        eventually(halted, (n) => n === 1),
      )
      await killed(first)
      const numbers = new Set(carts.map(({ orderNo }) => orderNo))
      const toldOfThese = async () => (await told()).filter(({ orderNo }) => numbers.has(orderNo))
      expect(await toldOfThese()).toEqual([])

      await haltAt(NAMES.filter((name) => name !== CLAIM))
      await shop.sandbox.control("/faults", { rules: CALLS })
      const second = await place(
        carts.slice(5).map(({ cartId }) => cartId),
        env,
      )
      const reached = async () => {
        await eventually(halted, (n) => n === NAMES.length - 1)
        await eventually(
          () => shop.sandbox.control<{ faults: { rules: { applied: number }[] }[] }>("/faults"),
          ({ faults }) =>
            faults.flatMap(({ rules }) => rules).every(({ applied }) => applied === 1),
        )
        await eventually(
          () =>
            knex()("order_cart").whereIn(
              "cart_id",
              carts.map(({ cartId }) => cartId),
            ),
          (links) => links.length === carts.length,
        )
      }
      await whileAlive(second, reached())
      await killed(second)
      await shop.sandbox.control("/faults", undefined, "DELETE")

      // Another process of the store, a minute later.
      await reportOrders(getContainer())
      await eventually(
        async () => {
          await knex()("svc_attribution")
            .where({ state: "waiting" })
            .update({ next_attempt_at: null })
          await workReports(getContainer())
          return knex()("svc_attribution").select("state")
        },
        (rows) => rows.length === 8 && rows.every(({ state }) => state === "reported"),
      )
      const calls = await toldOfThese()
      const perOrder = carts.map(({ orderNo }) =>
        calls.filter((call) => call.orderNo === orderNo).map(({ key }) => key),
      )
      // The call that hung before it was carried out was a call, too.
      expect(perOrder.filter((keys) => keys.length === 2)).toHaveLength(TOLD_TWICE + 1)
      expect(perOrder.filter((keys) => keys.length === 1)).toHaveLength(8 - TOLD_TWICE - 1)
      for (const keys of perOrder) expect(new Set(keys).size).toBe(1)
      const { orders } = await shop.sandbox.control<{
        orders: { order_no: string; reports: number; converted_at: number | null }[]
      }>(`/orders?campaign_uid=${show.campaignUid}`)
      const converted = orders.filter(({ converted_at }) => converted_at !== null)
      expect(converted.map(({ order_no }) => order_no).sort()).toEqual(
        carts.map(({ orderNo }) => orderNo).sort(),
      )
      expect(MathBN.sum(0, ...orders.map(({ reports }) => reports)).toNumber()).toBe(8 + TOLD_TWICE)

      await workLedger(getContainer())
      const { data } = await api.get(
        `/admin/svc/campaigns?campaign_uid=${show.campaignUid}`,
        shop.denmark.admin,
      )
      expect(data.campaigns).toMatchObject([{ orders: 8, units: 8, net: 8 * 79 }])
    }

    for (let round = 1; round <= ROUNDS; round++) {
      it(`reports every order all the same, and none twice whose answer was written down (${round})`, () =>
        aRound({}))
      const withRedis = findRedis() ? it : it.skip
      withRedis(`and with events in Redis (${round})`, () =>
        aRound({ REDIS_URL: redis?.url ?? "" }),
      )
    }
  })
})
