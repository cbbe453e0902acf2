import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import reconcileWebhooks from "../../../src/jobs/reconcile-webhooks"
import { tellProblems } from "../../../src/workflows/connections"
import { eventually } from "../../setup/market"
import type { OperationsShop } from "./shop"

const MANY = 20_000
/** Tables that grow with what happens, not with the catalog. */
const GROWING =
  /Seq Scan on (svc_(delivery|attribution|report_attempt|ledger_entry|show_order|line_price|price_change|cart_order_number))\b/

type Statement = { sql: string; bindings?: readonly Knex.RawBinding[] }

export function describeHealth(shop: OperationsShop): void {
  describe("health", () => {
    const { ask, knex, svc } = shop

    it("is answered with 503 when it is critical, and with 200 while it only warns", async () => {
      // Whatever a call of the test before has left on the connection ends with an answer of the service.
      await ask("post", `/admin/svc/connections/${shop.denmark.connectionId}/check`, {})
      const well = await ask("get", "/admin/svc/health")
      const critical = well.data.health.problems.filter(
        ({ severity }: { severity: string }) => severity === "critical",
      )
      expect([well.status, well.data.health.status, critical]).toEqual([200, "warning", []])
      await ask("post", `/admin/svc/connections/${shop.denmark.connectionId}`, {
        api_token: "wrong",
      })
      const bad = await ask("get", "/admin/svc/health")
      expect([bad.status, bad.data.health.status]).toEqual([503, "critical"])
    })

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
      knex()("svc_attribution").insert({
        id: `svcatt_${minutes}`,
        order_id: `order_${minutes}`,
        connection_id: shop.denmark.connectionId,
        page: "",
        campaign_uid: "cmp_waits",
        svc_order_no: `no ${minutes}`,
        state: "waiting",
        currency_code: "dkk",
        placed_at: new Date(Date.now() - minutes * 60_000),
        next_attempt_at: new Date(Date.now() + 3_600_000),
        ...columns,
      })

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
      const { holds } = svc().connections
      const reason = { code: "svc_forbidden", message: "403.", fix: "Give the token the right." }
      await holds.hold(shop.denmark.connectionId, "orders", { ms: 600_000, reason, counts: true })
      const held = await codes()
      expect([held.includes("svc_forbidden"), held.includes("worker_stuck")]).toEqual([true, false])
      jest.restoreAllMocks()
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

    it("warns of orders that the store itself has kept from being reported for an hour", async () => {
      const delayed = async () =>
        (await ask("get", "/admin/svc/health")).data.health.problems.find(
          ({ code }: { code: string }) => code === "orders_delayed",
        )
      const reason = { reason_message: "The disk is full.", reason_fix: "" }
      await reportWaits(30, { reason_code: "report_store_error", ...reason })
      await reportWaits(90, { reason_code: "svc_unreachable", ...reason })
      expect(await delayed()).toBeUndefined()
      await reportWaits(61, { reason_code: "report_store_error", ...reason })
      await reportWaits(62, { reason_code: "report_fields_failed", ...reason })
      expect(await delayed()).toMatchObject({ severity: "warning", params: { count: 2 } })
    })

    it("rings the bell once for what a person has to hear: a refused token, a webhook that fails and one that is off, a failed report, an import", async () => {
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
          "The service reports failing deliveries",
          () => knex()("svc_webhook").update({ state: "warning" }),
        ],
        ["The service stopped sending", () => knex()("svc_webhook").update({ state: "disabled" })],
        ["could not be reported", () => reportWaits(7, { state: "failed", next_attempt_at: null })],
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
      await knex().raw(`
        CREATE FUNCTION refuse_work() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$;
        CREATE TRIGGER refuse_work BEFORE UPDATE ON svc_connection_work
          FOR EACH ROW EXECUTE FUNCTION refuse_work()`)
      try {
        await reconcileWebhooks(shop.getContainer())
      } finally {
        await knex().raw("DROP FUNCTION refuse_work CASCADE")
      }
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
      const seen = new Map<string, Statement>()
      const note = ({ sql, bindings }: Statement) => {
        if (/^\s*(select|with)\b/i.test(sql) && sql.includes("svc_"))
          seen.set(sql, { sql, bindings })
      }
      const pools: Knex[] = [knex(), Reflect.get(svc().webhooks.inbox, "knex")]
      for (const pool of pools) pool.on("query", note)
      const { data } = await ask("get", "/admin/svc/health")
      for (const pool of pools) pool.removeListener("query", note)
      expect(data.health).toMatchObject({
        orders: { waiting: 0, failed: 4, duplicate: 0 },
        deliveries: { failed: 4 },
      })
      expect(seen.size).toBeGreaterThan(8)
      const whole: string[] = []
      for (const { sql, bindings } of seen.values()) {
        const { rows } = await knex().raw<{ rows: { "QUERY PLAN": string }[] }>(
          `EXPLAIN ${sql.replace(/\$\d+/g, "?")}`,
          [...(bindings ?? [])],
        )
        const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
        // The planner reads a table of a few rows whole, whatever indexes it has.
        if (GROWING.test(plan) && /svc_(delivery|attribution)\b/.test(plan)) whole.push(plan)
      }
      expect(whole).toEqual([])
    })
  })
}
