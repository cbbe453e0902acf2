/** What the receiver answers to a delivery, and what it keeps of it (gap 15). */
import { randomUUID } from "node:crypto"
import { gzipSync } from "node:zlib"
import { DeliveryWriter, type NewDelivery } from "../../../src/modules/svc/webhooks/delivery-writer"
import { connectMarket } from "../../setup/connected-market"
import { type Answer, envelope, eventProduct, liveEvent, sign } from "../../setup/deliveries"
import { KEY, type WebhooksShop } from "./shop"

export function describeReceiving(shop: WebhooksShop): void {
  const { api, ask, events, get, inbox, keyIsKnown, knex, settled, storeUrl, svc } = shop
  const { send, tell } = shop

  describe("receiving", () => {
    beforeEach(keyIsKnown)

    it("keeps a good delivery, applies it, and shows the show in the admin and in the shop", async () => {
      const answer = await send(
        envelope(
          "live_event.created",
          liveEvent("e1", { currentStatus: "live", description: "With clay." }),
        ),
      )
      expect([answer.status, answer.body]).toEqual([200, { received: true, outcome: "received" }])
      await tell(envelope("live_event_product.created", eventProduct("p1", "campaign-e1")))
      await settled()

      const { deliveries, count } = await get("/deliveries")
      expect(count).toBe(2)
      expect(deliveries[0]).toMatchObject({
        connection_id: shop.denmark.connectionId,
        topic: "live_event_product.created",
        outcome: "applied",
        reason: null,
        repeats: 0,
      })
      const [event] = await events()
      expect(event).toMatchObject({
        event_id: "e1",
        kind: "live",
        campaign_uid: "campaign-e1",
        name: "Show e1",
        status: "live",
        is_published: true,
        starts_at: "2030-03-17T17:46:40.000Z",
        live_started_at: null,
        deadline: null,
        deleted_at: null,
      })
      const { live_event } = await get(`/live-events/${event.id}`)
      expect(live_event.description).toBe("With clay.")
      expect(live_event.products).toEqual([
        expect.objectContaining({
          uid: "p1",
          sku: "sku-p1",
          external_id: "prod_p1",
          campaign_uid: "campaign-e1",
          price: 79.5,
          suggested_retail_price: 99,
          available: true,
          deleted_at: null,
          readiness: {
            ready: true,
            problems: [expect.objectContaining({ code: "catalog_not_imported" })],
          },
        }),
      ])
      expect([event.product_count, live_event.currency_code]).toEqual([1, "dkk"])
      const storefront = await api.get("/store/svc/live-events", shop.denmark.store)
      // A show that is cancelled goes from the shop at once: nothing on the way keeps the list for longer.
      expect(storefront.headers["cache-control"]).toBe("public, max-age=2, must-revalidate")
      expect(storefront.data.live_events).toEqual([
        expect.objectContaining({
          event_id: "e1",
          page_uid: shop.denmark.pageUid,
          currency_code: "dkk",
          prices_include_tax: true,
          products: [expect.objectContaining({ external_id: "prod_p1", price: 79.5 })],
        }),
      ])
      // Two markets of one sales channel have a page each.
      for (const [page, names] of [
        [shop.denmark.pageUid, ["Show e1"]],
        ["another-page", []],
      ] as const) {
        const path = `/store/svc/live-events?status=live&page_uid=${page}`
        const { data } = await api.get(path, shop.denmark.store)
        expect(data.live_events.map(({ name }: { name: string }) => name)).toEqual(names)
      }
    })

    // gap 9, gap 11
    it("refuses what is not signed for these bytes with one 401, and keeps nothing", async () => {
      const body = JSON.stringify(envelope("live_event.created", liveEvent("e1")))
      const now = Date.now()
      const good = sign(KEY, now, body)
      const refused: [string, Promise<Answer>][] = [
        ["wrong key", send(body, { key: "another key" })],
        ["unsigned", send(body, { signature: null })],
        ["a list of signatures", send(body, { timestamp: now, signature: `${good}, ${good}` })],
        ["stale timestamp", send(body, { timestamp: now - 301_000 })],
        ["timestamp from the future", send(body, { timestamp: now + 3_600_000 })],
        ["timestamp with junk", send(body, { timestamp: `${now}junk` })],
        [
          "another timestamp than signed",
          send(body, { timestamp: now, signature: sign(KEY, now - 1, body) }),
        ],
        [
          "re-serialised body",
          send(JSON.stringify(JSON.parse(body), null, 1), { timestamp: now, signature: good }),
        ],
        [
          "another page",
          send(envelope("live_event.created", liveEvent("e1"), { pageUid: "other-page" })),
        ],
        ["unknown connection", send(body, { url: `${storeUrl}/hooks/svc/svccon_unknown` })],
        ["odd connection", send(body, { url: `${storeUrl}/hooks/svc/..%2f..%2fadmin` })],
      ]
      const answers = await Promise.all(
        refused.map(async ([what, answer]) => [what, (await answer).status, (await answer).body]),
      )
      const one = {
        type: "unauthorized",
        code: "not_verified",
        message: "The delivery could not be verified.",
      }
      expect(answers).toEqual(refused.map(([what]) => [what, 401, one]))
      expect(await inbox()).toEqual([])
      expect(await events()).toEqual([])
    })

    it("answers 415 to anything but plain JSON in UTF-8, signed or not", async () => {
      const body = JSON.stringify(envelope("live_event.created", liveEvent("e1")))
      const refused: Record<string, string>[] = [
        { "content-type": "" },
        { "content-type": "text/plain" },
        { "content-type": "application/vnd.api+json" },
        { "content-type": "application/json; charset=iso-8859-1" },
        { "content-encoding": "gzip" },
        { "content-encoding": "br" },
      ]
      for (const headers of refused) {
        const answer = await send(body, { headers })
        expect([headers, answer.status, answer.body.code]).toEqual([headers, 415, "not_plain_json"])
      }
      const zipped = await send(gzipSync(body), { headers: { "content-encoding": "gzip" } })
      expect(zipped.status).toBe(415)
      expect(await inbox()).toEqual([])
      for (const type of [
        "application/json",
        "application/json; charset=utf-8",
        'Application/JSON;charset="UTF-8"',
      ]) {
        const headers = { "content-type": type, "content-encoding": "identity" }
        expect([type, (await send(body, { headers })).status]).toEqual([type, 200])
      }
    })

    // gap 17
    it("answers 413 over 1 MiB, told or not, and takes what is just below", async () => {
      const sized = (bytes: number) => {
        const body = envelope("live_event.created", liveEvent("e1", { description: "" }))
        const rest = bytes - Buffer.byteLength(JSON.stringify(body))
        body.data = liveEvent("e1", { description: "x".repeat(rest) })
        return JSON.stringify(body)
      }
      const over = sized(1024 * 1024 + 1)
      expect((await send(over)).status).toBe(413)
      expect((await send(over, { chunked: true })).status).toBe(413)
      expect((await send("x".repeat(20 * 1024 * 1024), { chunked: true })).status).toBe(413)
      expect(await inbox()).toEqual([])
      expect((await send(sized(1024 * 1024), { chunked: true })).status).toBe(200)
    })

    it("counts a repeat and changes nothing else, whatever the attempt is called", async () => {
      const body = envelope("live_event.created", liveEvent("e1"))
      expect((await send(body)).body.outcome).toBe("received")
      await settled()
      const before = { inbox: await inbox(), events: await events() }

      for (let attempt = 0; attempt < 3; attempt += 1) {
        const again = { ...body, deliveryUid: randomUUID(), deliveryAt: Date.now() }
        const answer = await send({
          ...again,
          metadata: { ...body.metadata, subscriberUid: "s2" },
        })
        expect([answer.status, answer.body.outcome]).toEqual([200, "duplicate"])
      }
      const after = await inbox()
      expect(after).toEqual([{ ...before.inbox[0], repeats: 3 }])
      expect(await events()).toEqual(before.events)
    })

    it("lets one of many copies in that come at the same time", async () => {
      const body = envelope("live_event.created", liveEvent("e1"))
      const answers = await Promise.all(Array.from({ length: 20 }, () => tell(body)))
      expect(answers.filter(({ body: { outcome } }) => outcome === "received")).toHaveLength(1)
      expect(await inbox()).toHaveLength(1)
    })

    describe("many that come at once", () => {
      const writer = () => new DeliveryWriter(knex(), 60_000)
      const waits = new AbortController().signal
      const deliveries = async ({ connectionId: connection_id, pageUid } = shop.denmark) => {
        const keys = await knex()("svc_webhook").where({ connection_id }).first("id", "key_version")
        return (dedup_key: string, changes: Partial<NewDelivery> = {}): NewDelivery => ({
          connection_id,
          page_uid: pageUid,
          webhook_id: keys.id,
          key_version: keys.key_version,
          is_candidate: false,
          signed_by: null,
          dedup_key,
          topic: "live_event.created",
          event_uid: null,
          delivery_uid: null,
          occurred_at: null,
          // No worker takes it, which would find it unreadable, and a repeat of that is judged again.
          outcome: "unknown",
          reason: null,
          body: Buffer.from("{}"),
          body_hash: "hash",
          headers: {},
          ...changes,
        })
      }

      it("are each judged by their own keys, and none is written that was given up", async () => {
        const delivery = await deliveries()
        const { key_version: version } = delivery("")
        const together = writer()
        const givenUp = new AbortController()
        const keeping = [
          together.keep(delivery("alone"), waits),
          together.keep(delivery("good"), waits),
          together.keep(delivery("good"), waits),
          together.keep(delivery("old key", { key_version: version - 1 }), waits),
          together.keep(delivery("no such connection", { connection_id: "svccon_none" }), waits),
          together.keep(delivery("given up"), givenUp.signal),
          together.keep(delivery("given up before"), AbortSignal.abort()),
          together.keep(delivery("last"), waits),
        ]
        givenUp.abort()
        const kept = await Promise.allSettled(keeping)
        expect(
          kept.map((one) => (one.status === "rejected" ? "rejected" : one.value?.isNew)),
        ).toEqual([true, true, false, undefined, undefined, "rejected", "rejected", true])
        const rows = await knex()("svc_delivery")
          .select("dedup_key", "repeats")
          .orderBy("dedup_key")
        expect(rows).toEqual([
          { dedup_key: "alone", repeats: 0 },
          { dedup_key: "good", repeats: 1 },
          { dedup_key: "last", repeats: 0 },
        ])
      })

      it("wait for no repeat whose first is just being applied", async () => {
        const delivery = await deliveries()
        const together = writer()
        await together.keep(delivery("first"), waits)
        const applying = await knex().transaction()
        try {
          await applying("svc_delivery").where({ dedup_key: "first" }).forUpdate()
          const repeat = together.keep(delivery("first"), waits)
          const others = ["second", "third"].map((key) => together.keep(delivery(key), waits))
          expect(await Promise.all(others)).toMatchObject([{ isNew: true }, { isNew: true }])
          await applying.commit()
          expect(await repeat).toMatchObject({ isNew: false })
        } finally {
          if (!applying.isCompleted()) await applying.rollback()
        }
      })

      it("wait for no other connection, such as one that is just being deleted", async () => {
        const other = await connectMarket(api, shop.getContainer(), shop.sandbox, "europe")
        await ask("post", `/connections/${other.connectionId}/webhook/key`, { signature_key: KEY })
        const [delivery, ofOther] = [await deliveries(), await deliveries(other)]
        const deleting = await knex().transaction()
        try {
          await deleting("svc_connection").where({ id: shop.denmark.connectionId }).forUpdate()
          const together = writer()
          const first = together.keep(delivery("first"), waits)
          expect(await together.keep(ofOther("second"), waits)).toMatchObject({ isNew: true })
          await deleting.commit()
          expect(await first).toMatchObject({ isNew: true })
        } finally {
          if (!deleting.isCompleted()) await deleting.rollback()
        }
      })
    })

    it("keeps an unknown topic and an unknown version, answers 422 and shows them", async () => {
      const moved = await send(envelope("live_event.moved", liveEvent("e1")))
      expect([moved.status, moved.body.code]).toEqual([422, "unknown_topic"])
      const second = await send({ ...envelope("live_event.created", {}), version: "v2" })
      expect(second.status).toBe(422)
      const rows = await inbox()
      expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
        "unknown",
        "unknown",
      ])
      expect(rows[0].reason).toMatchObject({ code: "unknown_version", params: { version: "v2" } })
      expect(rows[1].reason).toMatchObject({
        code: "unknown_topic",
        params: { topic: "live_event.moved" },
      })
    })

    // gap 19
    it("applies what a service tells whose clock is ahead, where the store minds no clock", async () => {
      svc().options.webhookToleranceSeconds = 0
      const ahead = Date.now() + 10 * 60_000
      const body = envelope("live_event.created", liveEvent("e1"), { occurredAt: ahead })
      const answer = await send({ ...body, deliveryAt: ahead }, { timestamp: ahead })
      expect(answer.status).toBe(200)
      await settled()
      expect(await inbox()).toMatchObject([{ outcome: "applied" }])
    })

    it("puts a change from the future aside, and applies it when a person says so in its time", async () => {
      const now = Date.now()
      const far = envelope("live_event.created", liveEvent("e1"), { occurredAt: now + 3_600_000 })
      const near = envelope("live_event.created", liveEvent("e2"), { occurredAt: now + 270_000 })
      const answer = await send(far)
      expect([answer.status, answer.body.outcome]).toEqual([200, "quarantined"])
      // Sent a minute ago, it was more than five minutes ahead; by now it is not.
      expect((await send(near, { timestamp: now - 60_000 })).body.outcome).toBe("quarantined")
      expect(await events()).toEqual([])

      const [second, first] = await inbox()
      expect(first.reason.message).toContain(new Date(far.occurredAt).toISOString())
      const replay = async (id: string) =>
        (await ask("post", `/deliveries/${id}/replay`)).data.delivery.outcome
      expect(await replay(first.id)).toBe("quarantined")
      expect(await replay(second.id)).toBe("applied")
      expect(await replay(second.id)).toBe("applied")
      expect((await events()).map((e: { event_id: string }) => e.event_id)).toEqual(["e2"])
      expect((await ask("post", "/deliveries/unknown/replay")).status).toBe(404)
    })
  })
}
