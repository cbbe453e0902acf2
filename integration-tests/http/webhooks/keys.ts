/** Signature keys: rotated, pasted, and never shown (gap 12). */
import { workPulls } from "../../../src/workflows/shows"
import { envelope, liveEvent } from "../../setup/deliveries"
import { soon, type WebhooksShop } from "./shop"

export function describeKeys(shop: WebhooksShop): void {
  const {
    ask,
    createEvent,
    events,
    get,
    getContainer,
    knex,
    pasteKey,
    send,
    settled,
    svc,
    webhookPath,
  } = shop

  describe("its signature key", () => {
    const firstOfTopic = async (topic: string) =>
      (await shop.sandbox.client.deliveries.list({ topic })).deliveries[0]

    it("loses nothing while the key rotates: 503 for what it cannot verify yet, then the new key alone", async () => {
      const before = (await ask("post", webhookPath())).data.webhook
      await shop.sandbox.control("/profiles", { rotation: "answer_lost" })
      const lost = await ask("post", `${webhookPath()}/rotate`)
      expect([lost.status, lost.data.code]).toEqual([502, "webhook_rotation_unsure"])
      expect((await get(webhookPath())).webhook.rotating).toBe(true)
      // The service signs with a key that never reached us: it is asked to send again.
      await createEvent()
      await soon(async () =>
        expect(await firstOfTopic("live_event.created")).toMatchObject({
          state: "pending",
          attempts: [{ status: 503 }],
        }),
      )

      await shop.sandbox.control("/profiles", { rotation: "immediate" })
      const rotated = await ask("post", `${webhookPath()}/rotate`)
      expect(rotated.status).toBe(200)
      expect(rotated.data.webhook.rotating).toBe(true)
      await shop.sandbox.control("/clock", { advance: "61s" })
      await soon(async () =>
        expect(await firstOfTopic("live_event.created")).toMatchObject({ state: "delivered" }),
      )
      await settled()
      expect(await events()).toHaveLength(1)
      const after = (await get(webhookPath())).webhook
      expect(after.signature_key.fingerprint).not.toBe(before.signature_key.fingerprint)

      // A delivery that the old key signed and that is late is asked to come again; then the window closes.
      expect((await send(envelope("live_event.updated", liveEvent("x")))).status).toBe(503)
      await knex()("svc_webhook").update({ rotating_until: new Date() })
      expect((await send(envelope("live_event.updated", liveEvent("x")))).status).toBe(401)
    })

    it("is not certain where a rotation's answer was lost: everybody says so until it is rotated again", async () => {
      await ask("post", webhookPath())
      // With one good delivery all was green.
      await createEvent()
      await soon(async () =>
        expect(await firstOfTopic("live_event.created")).toMatchObject({ state: "delivered" }),
      )
      await settled()
      await shop.sandbox.control("/profiles", { rotation: "answer_lost" })
      expect((await ask("post", `${webhookPath()}/rotate`)).status).toBe(502)
      const told = async () => {
        const { findings } = await get(`${webhookPath()}/doctor`)
        const { setup } = await get(`/connections/${shop.denmark.connectionId}/setup`)
        const codes = (list: { code: string }[]) => list.map(({ code }) => code)
        return {
          page: (await get(webhookPath())).webhook.last_error?.code ?? null,
          health: codes(await shop.problems()).includes("webhook_key_unsure"),
          doctor: codes(findings),
          step: setup.steps.find(({ name }: { name: string }) => name === "webhook").state,
        }
      }
      // The call is still under way, as far as anybody can see.
      expect(await told()).toMatchObject({ page: null, health: false, step: "done" })
      await knex()("svc_webhook").update({
        rotating_until: knex().raw("rotating_until - interval '61 seconds'"),
        last_delivery_at: knex().raw("last_delivery_at - interval '61 seconds'"),
      })
      expect(await told()).toEqual({
        page: "webhook_key_unsure",
        health: true,
        doctor: ["webhook_key_unsure"],
        step: "failed",
      })
      await shop.sandbox.control("/profiles", { rotation: "immediate" })
      expect((await ask("post", `${webhookPath()}/rotate`)).status).toBe(200)
      expect(await told()).toMatchObject({ page: null, health: false, step: "done" })
    })

    it("stays certain where no other was asked for, and where surely none was made", async () => {
      expect((await ask("post", webhookPath())).status).toBe(200)
      const fails = async (method: string, status: number, path = webhookPath()) => {
        await shop.sandbox.control("/faults", { on: "webhooks", kind: "status", method, status })
        expect((await ask("post", path)).status).toBe(502)
        await shop.sandbox.endFaults()
        return knex()("svc_webhook").pluck("rotation")
      }
      expect(await fails("PATCH", 500)).toEqual([null])
      expect(await fails("POST", 503, `${webhookPath()}/rotate`)).toEqual([null])
      expect(await fails("POST", 500, `${webhookPath()}/rotate`)).toEqual(["asked"])
    })

    it("that goes on to verify after a rotation whose answer was lost is not ended by one that was pasted wrong", async () => {
      await pasteKey()
      const rotation = () => knex()("svc_webhook").pluck("rotation")
      const askedAgo = (seconds: number) =>
        knex()("svc_webhook").update({
          rotation: "asked",
          rotating_until: new Date(Date.now() + 600_000 - seconds * 1000),
        })
      const isTaken = async (eventName: string) => {
        const { status } = await send(
          envelope("live_event.updated", liveEvent("e1", { eventName })),
        )
        await svc().webhooks.admission.writeNotes()
        return status === 200
      }
      // Registering again changes the webhook before it rotates, and the service may be slow at both.
      await askedAgo(70)
      expect(await isTaken("Signed before the call, for all that we know")).toBe(true)
      expect(await rotation()).toEqual(["asked"])
      await askedAgo(90)
      expect(await isTaken("Signed after it")).toBe(true)
      expect(await rotation()).toEqual([null])
      await pasteKey("a key with a slip")
      await knex()("svc_webhook").update({ rotating_until: new Date() })
      expect(await isTaken("Signed with the same")).toBe(true)
    })

    it("tries a pasted key beside the one it has, and keeps the one that verifies", async () => {
      await pasteKey("first key")
      await pasteKey("second key, with a slip")
      const body = envelope("live_event.created", liveEvent("e1"))
      expect((await send(body, { key: "first key" })).status).toBe(200)
      await pasteKey("third key")
      const isRotating = async () => (await get(webhookPath())).webhook.rotating
      expect(await isRotating()).toBe(true)
      expect(
        (await send(envelope("live_event.updated", liveEvent("e1")), { key: "third key" })).status,
      ).toBe(200)
      // A delivery is answered though keeping its key takes longer.
      await soon(async () => expect(await isRotating()).toBe(false))
      // The delivery that proves the key is the test of it, too.
      await svc().webhooks.admission.writeNotes()
      const { setup } = await get(`/connections/${shop.denmark.connectionId}/setup`)
      expect(setup.steps).toContainEqual(
        expect.objectContaining({ name: "test_delivery", state: "done" }),
      )
      expect((await send(body, { key: "first key" })).status).toBe(401)
      expect((await send(body, { key: "second key, with a slip" })).status).toBe(401)
    })

    describe("that was pasted and has verified a delivery", () => {
      const listings = () => knex()("svc_connection_work").where({ kind: "listings" }).first()
      let owedBefore = 0
      const isOwed = async () => {
        const { missed_at } = await listings()
        expect(missed_at?.getTime() ?? 0).toBeGreaterThan(owedBefore)
      }

      beforeEach(async () => {
        await pasteKey("the key before")
        await workPulls(getContainer())
        expect(await listings()).not.toMatchObject({ cause: "recovered" })
        await pasteKey("the key of the dashboard")
        owedBefore = (await listings()).missed_at?.getTime() ?? 0
      })

      it("has the lists read for what came before it, also where that is of an unknown topic", async () => {
        const body = envelope("live_event.moved", liveEvent("e1"))
        expect((await send(body, { key: "the key of the dashboard" })).status).toBe(422)
        await soon(isOwed)
      })

      it("has the lists read also where it is promoted after the answer", async () => {
        const body = envelope("live_event.created", liveEvent("e1"))
        const deliver = async () =>
          expect((await send(body, { key: "the key of the dashboard" })).status).toBe(200)
        const holder = await knex().transaction()
        try {
          await holder("svc_webhook").forUpdate()
          await deliver()
          expect(await knex()("svc_webhook").whereNotNull("candidate_key")).toHaveLength(1)
        } finally {
          await holder.rollback()
        }
        await soon(async () => {
          // On a slow machine the statement that waits may be ended: then the next delivery promotes.
          await deliver()
          expect(await knex()("svc_webhook").whereNull("candidate_key")).toHaveLength(1)
        })
        await isOwed()
      })
    })

    it("is of the webhook that leads to us, also where deliveries name it by another id than the list", async () => {
      await shop.sandbox.control("/profiles", { subscriber_ids: "own" })
      const { data } = await ask("post", webhookPath())
      const row = () => knex()("svc_webhook").first("webhook_uid", "subscriber_uid", "state")
      const webhookUid = data.webhook.webhook_uid
      const named = `sub_${webhookUid}`
      await createEvent()
      await soon(async () => {
        await svc().webhooks.admission.writeNotes()
        expect(await row()).toMatchObject({ webhook_uid: webhookUid, subscriber_uid: named })
      })
      // As where its key alone was pasted here: its id is known from deliveries.
      await knex()("svc_webhook").update({ webhook_uid: null, state: null, refreshed_at: null })
      await createEvent()
      await soon(async () => {
        await svc().webhooks.admission.writeNotes()
        expect(await row()).toMatchObject({ webhook_uid: named })
      })
      await knex()("svc_webhook").update({ refreshed_at: null })
      expect((await get(webhookPath())).webhook).toMatchObject({ state: "active" })
      expect((await ask("post", `${webhookPath()}/rotate`)).status).toBe(200)
      // Somebody rotates it in the dashboard.
      await fetch(`${shop.sandbox.url}/api/v1/webhooks/${webhookUid}/rotateSignatureKey`, {
        method: "POST",
        headers: { authorization: `Token ${shop.denmark.apiToken}` },
      })
      await knex()("svc_webhook").update({ rotation: null, rotating_until: null })
      await createEvent()
      await soon(async () => {
        await svc().webhooks.admission.writeNotes()
        expect((await shop.problems()).map(({ code }) => code)).toContain("deliveries_refused")
      })
      expect((await ask("delete", webhookPath())).status).toBe(200)
      expect((await shop.sandbox.client.subscribers.list()).subscribers).toEqual([])
    })

    it("loses none of the deliveries that come while it rotates, and the old key is dead at once", async () => {
      const { options } = svc()
      // The sandbox's clock is turned for its retries, the store's is not.
      options.webhookToleranceSeconds = 0
      await pasteKey("the key before")
      await send(envelope("live_event.created", liveEvent("x")), { key: "the key before" })
      // A hundred mismatches in a minute are another address's than those of the tests after this.
      const custom_headers = [{ name: "X-Forwarded-For", value: "203.0.113.49" }]
      expect((await ask("post", webhookPath(), { custom_headers })).status).toBe(200)
      let count = 0
      const emitWhile = async (isWanted: () => boolean) => {
        while (isWanted()) {
          await Promise.all(
            Array.from({ length: 10 }, (_, index) =>
              shop.sandbox.control("/emit", {
                page_uid: "demo-page",
                topic: "live_event.updated",
                data: liveEvent(`e${count + index}`),
              }),
            ),
          )
          count += 10
        }
      }
      for (let rotations = 0; rotations < 2; rotations++) {
        const before = count
        await emitWhile(() => count < before + 30)
        let isOver = false
        const rotating = ask("post", `${webhookPath()}/rotate`).finally(() => {
          isOver = true
        })
        // The sandbox lists a thousand at most.
        await emitWhile(() => !isOver && count < before + 400)
        expect((await rotating).status).toBe(200)
      }
      await emitWhile(() => count < 150)
      await shop.sandbox.control("/clock", { run_until_idle: true, grace_ms: 30_000 })
      const { deliveries: told } = await shop.sandbox.client.deliveries.list({
        topic: "live_event.updated",
        limit: 1000,
      })
      expect(told).toHaveLength(count)
      expect(told.filter(({ state }) => state !== "delivered")).toEqual([])
      const late = await send(envelope("live_event.created", liveEvent("y")), {
        key: "the key before",
      })
      expect(late.status).not.toBe(200)
    })

    it("keeps the key that the service told while a person pastes another, and the registration's", async () => {
      await shop.sandbox.control("/profiles", { rotation: "answer_late" })
      const registered = ask("post", webhookPath())
      await pasteKey("a key with a slip")
      expect((await registered).status).toBe(200)
      const rotated = ask("post", `${webhookPath()}/rotate`)
      await pasteKey("another key with a slip")
      expect((await rotated).status).toBe(200)
      await createEvent({ name: "Told with the right key" })
      await soon(async () =>
        expect(await firstOfTopic("live_event.created")).toMatchObject({ state: "delivered" }),
      )
    })

    it("refuses an empty key and never shows one", async () => {
      expect((await pasteKey("  ")).data.code).toBe("invalid_request")
      const { data } = await pasteKey("a very secret key")
      expect(JSON.stringify(data)).not.toContain("secret")
      expect(data.webhook).toMatchObject({ webhook_uid: null, url: null, rotating: false })
      const [row] = await knex()("svc_webhook").select("*")
      expect(JSON.stringify(row)).not.toContain("a very secret key")
    })
  })
}
