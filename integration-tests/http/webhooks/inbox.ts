/** What is kept of deliveries, how it is judged again, and what of it needs a person. */
import purgeDeliveries from "../../../src/jobs/purge-deliveries"
import { STORE_STARTED } from "../../../src/modules/svc"
import { reasonFor } from "../../../src/modules/svc/shared/reason"
import { lockShows } from "../../../src/modules/svc/shared/shows-lock"
import { InboxRows } from "../../../src/modules/svc/webhooks/inbox-rows"
import storeStarted from "../../../src/subscribers/store-started"
import { workInbox } from "../../../src/workflows/webhooks"
import { connectMarket } from "../../setup/connected-market"
import { envelope, eventProduct, liveEvent } from "../../setup/deliveries"
import { KEY, soon, type WebhooksShop } from "./shop"

export function describeInbox(shop: WebhooksShop): void {
  const {
    api,
    ask,
    events,
    getContainer,
    inbox,
    keyIsKnown,
    knex,
    problems,
    send,
    settled,
    storeUrl,
    svc,
    tell,
  } = shop

  type Row = { id: string; topic: string; outcome: string; repeats: number }
  const codes = async () => (await problems()).map(({ code }) => code)

  describe("a delivery that a process left when it ended", () => {
    beforeEach(keyIsKnown)

    it("is applied as the next one starts, and not with the job of the minute", async () => {
      await tell(envelope("live_event.created", liveEvent("e1")))
      await settled()
      await knex()("svc_live_event").delete()
      await knex()("svc_delivery").update({ outcome: "received" })
      const event = { name: STORE_STARTED, data: {} }
      await storeStarted({ container: getContainer(), event, pluginOptions: {} })
      await soon(async () => expect(await inbox()).toMatchObject([{ outcome: "applied" }]))
      expect(await events()).toHaveLength(1)
    })
  })

  describe("a delivery with fields of unexpected types", () => {
    beforeEach(keyIsKnown)

    it("is put aside only where it cannot be placed, and that is a problem in health", async () => {
      expect(await codes()).not.toContain("deliveries_quarantined")
      await tell(envelope("live_event.created", { event: { campaignId: "c1" } }))
      await tell(envelope("live_event.created", liveEvent("e1"), { occurredAt: Number.NaN }))
      expect((await send(envelope("live_event.moved", liveEvent("e1")))).status).toBe(422)
      await settled()
      const found = await problems()
      expect(found).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ code: "deliveries_quarantined", severity: "warning" }),
          expect.objectContaining({ code: "deliveries_unknown", severity: "warning" }),
        ]),
      )
      expect(found.find(({ code }) => code === "deliveries_quarantined")?.message).toContain("2")
    })
  })

  describe("a delivery that comes again", () => {
    beforeEach(keyIsKnown)

    it("is judged again where nothing came of the first: it was quarantined, or it failed", async () => {
      const early = envelope("live_event.created", liveEvent("e1"), {
        occurredAt: Date.now() + 270_000,
      })
      const first = await send(early, { timestamp: Date.now() - 60_000 })
      expect(first.body.outcome).toBe("quarantined")
      // The merchant presses "re-send" in the service's dashboard.
      expect((await tell(early)).body.outcome).toBe("received")
      await settled()
      expect((await events()).map((e: { event_id: string }) => e.event_id)).toEqual(["e1"])

      const failed = envelope("live_event.created", liveEvent("e2"))
      await tell(failed)
      await settled()
      await knex()("svc_live_event").where({ event_id: "e2" }).delete()
      await knex()("svc_delivery").whereRaw("body like '%e2%'").update({ outcome: "failed" })
      expect((await tell(failed)).body.outcome).toBe("received")
      await settled()
      expect(await events()).toHaveLength(2)
      expect((await inbox()).map(({ repeats }: Row) => repeats)).toEqual([1, 1])
    })

    it("is replayed with all that match, by time, topic and outcome", async () => {
      for (const id of ["e1", "e2", "e3"]) await tell(envelope("live_event.created", liveEvent(id)))
      await tell(envelope("live_event_product.created", eventProduct("p1", "campaign-e1")))
      await settled()
      await knex()("svc_live_event").delete()
      await knex()("svc_event_product").delete()
      await knex().raw(
        `UPDATE svc_delivery SET received_at = now() - interval '2 days' WHERE body like '%"e3"%'`,
      )
      const replay = (filters: unknown) => ask("post", "/deliveries/replay", { filters })
      expect((await replay({})).status).toBe(400)
      expect((await replay({ topic: "live_event.created", colour: "red" })).status).toBe(400)
      const yesterday = new Date(Date.now() - 86_400_000).toISOString()
      const { status, data } = await replay({
        topic: "live_event.created",
        outcome: ["applied"],
        connection_id: shop.denmark.connectionId,
        from: yesterday,
      })
      expect([status, data]).toEqual([200, { count: 2 }])
      await settled()
      expect((await events()).map((e: { event_id: string }) => e.event_id).sort()).toEqual([
        "e1",
        "e2",
      ])
      expect((await replay({ to: yesterday })).data).toEqual({ count: 1 })
      // A day, as the list takes one.
      expect((await replay({ to: "2020-01-01" })).data).toEqual({ count: 0 })
      await settled()
      expect(await events()).toHaveLength(3)
      expect(await knex()("svc_event_product").select("id")).toEqual([])
    })

    it("is replayed at once where it waits after failing, alone and with all that match", async () => {
      for (const id of ["e1", "e2"]) await tell(envelope("live_event.created", liveEvent(id)))
      await settled()
      await knex()("svc_live_event").delete()
      await knex()("svc_delivery").update({
        outcome: "received",
        attempts: 9,
        reason: JSON.stringify(reasonFor("not_applied", { problem: "a lock" })),
        next_attempt_at: new Date(Date.now() + 15 * 60_000),
      })
      const [{ id }] = await inbox()
      const { delivery } = (await ask("post", `/deliveries/${id}/replay`)).data
      expect(delivery).toMatchObject({ id, outcome: "applied", reason: null, attempts: 1 })
      const { data } = await ask("post", "/deliveries/replay", { filters: { outcome: "received" } })
      expect(data).toEqual({ count: 1 })
      await settled()
      expect(await events()).toHaveLength(2)
    })

    it("is replayed once, however fast it is applied meanwhile", async () => {
      for (const id of ["e1", "e2", "e3"]) await tell(envelope("live_event.created", liveEvent(id)))
      await settled()
      // As a worker that has applied each one before the next one is looked for.
      await knex().raw(`
        CREATE FUNCTION apply_at_once() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN NEW.outcome := 'applied'; NEW.attempts := OLD.attempts + 1; RETURN NEW; END $$;
        CREATE TRIGGER apply_at_once BEFORE UPDATE ON svc_delivery FOR EACH ROW EXECUTE FUNCTION apply_at_once()`)
      try {
        const replayed = svc().webhooks.inbox.reopen({ topic: ["live_event.created"] }, 1)
        const tooLong = new Promise((resolve) => setTimeout(resolve, 60_000, "it goes on for ever"))
        expect(await Promise.race([replayed, tooLong])).toBe(3)
      } finally {
        await knex().raw("DROP FUNCTION apply_at_once CASCADE")
      }
    })
  })

  describe("the inbox", () => {
    beforeEach(keyIsKnown)

    it("reads large deliveries a few at a time, however many there are, and applies all", async () => {
      const waiting = await knex().transaction()
      await lockShows(waiting, shop.denmark.connectionId)
      const description = "x".repeat(700_000)
      for (let n = 1; n <= 14; n += 1) {
        const told = envelope("live_event.created", liveEvent(`large${n}`, { description }))
        await tell(told)
      }
      const sizes: number[] = []
      const { inbox: rows } = svc().webhooks
      const take = jest.spyOn(rows, "take").mockImplementation(async (...asked) => {
        const taken = await InboxRows.prototype.take.apply(rows, asked)
        sizes.push(taken.reduce((sum, { body }) => sum + body.length, 0))
        return taken
      })
      try {
        await waiting.commit()
        await settled()
        expect(await events()).toHaveLength(14)
        // The limit, and the one that reaches it.
        expect(Math.max(...sizes)).toBeLessThan(9 * 1024 * 1024)
        expect(Math.max(...sizes)).toBeGreaterThan(7 * 1024 * 1024)
      } finally {
        take.mockRestore()
        if (!waiting.isCompleted()) await waiting.rollback()
      }
    })

    it("applies one connection's delivery while another's thousands wait for a lock", async () => {
      const other = await connectMarket(api, getContainer(), shop.sandbox, "europe")
      await ask("post", `/connections/${other.connectionId}/webhook/key`, { signature_key: KEY })
      await workInbox(getContainer())
      await knex().raw(
        `INSERT INTO svc_delivery (id, connection_id, dedup_key, topic, received_at, outcome, body, body_hash, bytes, headers, repeats, attempts)
         SELECT 'd' || n, ?, 'k' || n, 'live_event.created', now() - interval '1 hour', 'received', '{}', '', 2, '{}', 0, 0
         FROM generate_series(1, 3000) n`,
        [shop.denmark.connectionId],
      )
      // Its worker is stuck: somebody holds the connection's records.
      const stuck = await knex().transaction()
      try {
        await stuck.raw("SELECT id FROM svc_connection WHERE id = ? FOR UPDATE", [
          shop.denmark.connectionId,
        ])
        await stuck.raw(`SELECT id FROM svc_delivery WHERE connection_id = ? FOR UPDATE`, [
          shop.denmark.connectionId,
        ])
        const body = envelope("live_event.created", liveEvent("e1"), { pageUid: other.pageUid })
        const answer = await send(body, { url: `${storeUrl}/hooks/svc/${other.connectionId}` })
        expect(answer.status).toBe(200)
        await soon(async () =>
          expect((await events()).map((e: { connection_id: string }) => e.connection_id)).toEqual([
            other.connectionId,
          ]),
        )
      } finally {
        await stuck.rollback()
      }
      await knex()("svc_delivery").where({ topic: "live_event.created", bytes: 2 }).delete()
    })

    it("lets what a deleted show was go after a month, also where deliveries cannot be deleted, and still lets nothing bring it back", async () => {
      const told = (change: string, occurredAt: number) =>
        tell(envelope(`live_event.${change}`, liveEvent("e1"), { occurredAt }))
      const now = Date.now()
      await told("deleted", now - 1_000)
      await settled()
      const month = knex().raw("now() - interval '31 days'")
      await knex()("svc_live_event").update({ deleted_in_svc_at: month })
      const { inbox: rows } = svc().webhooks
      const trim = jest.spyOn(rows, "trim").mockRejectedValue(new Error("The disk is full."))
      await purgeDeliveries(getContainer())
        .then(() => expect(trim).toHaveBeenCalled())
        .finally(() => trim.mockRestore())
      expect(await knex()("svc_live_event").first("data")).toEqual({ data: {} })
      await told("updated", now - 2_000)
      await settled()
      expect(await knex()("svc_live_event").first("rank")).toEqual({ rank: 2 })
    })

    it("lets old deliveries go by age, and the oldest by size, but none that waits or needs somebody", async () => {
      try {
        await knex().raw(
          `INSERT INTO svc_delivery (id, connection_id, dedup_key, topic, received_at, outcome, body, body_hash, bytes, headers, repeats, attempts)
           SELECT outcome || days, ?, outcome || days, 'live_event.created', now() - days * interval '1 day', outcome,
             '{}', '', 1024 * 1024, '{}', 0, 0
           FROM unnest(ARRAY['applied', 'failed', 'received']) outcome, unnest(ARRAY[1, 2, 40, 100]) days`,
          [shop.denmark.connectionId],
        )
        // Nobody applies them meanwhile.
        await knex()("svc_delivery").update({
          next_attempt_at: knex().raw("now() + interval '1 hour'"),
        })
        const left = async () =>
          (await knex()("svc_delivery").pluck("id"))
            .filter((id: string) => !id.startsWith("svc"))
            .sort()
        await purgeDeliveries(getContainer())
        const waiting = ["received1", "received100", "received2", "received40"]
        expect(await left()).toEqual([
          "applied1",
          "applied2",
          "failed1",
          "failed2",
          "failed40",
          ...waiting,
        ])
        await svc().webhooks.inbox.trim({ days: 30, megabytes: 4, batch: 100 })
        expect(await left()).toEqual(["applied1", "failed1", "failed2", "failed40", ...waiting])
      } finally {
        await knex()("svc_delivery").delete()
      }
    })
  })
}
