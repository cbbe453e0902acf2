/** Why nothing arrives: what was refused, what the doctor finds, and a test delivery that is waited for. */
import { gzipSync } from "node:zlib"
import { workPulls } from "../../../src/workflows/shows"
import { connectMarket } from "../../setup/connected-market"
import { envelope, liveEvent } from "../../setup/deliveries"
import { KEY, soon, type WebhooksShop } from "./shop"

export function describeEvidence(shop: WebhooksShop): void {
  const { ask, get, keyIsKnown, knex, send, subscribers, svc, tell, webhookPath } = shop

  type Finding = { code: string; severity: string; evidence: Record<string, unknown> }
  const doctor = async (): Promise<Finding[]> => (await get(`${webhookPath()}/doctor`)).findings
  const found = async () => (await doctor()).map(({ code }) => code)
  const body = () => envelope("live_event.created", liveEvent("e1"))

  describe("a refused delivery", () => {
    beforeEach(keyIsKnown)

    it("leaves its reason and a count, and nothing of its body", async () => {
      // What the tests before were refused is still counted in memory.
      await svc().webhooks.admission.writeNotes()
      await knex()("svc_refused_delivery").delete()
      // One that names our page may be the service's, with another key; a stranger's does not.
      const headers = { "x-svc-page-uid": "demo-page" }
      for (let times = 0; times < 7; times += 1) await send(body(), { key: "a guess", headers })
      await send(body(), { key: "a guess" })
      await send(body(), { signature: null })
      await send(body(), { signature: "no base64" })
      await send(body(), { timestamp: Date.now() - 400_000 })
      await send(envelope("live_event.created", liveEvent("e1"), { pageUid: "other" }))
      await send(gzipSync(JSON.stringify(body())), { headers: { "content-encoding": "gzip" } })
      await send("x".repeat(2_000_000))
      await svc().webhooks.admission.writeNotes()
      const rows = await knex()("svc_refused_delivery").select("*")
      const counts = Object.fromEntries(
        rows.map(({ reason, count }: { reason: string; count: number }) => [reason, count]),
      )
      expect(counts).toEqual({
        wrong_key: 7,
        stranger: 1,
        signature_missing: 1,
        signature_malformed: 1,
        too_old: 1,
        wrong_page: 1,
        not_plain_json: 1,
        too_large: 1,
      })
      expect(JSON.stringify(rows)).not.toContain("campaign-e1")
    })

    it("that is too old is a red line in health, and the doctor says by how much", async () => {
      await send(body(), { timestamp: Date.now() - 3_600_000 })
      await svc().webhooks.admission.writeNotes()
      expect(await shop.problems()).toContainEqual(
        expect.objectContaining({ code: "deliveries_refused", severity: "critical" }),
      )
      const clock = (await doctor()).find(({ code }) => code === "clock")
      expect(clock).toMatchObject({ code: "clock", severity: "critical", evidence: { count: 1 } })
      // The hour, and what the delivery took on its way.
      expect(clock?.evidence.seconds).toBeGreaterThanOrEqual(3_600)
      expect(clock?.evidence.seconds).toBeLessThan(3_660)
      // A delivery that is accepted tells that all is well again.
      await tell(body())
      await svc().webhooks.admission.writeNotes()
      expect((await shop.problems()).map(({ code }) => code)).not.toContain("deliveries_refused")
    })

    it("that somebody sends again, long after the last good one, says nothing of the clocks", async () => {
      await tell(body())
      await svc().webhooks.admission.writeNotes()
      await knex()("svc_webhook").update({ last_delivery_at: new Date(Date.now() - 11 * 60_000) })
      const facts = async () => {
        const { startedAt, asOf } = await svc().shows.pulls.time(shop.denmark.connectionId)
        const { clock_skew_ms: skewMs } = (await get(webhookPath())).webhook
        const codes = (await shop.problems()).map(({ code }) => code)
        return { skewMs, ageMs: startedAt - asOf, isOff: codes.includes("clock_skew") }
      }
      const before = await facts()
      expect(before.skewMs).toBeLessThan(60_000)
      await send(body(), { timestamp: Date.now() - 20 * 86_400_000 })
      await svc().webhooks.admission.writeNotes()
      expect(await facts()).toEqual({ ...before, isOff: false })
      expect(await found()).toContain("clock")
    })
  })

  describe("what was refused", () => {
    const codes = async () => (await shop.problems()).map(({ code }) => code)
    /** As the service would send it: it names our webhook. */
    const refuse = async (how: { key: string } | { timestamp: number }) => {
      const { webhook } = await get(webhookPath())
      const headers = {
        "x-svc-page-uid": "demo-page",
        "x-svc-subscriber-uid": webhook.webhook_uid ?? "",
      }
      const { status } = await send(body(), { ...how, headers })
      expect(status).toBe(401)
      await svc().webhooks.admission.writeNotes()
      expect(await codes()).toContain("deliveries_refused")
    }

    it("by a key has passed with another key", async () => {
      await ask("post", webhookPath())
      await knex()("svc_webhook").update({ rotation: null, rotating_until: null })
      await refuse({ key: "a guess" })
      expect(await found()).toContain("wrong_key")
      expect((await ask("post", `${webhookPath()}/rotate`)).status).toBe(200)
      expect(await codes()).not.toContain("deliveries_refused")
      expect(await found()).not.toContain("wrong_key")
    })

    it("of a webhook is not told of the next one", async () => {
      await keyIsKnown()
      await refuse({ timestamp: Date.now() - 400_000 })
      expect((await ask("delete", webhookPath())).status).toBe(200)
      expect((await ask("post", webhookPath())).status).toBe(200)
      expect(await codes()).not.toContain("deliveries_refused")
      expect(await found()).not.toContain("clock")
    })
  })

  describe("the doctor", () => {
    it("finds that nothing is registered, and then that all is well", async () => {
      expect(await found()).toContain("webhook_not_registered")
      await ask("post", webhookPath())
      expect(await found()).toContain("never_heard")
      await shop.createEvent()
      await soon(async () => expect(await found()).toEqual(["well"]))
    })

    it("hears the first delivery also where the subscriber's row is written just then, and lets nobody wait for it", async () => {
      await keyIsKnown()
      const other = await connectMarket(shop.api, shop.getContainer(), shop.sandbox, "europe")
      await ask("post", `/connections/${other.connectionId}/webhook/key`, { signature_key: KEY })
      await workPulls(shop.getContainer())
      const subscriberOf = (connection_id: string) => knex()("svc_webhook").where({ connection_id })
      const heard = async (connectionId: string) =>
        (await subscriberOf(connectionId).first("last_delivery_at")).last_delivery_at !== null
      const { connectionId } = shop.denmark
      await knex()("svc_webhook").update({ last_delivery_at: null })

      const writing = await knex().transaction()
      try {
        await writing("svc_webhook")
          .where({ connection_id: connectionId })
          .update({ updated_at: new Date() })
        const toOther = () =>
          send(envelope("live_event.created", liveEvent("e2"), { pageUid: other.pageUid }), {
            url: shop.hookUrl().replace(connectionId, other.connectionId),
          })
        // All are answered while the row is held: were it waited for, nothing would be before the database gives up.
        const answers = await Promise.all([send(body()), send(body()), toOther(), toOther()])
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
        await soon(async () => expect(await heard(other.connectionId)).toBe(true))
        expect(await heard(connectionId)).toBe(false)
      } finally {
        await writing.commit()
      }
      // Without another delivery.
      await soon(async () => expect(await heard(connectionId)).toBe(true))
    })

    it("finds that somebody else answers at the store's address, and that none does", async () => {
      await ask("post", webhookPath())
      const { options } = svc()
      options.backendUrl = shop.sandbox.url
      expect(await found()).toEqual(
        expect.arrayContaining(["not_this_store", "webhook_other_address"]),
      )
      options.backendUrl = "http://127.0.0.1:9"
      expect(await found()).toContain("not_reached")
      options.allowInsecureUrls = false
      expect(await found()).toContain("address_insecure")
      options.backendUrl = "https://127.0.0.1:9"
      expect(await found()).toContain("address_not_public")
      options.backendUrl = undefined
      expect(await found()).toContain("backend_url_missing")
    })
  })

  describe("a test delivery", () => {
    const wait = (wait_seconds = 20) => ask("post", `${webhookPath()}/test`, { wait_seconds })

    it("is waited for, and shown with when and how it was answered", async () => {
      await ask("post", webhookPath())
      expect((await wait(0)).data.test).toMatchObject({ status: "waiting", answered: null })
      const waiting = wait()
      const [subscriber] = await subscribers()
      await shop.sandbox.control(`/subscribers/${subscriber?.uid}/test`, {})
      expect((await waiting).data.test).toMatchObject({
        status: "received",
        answered: 200,
        delivery: { topic: "svc.test", outcome: "test", received_at: expect.any(String) },
      })
    })

    it("that is refused says why", async () => {
      await ask("post", webhookPath())
      await knex()("svc_webhook").update({
        signature_key: svc().keyring.encrypt("another", {
          table: "svc_webhook",
          id: (await knex()("svc_webhook").first("id")).id,
          column: "signature_key",
        }),
        key_version: knex().raw("key_version + 1"),
      })
      const waiting = wait()
      const [subscriber] = await subscribers()
      await shop.sandbox.control(`/subscribers/${subscriber?.uid}/test`, {})
      expect((await waiting).data.test).toMatchObject({
        status: "refused",
        answered: 401,
        refusal: { reason: "wrong_key" },
      })
    })
  })
}
