/** The subscriber's state at the service is looked up, and what its answers say of missed deliveries is not lost (gap 20). */
import { SvcClient } from "../../../src/client"
import reconcileWebhooks from "../../../src/jobs/reconcile-webhooks"
import { workPulls } from "../../../src/workflows/shows"
import { envelope, liveEvent } from "../../setup/deliveries"
import { whileRefusing } from "../../setup/while-refusing"
import { soon, type WebhooksShop } from "./shop"

const MINUTE = 60_000
export function describeSubscriberState(shop: WebhooksShop): void {
  const { ask, createEvent, disableSubscriber, events, getContainer, knex, svc, webhookPath } = shop

  const ago = (ms: number) => new Date(Date.now() - ms)
  const names = async () => (await events()).map(({ name }: { name: string }) => name)
  const lookUp = () => reconcileWebhooks(getContainer())
  /** Its state is looked up next time. `refreshed_at`: when the service last answered. */
  const isDue = async (columns: { state?: string; refreshed_at?: Date } = {}) => {
    await knex()("svc_webhook").update({ refreshed_at: ago(9 * MINUTE), ...columns })
    await svc().webhooks.lookUps.request()
  }
  const nextLookUpMs = async () =>
    (await svc().webhooks.lookUps.dueInMs(shop.denmark.connectionId)).get(
      shop.denmark.connectionId,
    ) ?? 0
  /** An event that no delivery told of. */
  async function missedEvent() {
    await shop.sandbox.control("/faults", { on: "delivery", kind: "status", status: 503 })
    await createEvent({ name: "Nobody told" })
  }

  describe("the state of the subscriber", () => {
    beforeEach(async () => {
      await ask("post", webhookPath())
      await workPulls(getContainer())
    })
    afterEach(async () => {
      jest.restoreAllMocks()
      jest.useRealTimers()
    })

    it("is red in health, on the page and in the checklist, with the reason, where a show runs of which nothing was told for a day", async () => {
      type Reason = { code: string; message: string }
      const told = async () => {
        const { connectionId, admin } = shop.denmark
        const { status, data } = await shop.api.get("/admin/svc/health", {
          ...admin,
          validateStatus: () => true,
        })
        const { webhook } = await shop.get(webhookPath())
        const { setup } = await shop.get(`/connections/${connectionId}/setup`)
        const { findings } = await shop.get(`${webhookPath()}/doctor`)
        const code = (reason: Reason | null | undefined) => reason?.code ?? null
        const isSilent = ({ code }: Reason) => code === "webhook_silent"
        return {
          health: [status, data.health.problems.find(isSilent)?.severity ?? null],
          page: code(webhook.last_error),
          checklist: code(
            setup.steps.find(({ name }: { name: string }) => name === "webhook")?.reason,
          ),
          doctor: findings.find(isSilent)?.severity ?? null,
        }
      }
      // The last that came was a day ago. The show begins, and no delivery says so.
      const yesterday = ago(24 * 60 * MINUTE)
      await knex()("svc_webhook").update({
        signature_key_updated_at: yesterday,
        last_delivery_at: yesterday,
        created_at: yesterday,
      })
      await knex()("svc_connection_work").update({ read_at: yesterday, created_at: yesterday })
      await shop.sandbox.control("/faults", { on: "delivery", kind: "status", status: 503 })
      const beganAt = (live_started_at: Date) =>
        knex()("svc_live_event").update({ live_started_at })
      try {
        const { id } = await createEvent({ name: "Nobody told" })
        await shop.sandbox.control(`/events/${id}/start`, {})
        await lookUp()
        await workPulls(getContainer())
        expect(await events()).toMatchObject([{ status: "live" }])
        await beganAt(ago(14 * MINUTE))
        expect(await told()).toMatchObject({ page: null, checklist: null, doctor: null })
        // Times of rows are the database's, whatever the clock of this process says.
        const real = Date.now
        jest.spyOn(Date, "now").mockImplementation(() => real() + 5 * MINUTE)
        expect(await told()).toMatchObject({ page: null, checklist: null, doctor: null })
        jest.restoreAllMocks()
        await beganAt(ago(16 * MINUTE))
        expect(await told()).toEqual({
          health: [503, "critical"],
          page: "webhook_silent",
          checklist: "webhook_silent",
          doctor: "critical",
        })
      } finally {
        await shop.sandbox.endFaults()
      }
    })

    it("that is well again has the listings read, whatever fails right after it was heard", async () => {
      await missedEvent()
      await isDue({ state: "warning" })
      jest
        .spyOn(svc().webhooks.lookUps, "settle")
        .mockRejectedValue(new Error("The database is away."))
      await lookUp()
      jest.restoreAllMocks()
      await isDue()
      await lookUp()
      await workPulls(getContainer())
      expect(await names()).toEqual(["Nobody told"])
    })

    it("of a webhook that a person made at the service is looked up once it has delivered", async () => {
      await ask("delete", webhookPath())
      const made = await fetch(`${shop.sandbox.url}/api/v1/webhooks`, {
        method: "POST",
        headers: {
          authorization: `Token ${shop.denmark.apiToken}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({
          name: "By hand",
          topics: ["live_event.created", "live_event.updated"],
          url: shop.hookUrl(),
        }),
      })
      const { webhookUid, signatureKey } = await made.json()
      await shop.pasteKey(signatureKey)
      // The reading that a pasted key asks for, which would learn of the event as well.
      await workPulls(getContainer())
      const row = () => knex()("svc_webhook").first("webhook_uid", "state", "topics")
      expect(await row()).toEqual({ webhook_uid: null, state: null, topics: [] })

      await createEvent({ name: "Told by hand" })
      await soon(async () => expect(await names()).toEqual(["Told by hand"]))
      await svc().webhooks.admission.writeNotes()
      await lookUp()
      const heard = {
        webhook_uid: webhookUid,
        state: "active",
        topics: ["live_event.created", "live_event.updated"],
      }
      expect(await row()).toEqual(heard)

      await disableSubscriber()
      await isDue()
      await lookUp()
      expect((await row()).state).toBe("disabled")
      const { status, data } = await ask("get", "/health")
      expect(status).toBe(503)
      expect(data.health.problems.map(({ code }: { code: string }) => code)).toContain(
        "webhook_disabled",
      )
      // And it can be looked after from here.
      expect((await ask("post", `${webhookPath()}/rotate`)).status).toBe(200)
    })

    it("of such a webhook is looked up, also where that could not be asked for as it was heard", async () => {
      await ask("delete", webhookPath())
      await shop.pasteKey()
      await knex()("svc_connection_work").where({ kind: "subscriber" }).delete()
      const isHeard = async () => {
        const told = envelope("live_event.created", liveEvent("e1"))
        expect((await shop.send(told)).status).toBe(200)
        await svc().webhooks.admission.writeNotes()
      }
      const writes = "INSERT ON svc_connection_work"
      await whileRefusing(knex(), writes, "the disk is full", isHeard, "NEW.kind = 'subscriber'")
      await soon(async () => {
        await svc().webhooks.admission.writeNotes()
        expect(await nextLookUpMs()).toBeLessThanOrEqual(0)
        expect(await knex()("svc_connection_work").where({ kind: "subscriber" })).toHaveLength(1)
      })
    })

    it("is not overwritten by an answer about the subscriber before it", async () => {
      await isDue()
      const change = { webhook_uid: "another", state: "disabled" }
      const asked = SvcClient.prototype.listWebhooks
      jest.spyOn(SvcClient.prototype, "listWebhooks").mockImplementationOnce(async function (
        this: SvcClient,
        ...args
      ) {
        const answer = await asked.apply(this, args)
        // Registered anew while the answer was under way.
        await knex()("svc_webhook").update(change)
        return answer
      })
      await lookUp()
      expect(await knex()("svc_webhook").first("webhook_uid", "state")).toEqual(change)
    })

    it("is heard from a service that takes longer than a person would wait", async () => {
      await isDue({ state: "warning" })
      await shop.sandbox.control("/faults", { on: "webhooks", kind: "delay", delay_ms: 3_300 })
      await lookUp()
      expect(await knex()("svc_webhook").first("state")).toEqual({ state: "active" })
    })

    it("is looked up no sooner than the service asks for", async () => {
      await isDue({ state: "warning" })
      await shop.sandbox.control("/faults", { on: "webhooks", kind: "throttle", retry_after: 600 })
      await lookUp()
      expect(await knex()("svc_webhook").first("state")).toEqual({ state: "warning" })
      expect(await nextLookUpMs()).toBeGreaterThan(5 * MINUTE)
    })

    it("that was not heard for ten minutes has the listings read, though it was active all the time", async () => {
      await missedEvent()
      await isDue({ refreshed_at: ago(9 * MINUTE) })
      await lookUp()
      await workPulls(getContainer())
      expect(await names()).toEqual([])

      // Lookups that fail are no answers.
      await isDue({ refreshed_at: ago(11 * MINUTE) })
      const fault = { on: "webhooks", kind: "status", status: 503, times: 1 }
      await shop.sandbox.control("/faults", fault)
      await lookUp()
      expect(await knex()("svc_webhook").first("state")).toEqual({ state: "active" })
      await svc().webhooks.lookUps.request()
      await lookUp()
      await workPulls(getContainer())
      expect(await names()).toEqual(["Nobody told"])
    })
  })
}
