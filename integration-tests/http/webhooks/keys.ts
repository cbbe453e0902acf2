/** Signature keys: rotated, pasted, and never shown (gap 12). */
import { envelope, liveEvent } from "../../setup/deliveries"
import { soon, type WebhooksShop } from "./shop"

export function describeKeys(shop: WebhooksShop): void {
  const { ask, createEvent, events, get, knex, pasteKey, send, settled, svc, webhookPath } = shop

  describe("its signature key", () => {
    afterEach(async () => {
      await shop.sandbox.control("/reset", {})
    })
    const firstOfTopic = async (topic: string) =>
      (
        await shop.sandbox.control<{
          deliveries: { topic: string; state: string; attempts: { status: number | null }[] }[]
        }>("/deliveries")
      ).deliveries.find((delivery) => delivery.topic === topic)

    it("loses nothing while the key rotates: 503 for what it cannot verify yet, then the new key alone", async () => {
      const before = (await ask("post", webhookPath())).data.webhook
      await shop.sandbox.control("/profiles", { rotation: "answer_lost" })
      const lost = await ask("post", `${webhookPath()}/rotate`)
      expect([lost.status, lost.data.code]).toEqual([502, "svc_call_failed"])
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

    it("tries a pasted key beside the one it has, and keeps the one that verifies", async () => {
      await pasteKey("first key")
      await pasteKey("second key, with a slip")
      const body = envelope("live_event.created", liveEvent("e1"))
      expect((await send(body, { key: "first key" })).status).toBe(200)
      await pasteKey("third key")
      expect(
        (await send(envelope("live_event.updated", liveEvent("e1")), { key: "third key" })).status,
      ).toBe(200)
      expect((await send(body, { key: "first key" })).status).toBe(401)
      expect((await send(body, { key: "second key, with a slip" })).status).toBe(401)
    })

    it("lets the key before a rotation go when the rotation has had its time", async () => {
      await pasteKey("old key")
      const [row] = await svc().listSvcWebhooks({})
      await pasteKey("new key")
      await knex()("svc_webhook").where({ id: row?.id }).update({ rotating_until: new Date() })
      const body = envelope("live_event.created", liveEvent("e1"))
      expect((await send(body, { key: "old key" })).status).toBe(401)
      expect((await send(body, { key: "new key" })).status).toBe(200)
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
