/** Nothing is lost by a fault of ours. A database that is unwell: `package/unwell-database`; a kill: `package/receiver`. */
import applyDeliveries from "../../../src/jobs/apply-deliveries"
import { envelope, liveEvent } from "../../setup/deliveries"
import { untilWaiting } from "../../setup/locks"
import { soon, type WebhooksShop } from "./shop"

export function describeOurFaults(shop: WebhooksShop): void {
  const { events, get, getContainer, keyIsKnown, knex, pasteKey, send, settled, svc, tell } = shop

  describe("when something of ours is broken", () => {
    beforeEach(keyIsKnown)

    it("answers 503, never 401, while the key cannot be read or is lost", async () => {
      const body = envelope("live_event.created", liveEvent("e1"))
      const keyBecomes = (signature_key: string | null) =>
        knex()("svc_webhook").update({
          signature_key,
          key_version: knex().raw("key_version + 1"),
        })
      await keyBecomes("v1.gone.AAAA.AAAA.AAAA.AAAA")
      expect((await send(body)).status).toBe(503)
      await keyBecomes(null)
      expect((await send(body)).status).toBe(503)
      await pasteKey()
      expect((await send(body)).status).toBe(200)
    })

    it("applies a batch once, however long it takes, though another worker wants it meanwhile", async () => {
      const { connectionId } = shop.denmark
      await knex().raw(
        `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NEW; END $$;
         CREATE TRIGGER wait BEFORE INSERT ON svc_live_event FOR EACH ROW EXECUTE FUNCTION wait()`,
      )
      const slow = await knex().transaction()
      await slow.raw("SELECT pg_advisory_xact_lock(42)")
      try {
        await tell(envelope("live_event.created", liveEvent("e1")))
        await untilWaiting(knex())
        const other = svc().shows.projection.write(connectionId, (trx) =>
          svc().webhooks.inbox.take(trx, connectionId, { count: 300, bytes: 1 }),
        )
        // It waits for the first one's lock.
        await untilWaiting(knex(), 2)
        await slow.rollback()
        expect(await other).toEqual([])
      } finally {
        if (!slow.isCompleted()) await slow.rollback()
        await settled()
        await knex().raw("DROP TRIGGER wait ON svc_live_event; DROP FUNCTION wait")
      }
      expect(await knex()("svc_delivery").select("outcome", "attempts")).toEqual([
        { outcome: "applied", attempts: 1 },
      ])
    })

    it("goes on with the others when one row cannot be written, and comes back to it", async () => {
      await knex().raw(`ALTER TABLE svc_live_event ADD CONSTRAINT no_e2 CHECK (event_id <> 'e2')`)
      try {
        for (const id of ["e1", "e2", "e3"]) {
          await tell(envelope("live_event.created", liveEvent(id)))
        }
        await soon(async () => {
          expect((await events()).map((e: { event_id: string }) => e.event_id).sort()).toEqual([
            "e1",
            "e3",
          ])
          const { deliveries } = await get("/deliveries?outcome=received")
          expect(deliveries).toHaveLength(1)
          expect(deliveries[0].reason).toMatchObject({ code: "not_applied" })
          expect(deliveries[0].reason.message).toContain("no_e2")
        })
      } finally {
        await knex().raw(`ALTER TABLE svc_live_event DROP CONSTRAINT no_e2`)
      }
      await knex()("svc_delivery").update({ next_attempt_at: null })
      await applyDeliveries(getContainer())
      await soon(async () => expect(await events()).toHaveLength(3))
    })
  })
}
