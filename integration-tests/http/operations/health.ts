import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { SvcError } from "../../../src/client"
import applyDeliveries from "../../../src/jobs/apply-deliveries"
import reconcileWebhooks from "../../../src/jobs/reconcile-webhooks"
import { STORE_STARTED } from "../../../src/modules/svc"
import { reasonFor } from "../../../src/modules/svc/shared/reason"
import storeStarted from "../../../src/subscribers/store-started"
import { tellProblems } from "../../../src/workflows/connections"
import { attribution } from "../../setup/attribution"
import { eventually, newOrderNo, runShow } from "../../setup/market"
import { planOf, statementsOf } from "../../setup/read-whole"
import type { OperationsShop } from "./shop"

const MANY = 20_000
/** Tables that grow with what happens, not with the catalog. */
const GROWING =
  /Seq Scan on (svc_(delivery|attribution|report_attempt|ledger_entry|show_order|line_price|price_change|cart_order_number))\b/

export function describeHealth(shop: OperationsShop): void {
  describe("health", () => {
    const { ask, knex, svc } = shop

    it("asks for the store's public address before it asks for a webhook that cannot be registered without it", async () => {
      const { connectionId } = shop.denmark
      await knex()("svc_webhook").delete()
      const { options } = svc()
      const codes = async () =>
        (await ask("get", "/admin/svc/health")).data.health.problems
          .filter((one: { connection_id: string | null }) => one.connection_id === connectionId)
          .map(({ code }: { code: string }) => code)
      options.backendUrl = "https://store.example.com"
      expect(await codes()).toContain("webhook_not_registered")
      options.backendUrl = undefined
      expect(await codes()).toContain("backend_url_missing")
      expect(await codes()).not.toContain("webhook_not_registered")
      const { allowInsecureUrls } = options
      try {
        Object.assign(options, { backendUrl: "http://store.example.com", allowInsecureUrls: false })
        expect(await codes()).toContain("insecure_url")
        expect(await codes()).not.toContain("webhook_not_registered")
        const { data } = await ask("get", `/admin/svc/connections/${connectionId}/setup`)
        const step = data.setup.steps.find(({ name }: { name: string }) => name === "webhook")
        expect(step).toMatchObject({ reason: { code: "insecure_url" } })
      } finally {
        Object.assign(options, { allowInsecureUrls })
      }
    })

    it("hears within minutes that the service is gone, also of a connection without a webhook", async () => {
      const { connectionId } = shop.denmark
      await knex()("svc_webhook").delete()
      const check = await ask("post", `/admin/svc/connections/${connectionId}/check`, {})
      expect(check.data.connection.status).toBe("active")
      const state = async () =>
        (await ask("get", `/admin/svc/connections/${connectionId}`)).data.connection.status
      await shop.sandbox.control("/faults", { on: "webhooks", kind: "reset" })
      try {
        // It was asked a moment ago.
        await reconcileWebhooks(shop.getContainer())
        expect(await state()).toBe("active")
        await knex()("svc_connection")
          .where({ id: connectionId })
          .update({
            last_check: { ...check.data.connection.last_check, at: "2026-01-01T00:00:00.000Z" },
          })
        await reconcileWebhooks(shop.getContainer())
        expect(await state()).toBe("broken")
      } finally {
        await shop.sandbox.endFaults()
      }
      // And that it is back.
      await knex()("svc_connection")
        .where({ id: connectionId })
        .update({
          last_check: { ...check.data.connection.last_check, at: "2026-01-01T00:00:00.000Z" },
        })
      await reconcileWebhooks(shop.getContainer())
      expect(await state()).toBe("active")
    })

    /** A report that waits, of an order that was placed so many minutes ago. */
    const reportWaits = (minutes: number, columns: Record<string, unknown> = {}) =>
      knex()("svc_attribution").insert(
        attribution(shop.denmark.connectionId, `${minutes}`, {
          state: "waiting",
          placed_at: new Date(Date.now() - minutes * 60_000),
          next_attempt_at: new Date(Date.now() + 3_600_000),
          ...columns,
        }),
      )

    it("takes reports for stuck that nobody takes, but not those of an endpoint that is held", async () => {
      // As if the process that reports had died.
      jest.spyOn(svc().orders.attributions, "claim").mockResolvedValue([])
      const halfAnHourAgo = new Date(Date.now() - 1_800_000)
      await reportWaits(30, { next_attempt_at: null, updated_at: halfAnHourAgo })
      const codes = async (): Promise<string[]> =>
        (await ask("get", "/admin/svc/health")).data.health.problems.map(
          ({ code }: { code: string }) => code,
        )
      expect(await codes()).toContain("worker_stuck")
      await reportWaits(29, { next_attempt_at: null, lease_until: new Date(Date.now() + 30_000) })
      expect(await codes()).not.toContain("worker_stuck")
      await knex()("svc_attribution").where({ id: "svcatt_29" }).delete()
      const { holds } = svc().connections
      const reason = { code: "svc_forbidden", message: "403.", fix: "Give the token the right." }
      await holds.hold(shop.denmark.connectionId, "orders", { ms: 600_000, reason, counts: true })
      const held = await codes()
      expect([held.includes("svc_forbidden"), held.includes("worker_stuck")]).toEqual([true, false])
      jest.restoreAllMocks()
    })

    it("tells of each thing that is stuck, and goes on with reports as a process starts", async () => {
      const halfAnHourAgo = new Date(Date.now() - 1_800_000)
      const old = { next_attempt_at: null, updated_at: halfAnHourAgo }
      await reportWaits(30, old)
      await knex()("svc_catalog_item").insert({
        id: "svcitem_stuck",
        connection_id: shop.denmark.connectionId,
        product_id: "prod_stuck",
        wanted: 2,
        acknowledged: 1,
        ...old,
      })
      const container = shop.getContainer()
      await tellProblems(container)
      const { notifications } = (await ask("get", "/admin/notifications?channel=feed&limit=1000"))
        .data
      const told = notifications.filter(
        ({ data }: { data: { code: string } }) => data.code === "worker_stuck",
      )
      expect(told).toHaveLength(2)
      // Without waiting for the minute's job.
      await storeStarted({ container, event: { name: STORE_STARTED, data: {} }, pluginOptions: {} })
      await eventually(
        async () => knex()("svc_attribution").where({ id: "svcatt_30", state: "waiting" }),
        (waiting) => waiting.length === 0,
      )
    })

    it("hears that no worker runs before anything is due", async () => {
      const { jobs } = svc().work
      const pretended = jobs.silentMs
      Reflect.deleteProperty(jobs, "silentMs")
      const told = async () =>
        (await ask("get", "/admin/svc/health")).data.health.problems.find(
          ({ code }: { code: string }) => code === "jobs_not_run",
        )
      const twentyMinutesAgo = new Date(Date.now() - 1_200_000)
      try {
        await knex()("svc_cursor").where({ name: "jobs" }).delete()
        // The process has just started.
        jobs.started()
        expect(await told()).toBeUndefined()
        jobs.started(twentyMinutesAgo)
        expect(await told()).toMatchObject({ severity: "warning", params: { minutes: 20 } })
        // One that does no work itself, or a run of some minutes would look like none.
        await applyDeliveries(shop.getContainer())
        expect(await told()).toBeUndefined()
        // A job of the store's own takes ten minutes.
        const ranAgo = (time: string) =>
          knex()("svc_cursor")
            .where({ name: "jobs" })
            .update({ position: knex().raw("now() - CAST(? AS interval)", [time]) })
        await ranAgo("10 minutes")
        expect(await told()).toBeUndefined()
        await ranAgo("16 minutes")
        expect(await told()).toMatchObject({ severity: "warning", params: { minutes: 16 } })
      } finally {
        jobs.silentMs = pretended
        jobs.started()
      }
    })

    it("looks at a connection unasked without hurrying what waits, and hears when a refused token is accepted", async () => {
      const { connectionId } = shop.denmark
      // The service does not know our subscriber any more, so nothing is heard of it.
      await knex()("svc_webhook").update({ webhook_uid: "gone", state: "missing" })
      await reportWaits(5)
      const lookedAt = async (columns: Record<string, unknown>) => {
        await knex()("svc_connection")
          .where({ id: connectionId })
          .update({ last_check: null, ...columns })
        await reconcileWebhooks(shop.getContainer())
        const row = await knex()("svc_connection").where({ id: connectionId }).first()
        const report = await knex()("svc_attribution").where({ id: "svcatt_5" }).first()
        return {
          ok: row.last_check?.ok,
          status: row.status,
          waits: report.next_attempt_at !== null,
        }
      }
      expect(await lookedAt({})).toEqual({ ok: true, status: "active", waits: true })
      expect(await lookedAt({ status: "broken", token_refused: true })).toEqual({
        ok: true,
        status: "active",
        waits: false,
      })
    })

    describe("where reports fail", () => {
      beforeEach(() => ask("post", `/admin/svc/connections/${shop.denmark.connectionId}/check`, {}))
      const look = () =>
        svc().connections.calls.now(shop.denmark.connectionId, "webhooks", (client) =>
          client.listWebhooks(),
        )
      const report = (orderNo = "no") =>
        svc().connections.calls.now(shop.denmark.connectionId, "orders", (client) =>
          client.processOrder(orderNo, orderNo),
        )
      const failing = (status: number) =>
        shop.sandbox.control("/faults", { on: "process_orders", kind: "status", status })
      const fiveFail = async () => {
        for (let times = 0; times < 5; times++) await expect(report()).rejects.toThrow()
      }
      const told = async () => {
        const path = `/admin/svc/connections/${shop.denmark.connectionId}`
        const { connection } = (await ask("get", path)).data
        const problems: { code: string }[] = (await shop.health()).problems
        const isToldOf = problems.some(({ code }) => code === "svc_unavailable")
        return [connection.status, connection.last_error?.code ?? null, isToldOf]
      }

      it("goes on saying so while other calls go well", async () => {
        const { campaignUid } = await runShow(shop.sandbox, shop.denmark, [])
        const reportWell = async () => report(await newOrderNo(shop.sandbox, campaignUid))
        await failing(503)
        await fiveFail()
        await look()
        expect(await told()).toEqual(["broken", "svc_unavailable", true])
        await shop.sandbox.endFaults()
        await reportWell()
        expect(await told()).toEqual(["active", null, false])

        // What failed first is mended first.
        await shop.sandbox.control("/faults", {
          rules: [
            { on: "webhooks", kind: "reset", times: 1 },
            { on: "process_orders", kind: "status", status: 503 },
          ],
        })
        await expect(look()).rejects.toThrow()
        await fiveFail()
        await look()
        expect(await told()).toEqual(["active", null, true])
        await shop.sandbox.endFaults()
        await reportWell()
        expect(await told()).toEqual(["active", null, false])
      })

      it("says so no longer where none is left to be tried", async () => {
        await failing(500)
        await expect(report()).rejects.toThrow()
        expect(await told()).toEqual(["broken", "svc_unavailable", true])
        // The service had it all the same.
        await shop.sandbox.endFaults()
        await failing(409)
        await expect(report()).rejects.toThrow()
        expect(await told()).toEqual(["active", null, false])

        // The order is cancelled, so nobody asks again.
        await shop.sandbox.endFaults()
        await failing(500)
        await fiveFail()
        const ago = (time: string) =>
          Promise.all([
            knex()("svc_hold").update({ until: knex().raw("now() - CAST(? AS interval)", [time]) }),
            knex()("svc_connection")
              .where({ id: shop.denmark.connectionId })
              .update({
                last_error: knex().raw(
                  "last_error || jsonb_build_object('at', now() - CAST(? AS interval))",
                  [time],
                ),
              }),
          ])
        await ago("119 minutes")
        await look()
        expect(await told()).toEqual(["broken", "svc_unavailable", true])
        await ago("121 minutes")
        await look()
        expect(await told()).toEqual(["active", null, false])
        await shop.sandbox.endFaults()
      })
    })

    it("lets baskets without prices be told, whatever else failed first", async () => {
      const { connectionId } = shop.denmark
      await ask("post", `/admin/svc/connections/${connectionId}/check`, {})
      const { calls } = svc().connections
      const code = async () =>
        (await ask("get", `/admin/svc/connections/${connectionId}`)).data.connection.last_error
          ?.code
      const timedOut = new SvcError({ code: "svc_timeout", failure: "retry", message: "Too late." })
      const settle = () =>
        calls.inBackground(connectionId, "prices", async () => {
          throw timedOut
        })
      await expect(settle()).rejects.toThrow()
      expect(await code()).toBe("svc_timeout")
      calls.noteLookup(connectionId, timedOut)
      await eventually(code, (now) => now === "lookups_failing")
      await expect(settle()).rejects.toThrow()
      expect(await code()).toBe("lookups_failing")
      await shop.sandbox.control("/faults", { on: "webhooks", kind: "status", status: 401 })
      const look = calls.now(connectionId, "webhooks", (client) => client.listWebhooks())
      await expect(look).rejects.toThrow()
      const told = reasonFor("lookups_failing", { problem: timedOut.message })
      await svc().connections.rows.noteError(connectionId, told, "prices")
      expect(await code()).toBe("svc_unauthorized")
      await shop.sandbox.endFaults()
      await ask("post", `/admin/svc/connections/${connectionId}/check`, {})
      expect(await code()).toBeUndefined()
    })

    it("warns of orders whose report has failed for an hour, whoever it is that fails", async () => {
      const delayed = async () =>
        (await ask("get", "/admin/svc/health")).data.health.problems.find(
          ({ code }: { code: string }) => code === "orders_delayed",
        )
      const reason = { reason_message: "The disk is full.", reason_fix: "", attempts: 5 }
      await reportWaits(30, { reason_code: "report_store_error", ...reason })
      // What waits for a shopper or a merchant has not failed.
      await reportWaits(90, { reason_code: "payment_not_captured", ...reason })
      await reportWaits(91, { reason_code: "consent_missing", ...reason })
      await reportWaits(92, { reason_code: "setting_unreadable", ...reason })
      // It was paid late, and tried a moment ago; or this store is a copy, which tries nothing.
      await reportWaits(93, { reason_code: "svc_unavailable", ...reason, attempts: 1 })
      await reportWaits(94, { reason_code: "copy_of_another_store", ...reason, attempts: 0 })
      expect(await delayed()).toBeUndefined()
      await reportWaits(61, { reason_code: "report_store_error", ...reason })
      await reportWaits(62, { reason_code: "report_fields_failed", ...reason })
      await reportWaits(63, { reason_code: "svc_unavailable", ...reason })
      expect(await delayed()).toMatchObject({ severity: "warning", params: { count: 3 } })
      // No try of any of them goes well.
      const { holds } = svc().connections
      const hold = {
        ms: 600_000,
        reason: reasonFor("svc_unavailable", { problem: "" }),
        counts: true,
      }
      await holds.hold(shop.denmark.connectionId, "orders", hold)
      await knex()("svc_hold").update({ failures: 5 })
      expect(await delayed()).toMatchObject({ params: { count: 3 } })
      const since = (time: string) =>
        knex()("svc_hold").update({ created_at: knex().raw("now() - CAST(? AS interval)", [time]) })
      await since("59 minutes")
      expect(await delayed()).toMatchObject({ params: { count: 3 } })
      await since("61 minutes")
      expect(await delayed()).toMatchObject({ params: { count: 5 } })
    })

    it("does not count a failed report that nobody can make any more, because its connection was deleted", async () => {
      const failed = async () => {
        const { orders, problems } = await shop.health()
        const told = problems.some(({ code }: { code: string }) => code === "orders_failed")
        return [orders.failed, told]
      }
      await reportWaits(7, { state: "failed", next_attempt_at: null })
      expect(await failed()).toEqual([1, true])
      const settings = shop.anotherPage("short-lived")
      const { data } = await ask("post", "/admin/svc/connections", settings)
      const { id } = data.connection
      await knex()("svc_attribution").update({ connection_id: id })
      expect(await failed()).toEqual([1, true])
      expect((await ask("delete", `/admin/svc/connections/${id}`)).status).toBe(200)
      expect(await failed()).toEqual([0, false])
    })

    it("rings the bell once for what a person has to hear: a refused token, a webhook that fails and one that is off, a failed report, an order that is not booked, products that cannot be read, an import", async () => {
      const { connectionId } = shop.denmark
      const container = shop.getContainer()
      /** Of what the bell shows; each text once for each time that it rang. */
      const rung = async (part: string) =>
        (
          await ask("get", "/admin/notifications?channel=feed&limit=1000")
        ).data.notifications.filter(({ data }: { data: { description: string } }) =>
          data.description.includes(part),
        ).length
      const ring = async () => {
        await tellProblems(container)
        await tellProblems(container)
      }
      await ask("post", `/admin/svc/connections/${connectionId}/webhook`, {})
      const cases: [string, () => PromiseLike<unknown>][] = [
        [
          "Make a new API token",
          () => ask("post", `/admin/svc/connections/${connectionId}`, { api_token: "wrong" }),
        ],
        [
          "Prices of a show could not be looked up",
          async () => {
            // A token that may read no prices, while another failure is shown already.
            await knex()("svc_connection")
              .where({ id: connectionId })
              .update({
                token_refused: false,
                last_error: { code: "svc_unavailable", endpoint: "orders" },
              })
            const refused = new SvcError({
              code: "svc_forbidden",
              failure: "endpoint",
              message: "The service refused the call (403).",
            })
            // Another one was noted a moment ago, it may be.
            await eventually(
              async () => {
                svc().connections.calls.noteLookup(connectionId, refused)
                return (await ask("get", `/admin/svc/connections/${connectionId}`)).data.connection
                  .last_error.code
              },
              (seen) => seen === "lookups_failing",
            )
          },
        ],
        [
          "The service reports failing deliveries",
          () => knex()("svc_webhook").update({ state: "warning" }),
        ],
        ["The service stopped sending", () => knex()("svc_webhook").update({ state: "disabled" })],
        ["could not be reported", () => reportWaits(7, { state: "failed", next_attempt_at: null })],
        [
          "cannot be booked",
          () =>
            knex()("svc_show_order").insert({
              id: "svcord_bell",
              order_id: "order_bell",
              currency_code: "dkk",
              placed_at: new Date(),
              attempts: 5,
              next_attempt_at: new Date(Date.now() + 3_600_000),
            }),
        ],
        [
          "could not be read from the store",
          () =>
            knex()("svc_catalog_item").insert({
              id: "svcitem_bell",
              connection_id: connectionId,
              product_id: "prod_bell",
              wanted: 1,
              next_attempt_at: new Date(Date.now() + 3_600_000),
              reason_code: "store_error",
              reason_message: "The product could not be read from the store: no such column",
              reason_fix: "",
            }),
        ],
      ]
      for (const [text, happens] of cases) {
        expect([text, await rung(text)]).toEqual([text, 0])
        await happens()
        await ring()
        expect([text, await rung(text)]).toEqual([text, 1])
      }
      await ask("post", `/admin/svc/connections/${connectionId}`, {
        api_token: shop.denmark.apiToken,
      })
      expect((await ask("post", `/admin/svc/connections/${connectionId}/sync`, {})).status).toBe(
        200,
      )
      await eventually(
        () => rung("The import has ended"),
        (times) => times > 0,
      )
      await ring()
      expect(await rung("The import has ended")).toBe(1)
      // What another language is made from.
      const { notifications } = (await ask("get", "/admin/notifications?channel=feed&limit=1000"))
        .data
      expect(notifications).toContainEqual(
        expect.objectContaining({
          data: expect.objectContaining({
            code: "import_completed",
            params: expect.objectContaining({ failed: expect.any(Number) }),
            connection_id: connectionId,
          }),
        }),
      )
    })

    it("tells people what is wrong also where another part of the minute's look fails", async () => {
      const { connectionId } = shop.denmark
      await ask("post", `/admin/svc/connections/${connectionId}/webhook`, {})
      await ask("post", `/admin/svc/connections/${connectionId}`, { api_token: "wrong" })
      const failing = jest
        .spyOn(svc().shows.pulls, "requestWhereSilent")
        .mockRejectedValue(new Error("No disk."))
      await reconcileWebhooks(shop.getContainer()).finally(() => jest.restoreAllMocks())
      expect(failing).toHaveBeenCalled()
      const { data } = await ask("get", "/admin/notifications?channel=feed&limit=1000")
      expect(JSON.stringify(data)).toContain("Make a new API token")
    })

    it("reads no table of what has happened from its beginning to its end", async () => {
      const { connectionId } = shop.denmark
      await knex().raw(
        `INSERT INTO svc_delivery (id, connection_id, dedup_key, topic, received_at, outcome, body, body_hash, bytes, headers)
         SELECT 'svcdel_' || n, ?, 'key ' || n, 'live_event.updated', now(), CASE WHEN n % 5000 = 0 THEN 'failed' ELSE 'applied' END,
           '{}', '', 2, '{}' FROM generate_series(1, ${MANY}) n`,
        [connectionId],
      )
      await knex().raw(
        `INSERT INTO svc_attribution (id, order_id, connection_id, page, campaign_uid, svc_order_no, state, currency_code, placed_at)
         SELECT 'svcatt_' || n, 'order_' || n, ?, '', 'c', 'no ' || n, CASE WHEN n % 5000 = 0 THEN 'failed' ELSE 'reported' END, 'dkk', now() FROM generate_series(1, ${MANY}) n`,
        [connectionId],
      )
      await knex().raw("ANALYZE svc_delivery, svc_attribution")
      const pools: Knex[] = [knex(), Reflect.get(svc().webhooks.inbox, "knex")]
      const statements = await statementsOf(pools, async () =>
        expect(await shop.health()).toMatchObject({
          orders: { waiting: 0, failed: 4, duplicate: 0 },
          deliveries: { failed: 4 },
        }),
      )
      const ours = statements.filter(({ sql }) => sql.includes("svc_"))
      expect(ours.length).toBeGreaterThan(8)
      const whole: string[] = []
      for (const statement of ours) {
        const plan = await planOf(knex(), statement)
        // The planner reads a table of a few rows whole, whatever indexes it has.
        if (GROWING.test(plan) && /svc_(delivery|attribution)\b/.test(plan)) whole.push(plan)
      }
      expect(whole).toEqual([])
    })
  })
}
