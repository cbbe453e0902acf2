import { randomUUID } from "node:crypto"
import { gzipSync } from "node:zlib"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import fc from "fast-check"
import applyDeliveries from "../../src/jobs/apply-deliveries"
import keepListening from "../../src/jobs/keep-listening"
import { SVC_MODULE } from "../../src/modules/svc"
import type SvcModuleService from "../../src/modules/svc/service"
import { SubscriberRows } from "../../src/modules/svc/sql/subscriber"
import { workPulls } from "../../src/workflows/webhooks"
import {
  type Answer,
  deliver,
  envelope,
  eventProduct,
  liveEvent,
  type Sending,
  sign,
} from "../setup/deliveries"
import { runs } from "../setup/generated"
import { connectMarket, eventually, type Market, seedShop } from "../setup/market"
import { describeStore } from "../setup/medusa"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"

/** Repeats a check until it holds, and fails with what it found last. */
const soon = (check: () => Promise<void>) => eventually(check, () => true)

const KEY = "a key as it was shown, with ø"

describeStore(({ api, getContainer, storeUrl }) => {
  describe("webhooks", () => {
    let sandbox: RunningSandbox
    let market: Market

    beforeAll(async () => {
      sandbox = await startSandbox()
      await seedShop(getContainer())
      market = await connectMarket(api, getContainer(), sandbox, "denmark")
    })
    afterAll(() => sandbox.stop())

    const svc = () => getContainer().resolve<SvcModuleService>(SVC_MODULE)
    const knex = (): Knex => svc().database()
    const get = async (path: string) => (await api.get(`/admin/svc${path}`, market.admin)).data
    const ask = (method: "post" | "delete" | "get", path: string, body?: unknown) =>
      api.request({
        method,
        url: `/admin/svc${path}`,
        data: body,
        ...market.admin,
        validateStatus: () => true,
      })
    const webhookPath = () => `/connections/${market.connectionId}/webhook`
    const hookUrl = () => `${storeUrl}/hooks/svc/${market.connectionId}`
    const send = (body: unknown, changes: Partial<Sending> = {}): Promise<Answer> =>
      deliver({ url: hookUrl(), key: KEY, body, ...changes })
    const inbox = async () => (await get("/deliveries?limit=200")).deliveries
    const events = async () => (await get("/live-events?limit=200")).live_events
    const settled = () =>
      soon(async () => {
        const waiting = await get("/deliveries?outcome=received")
        expect(waiting.count).toBe(0)
      })

    const pasteKey = (signature_key = KEY) => ask("post", `${webhookPath()}/key`, { signature_key })
    /** The listings that a new subscriber has read are read: later they would judge what a test delivers. */
    const keyIsKnown = async () => {
      expect((await pasteKey()).status).toBe(200)
      await workPulls(getContainer())
    }

    describe("receiving", () => {
      beforeEach(keyIsKnown)

      it("keeps a good delivery, applies it, and shows the show in the admin and in the shop", async () => {
        const answer = await send(
          envelope("live_event.created", liveEvent("e1", { currentStatus: "live" })),
        )
        expect([answer.status, answer.body]).toEqual([200, { received: true, outcome: "received" }])
        await send(envelope("live_event_product.created", eventProduct("p1", "campaign-e1")))
        await settled()

        const { deliveries, count } = await get("/deliveries")
        expect(count).toBe(2)
        expect(deliveries[0]).toMatchObject({
          connection_id: market.connectionId,
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
              ready: false,
              problems: [expect.objectContaining({ code: "not_in_store" })],
            },
          }),
        ])
        expect([event.product_count, live_event.currency_code]).toEqual([1, "dkk"])
        const shop = await api.get("/store/svc/live-events", market.store)
        expect(shop.headers["cache-control"]).toContain("max-age=10")
        expect(shop.data.live_events).toEqual([
          expect.objectContaining({
            event_id: "e1",
            currency_code: "dkk",
            products: [expect.objectContaining({ external_id: "prod_p1", price: 79.5 })],
          }),
        ])
      })

      it("keeps the payload as it came, and no secret header", async () => {
        const body = envelope("live_event.created", liveEvent("e1"))
        await send(body, { headers: { "x-gateway-secret": "hush", "x-svc-page-uid": "demo-page" } })
        const [{ id }] = await inbox()
        const { delivery } = await get(`/deliveries/${id}`)
        expect(delivery.payload).toEqual(body)
        expect(Object.keys(delivery.headers).sort()).toEqual([
          "content-type",
          "user-agent",
          "x-svc-page-uid",
          "x-svc-timestamp",
        ])
      })

      it("refuses what is not signed for these bytes with one 401, and keeps nothing", async () => {
        const body = JSON.stringify(envelope("live_event.created", liveEvent("e1")))
        const now = Date.now()
        const good = sign(KEY, now, body)
        const refused: [string, Promise<Answer>][] = [
          ["wrong key", send(body, { key: "another key" })],
          ["unsigned", send(body, { signature: null })],
          ["empty signature", send(body, { signature: "" })],
          [
            "signature in hex",
            send(body, { signature: Buffer.from(good, "base64").toString("hex") }),
          ],
          ["signature in base64url", send(body, { signature: `${"-".repeat(43)}=` })],
          [
            "signature without padding",
            send(body, { timestamp: now, signature: good.slice(0, -1) }),
          ],
          ["signature with a space", send(body, { timestamp: now, signature: `${good} x` })],
          ["a list of signatures", send(body, { timestamp: now, signature: `${good}, ${good}` })],
          ["stale timestamp", send(body, { timestamp: now - 301_000 })],
          ["timestamp from the future", send(body, { timestamp: now + 3_600_000 })],
          ["timestamp in seconds", send(body, { timestamp: Math.round(now / 1000) })],
          ["timestamp with junk", send(body, { timestamp: `${now}junk` })],
          ["timestamp in hex", send(body, { timestamp: `0x${now.toString(16)}` })],
          [
            "another timestamp than signed",
            send(body, { timestamp: now, signature: sign(KEY, now - 1, body) }),
          ],
          [
            "re-serialised body",
            send(JSON.stringify(JSON.parse(body), null, 1), { timestamp: now, signature: good }),
          ],
          ["one more space", send(`${body} `, { timestamp: now, signature: good })],
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
          { "content-type": "application/x-www-form-urlencoded" },
          { "content-type": "application/vnd.api+json" },
          { "content-type": "application/json; charset=iso-8859-1" },
          { "content-encoding": "gzip" },
          { "content-encoding": "br" },
        ]
        for (const headers of refused) {
          const answer = await send(body, { headers })
          expect([headers, answer.status, answer.body.code]).toEqual([
            headers,
            415,
            "not_plain_json",
          ])
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
        const answers = await Promise.all(Array.from({ length: 20 }, () => send(body)))
        expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
        expect(answers.filter(({ body: { outcome } }) => outcome === "received")).toHaveLength(1)
        expect(await inbox()).toHaveLength(1)
      })

      it("answers 400 to a signed body that is no envelope", async () => {
        for (const body of ["", "{", "[]", "7", '{"version":"v1","topic":"live_event.created"}']) {
          const answer = await send(body)
          expect([body, answer.status, answer.body.code]).toEqual([body, 400, "not_an_envelope"])
        }
        expect((await send(Buffer.from([0x7b, 0xff, 0x7d]))).status).toBe(400)
        expect((await send("[".repeat(200_000))).status).toBe(400)
        expect(await inbox()).toEqual([])
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
        expect(rows[0].reason).toContain("v2")
        expect(rows[1].reason).toContain("live_event.moved")
      })

      it("takes test deliveries in every form and changes no state by them", async () => {
        const full = { ...envelope("svc.test", { test: true }) }
        const { metadata, ...withoutIds } = full
        for (const body of [full, { ...withoutIds, metadata: {} }, { topic: "svc.test" }]) {
          const answer = await send(body)
          expect([answer.status, answer.body.outcome]).toEqual([200, "test"])
        }
        const bare = await send({ test: true }, { headers: { "x-svc-topic": "svc.test" } })
        expect(bare.status).toBe(200)
        expect((await inbox()).map(({ outcome }: { outcome: string }) => outcome)).toEqual(
          Array(4).fill("test"),
        )
        expect(await events()).toEqual([])
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
        expect(first.reason).toContain(new Date(far.occurredAt).toISOString())
        const replay = async (id: string) =>
          (await ask("post", `/deliveries/${id}/replay`)).data.delivery.outcome
        expect(await replay(first.id)).toBe("quarantined")
        expect(await replay(second.id)).toBe("applied")
        expect(await replay(second.id)).toBe("applied")
        expect((await events()).map((e: { event_id: string }) => e.event_id)).toEqual(["e2"])
        expect((await ask("post", "/deliveries/unknown/replay")).status).toBe(404)
      })

      it("puts data aside that it cannot read, and says what is wrong with it", async () => {
        await send(envelope("live_event.created", { event: { id: "e1" } }))
        await send(envelope("live_event.created", liveEvent("e2")))
        await settled()
        const [second, first] = await inbox()
        expect(first).toMatchObject({ outcome: "quarantined" })
        expect(first.reason).toContain("event.campaignId")
        expect(second.outcome).toBe("applied")
      })

      it("verifies the bytes, not the text: odd spellings, line ends and characters", async () => {
        const data = liveEvent("e1", { eventName: "Søndag 🎉 \u0000\ud800 e\u0301" })
        const body = envelope("live_event.created", data)
        const spellings = [
          JSON.stringify(body),
          `${JSON.stringify(body, null, 2).replaceAll("\n", "\r\n")}\r\n`,
          `\ufeff${JSON.stringify(body)}`,
          JSON.stringify(body).replace(
            /[^\x20-\x7e]/g,
            (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
          ),
        ]
        const outcomes = []
        for (const text of spellings) {
          const answer = await send(text)
          outcomes.push([answer.status, answer.body.outcome])
        }
        expect(outcomes).toEqual([
          [200, "received"],
          [200, "duplicate"],
          [200, "duplicate"],
          [200, "duplicate"],
        ])
        await settled()
        expect((await events())[0].name).toBe("Søndag 🎉 \ufffd\ufffd e\u0301")
      })

      it("believes the body where an unsigned header says otherwise", async () => {
        const answer = await send(envelope("live_event.created", liveEvent("e1")), {
          headers: { "x-svc-topic": "live_event.deleted", "x-svc-page-uid": "other-page" },
        })
        expect(answer.status).toBe(200)
        await settled()
        expect((await events())[0].deleted_at).toBeNull()
      })

      it("shows when it was last heard from, and how far the clocks are apart", async () => {
        await send(envelope("live_event.created", liveEvent("e1")), {
          timestamp: Date.now() - 60_000,
        })
        const { webhook } = await get(webhookPath())
        expect(Math.abs(Date.now() - Date.parse(webhook.last_delivery_at))).toBeLessThan(60_000)
        expect(webhook.clock_skew_ms).toBeGreaterThanOrEqual(60_000)
        expect(webhook.clock_skew_ms).toBeLessThan(90_000)
      })

      it("holds back an address that floods and never verified, and nobody else", async () => {
        const body = JSON.stringify(envelope("live_event.created", liveEvent("e1")))
        const from = (address: string, changes: Partial<Sending> = {}) =>
          send(body, { headers: { "x-forwarded-for": address }, ...changes })
        expect((await from("198.51.100.7")).status).toBe(200)
        const guesses = () =>
          Promise.all(Array.from({ length: 10 }, () => from("203.0.113.9", { key: "guess" })))
        let refused = 0
        let held: Answer | undefined
        // A hundred within a minute; on a machine that takes longer for them, a few more.
        while (!held && refused < 2_000) {
          for (const answer of await guesses()) {
            if (answer.status === 401) refused += 1
            else held = answer
          }
        }
        expect(refused).toBeGreaterThanOrEqual(100)
        expect(held?.status).toBe(429)
        expect(Number(held?.headers["retry-after"])).toBeGreaterThan(0)
        expect((await from("198.51.100.7")).status).toBe(200)
        expect((await from("198.51.100.7", { key: "guess" })).status).toBe(401)
      })
    })

    describe("when something of ours is broken", () => {
      beforeEach(keyIsKnown)

      it("answers 503 before the service gives up while the inbox cannot be written, and takes the next attempt", async () => {
        const body = envelope("live_event.created", liveEvent("e1"))
        const lock = await knex().transaction()
        await lock.raw("LOCK TABLE svc_delivery IN ACCESS EXCLUSIVE MODE")
        const answers = Promise.all(Array.from({ length: 30 }, () => send(body)))
        // However many deliveries hang, the shop still gets its connections.
        await eventually(
          () =>
            knex().raw(
              "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'svc_delivery'::regclass",
            ),
          ({ rows }) => rows.length > 0,
        )
        expect((await api.get("/store/regions", market.store)).status).toBe(200)
        expect((await answers).map(({ status, body }) => [status, body.code])).toEqual(
          Array(30).fill([503, "try_again"]),
        )
        await lock.rollback()

        await knex().raw("ALTER TABLE svc_delivery RENAME TO svc_delivery_away")
        expect((await send(body)).status).toBe(503)
        await knex().raw("ALTER TABLE svc_delivery_away RENAME TO svc_delivery")
        expect((await send(body)).status).toBe(200)
        await settled()
        expect(await inbox()).toHaveLength(1)
        expect(await events()).toHaveLength(1)
      })

      it("answers 503, never 401, while the key cannot be read or is lost", async () => {
        const body = envelope("live_event.created", liveEvent("e1"))
        await knex()("svc_webhook").update({ signature_key: "v1.gone.AAAA.AAAA.AAAA.AAAA" })
        expect((await send(body)).status).toBe(503)
        await knex()("svc_webhook").update({ signature_key: null })
        expect((await send(body)).status).toBe(503)
        await pasteKey()
        expect((await send(body)).status).toBe(200)
      })

      it("applies what a worker left when it was killed between the insert and the end", async () => {
        await send(envelope("live_event.created", liveEvent("e1")))
        await send(envelope("live_event.created", liveEvent("e2")))
        await settled()
        // As a kill right after the insert leaves one, and a kill right after the claim the other.
        await knex()("svc_live_event").delete()
        await knex().raw(
          `UPDATE svc_delivery SET outcome = 'received', lease_token = held.token, lease_until = held.until
           FROM (VALUES ('e1', NULL, NULL), ('e2', 'dead', now() + interval '1 hour')) AS held (event, token, until)
           WHERE payload->'data'->>'id' = held.event`,
        )
        await applyDeliveries(getContainer())
        expect((await events()).map((e: { event_id: string }) => e.event_id)).toEqual(["e1"])
        await knex().raw(`UPDATE svc_delivery SET lease_until = now() WHERE lease_token = 'dead'`)
        await applyDeliveries(getContainer())
        expect((await events()).map((e: { event_id: string }) => e.event_id).sort()).toEqual([
          "e1",
          "e2",
        ])
        expect((await inbox()).map((row: { outcome: string }) => row.outcome)).toEqual([
          "applied",
          "applied",
        ])
      })

      it("goes on with the others when one row cannot be written, and comes back to it", async () => {
        await knex().raw(`ALTER TABLE svc_live_event ADD CONSTRAINT no_e2 CHECK (event_id <> 'e2')`)
        try {
          for (const id of ["e1", "e2", "e3"]) {
            await send(envelope("live_event.created", liveEvent(id)))
          }
          await soon(async () => {
            expect((await events()).map((e: { event_id: string }) => e.event_id).sort()).toEqual([
              "e1",
              "e3",
            ])
            const { deliveries } = await get("/deliveries?outcome=received")
            expect(deliveries).toHaveLength(1)
            expect(deliveries[0].reason).toContain("no_e2")
          })
        } finally {
          await knex().raw(`ALTER TABLE svc_live_event DROP CONSTRAINT no_e2`)
        }
        await knex()("svc_delivery").update({ next_attempt_at: null })
        await applyDeliveries(getContainer())
        expect(await events()).toHaveLength(3)
      })
    })

    describe("any order", () => {
      beforeEach(keyIsKnown)

      /** The truth: the last change of each record in its own time. */
      it("ends in the same shows and products however deliveries overtake and repeat each other", async () => {
        const start = Date.now() - 200_000
        let clock = start
        const bodies: unknown[] = []
        const truth = new Map<string, { name: string; deleted: boolean }>()
        const prices = new Map<string, { price: number; deleted: boolean }>()
        for (let step = 0; step < 90; step += 1) {
          clock += 1_000
          const id = `e${step % 5}`
          const change = step < 5 ? "created" : step % 11 === 0 ? "deleted" : "updated"
          bodies.push(
            envelope(`live_event.${change}`, liveEvent(id, { eventName: `Name ${step}` }), {
              occurredAt: clock,
            }),
          )
          truth.set(id, { name: `Name ${step}`, deleted: change === "deleted" })
          const uid = `p${step % 7}`
          bodies.push(
            envelope(
              `live_event_product.${change}`,
              eventProduct(uid, "campaign-e0", { price: step }),
              // The other reading of the interface: the id names the record, not the emission (gap 1).
              { occurredAt: clock, eventUid: uid },
            ),
          )
          prices.set(uid, { price: step, deleted: change === "deleted" })
        }
        const all = [...bodies, ...bodies.filter((_, index) => index % 3 === 0)]
        const [storm = []] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), runs(1))
        for (let first = 0; first < storm.length; first += 12) {
          const answers = await Promise.all(
            storm.slice(first, first + 12).map((body) => send(body)),
          )
          expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
        }
        await settled()
        const shows = await events()
        expect(shows).toHaveLength(truth.size)
        for (const show of shows) {
          expect({ name: show.name, deleted: show.deleted_at !== null }).toEqual(
            truth.get(show.event_id),
          )
        }
        const { live_event } = await get("/live-events/e0")
        expect(live_event.products).toHaveLength(prices.size)
        for (const product of live_event.products) {
          expect({ price: product.price, deleted: product.deleted_at !== null }).toEqual(
            prices.get(product.uid),
          )
        }
      })

      it("says of an old change that it came too late, and lets it bring nothing back", async () => {
        const now = Date.now()
        await send(envelope("live_event.deleted", liveEvent("e1"), { occurredAt: now - 1_000 }))
        await send(envelope("live_event.updated", liveEvent("e1"), { occurredAt: now - 2_000 }))
        await settled()
        const [late] = await inbox()
        expect(late.outcome).toBe("stale")
        expect((await events())[0].deleted_at).toBe(new Date(now - 1_000).toISOString())
        expect((await api.get("/store/svc/live-events", market.store)).data.live_events).toEqual([])
      })

      it("takes a product before its show, and joins them when the show comes", async () => {
        await send(envelope("live_event_product.created", eventProduct("p1", "campaign-e1")))
        await send(envelope("live_event.created", liveEvent("e1")))
        await settled()
        const { live_event } = await get("/live-events/e1")
        expect(live_event.products).toHaveLength(1)
      })

      it("shows an event that moved to the shoppables once, there, until it is deleted there", async () => {
        const now = Date.now()
        const vod = liveEvent("e1", { currentStatus: "vod" })
        const clip = liveEvent("e1", { currentStatus: "clip" })
        await send(envelope("live_event.updated", vod, { occurredAt: now - 9_000 }))
        await send(envelope("shoppable_event.updated", clip, { occurredAt: now - 8_000 }))
        await settled()
        expect((await events()).map(({ kind }: { kind: string }) => kind)).toEqual(["shoppable"])
        // The deletion in the family that it left may come later than the move.
        await send(envelope("live_event.deleted", vod, { occurredAt: now - 7_000 }))
        await settled()
        expect((await events())[0]).toMatchObject({ kind: "shoppable", deleted_at: null })
        await send(envelope("shoppable_event.deleted", clip, { occurredAt: now - 6_000 }))
        await settled()
        const shown = await events()
        expect(shown).toHaveLength(1)
        expect(shown[0].deleted_at).not.toBeNull()
      })

      it("announces only published shows that run or come and are still on sale", async () => {
        const day = 86_400_000
        const shows: [string, Record<string, unknown>, number][] = [
          ["planned", { currentStatus: "planned" }, 0],
          ["running", { currentStatus: "live" }, Date.now() + day],
          ["clip", { currentStatus: "clip" }, 0],
          ["hidden", { currentStatus: "live", isPublished: false }, 0],
          ["over", { currentStatus: "vod" }, 0],
          ["cancelled", { currentStatus: "cancelled" }, 0],
          ["closed", { currentStatus: "live" }, Date.now() - day],
        ]
        for (const [id, changes, deadline] of shows) {
          await send(envelope("live_event.created", liveEvent(id, changes, deadline)))
        }
        await settled()
        const { data } = await api.get("/store/svc/live-events", market.store)
        expect(data.live_events.map((e: { event_id: string }) => e.event_id)).toEqual([
          "running",
          "planned",
          "clip",
        ])
        const planned = await get("/live-events?status=planned&q=plan&order=name")
        expect([planned.count, planned.live_events[0].event_id]).toEqual([1, "planned"])
        expect((await get("/live-events?kind=shoppable")).count).toBe(0)
        expect((await get("/live-events?campaign_uid=campaign-over&limit=1")).count).toBe(1)
        expect((await ask("get", "/live-events?order=hash")).status).toBe(400)
        expect((await ask("get", "/live-events/unknown")).data.code).toBe("not_found")
      })
    })

    describe("the subscriber at the service", () => {
      afterEach(async () => {
        await sandbox.control("/reset", {})
      })
      const subscribers = async () =>
        (await sandbox.control<{ subscribers: SandboxSubscriber[] }>("/subscribers")).subscribers
      type SandboxSubscriber = {
        uid: string
        url: string
        topics: string[]
        state: string
        custom_headers: { name: string; value: string }[]
      }
      const createEvent = async (changes: Record<string, unknown> = {}) =>
        (
          await sandbox.control<{ event: { id: string; campaign_uid: string } }>("/events", {
            page_uid: "demo-page",
            kind: "live",
            name: "Evening at the kiln",
            ...changes,
          })
        ).event
      const firstOfTopic = async (topic: string) =>
        (
          await sandbox.control<{
            deliveries: { topic: string; state: string; attempts: { status: number | null }[] }[]
          }>("/deliveries")
        ).deliveries.find((delivery) => delivery.topic === topic)
      const api1 = (method: string, path: string, body?: unknown) =>
        fetch(`${sandbox.url}/api/v1/webhooks${path}`, {
          method,
          headers: {
            authorization: `Token ${market.apiToken}`,
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })

      it("registers, receives a show as it happens, and removes itself", async () => {
        expect((await get(webhookPath())).webhook).toBeNull()
        const { status, data } = await ask("post", webhookPath(), {
          custom_headers: [{ name: "X-Gateway", value: "hush" }],
        })
        expect(status).toBe(200)
        expect(data.webhook).toMatchObject({
          url: hookUrl(),
          custom_headers: ["X-Gateway"],
          state: "active",
          rotating: false,
          signature_key: { configured: true, fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/) },
        })
        expect(data.webhook.topics).toHaveLength(12)
        expect(JSON.stringify(data)).not.toContain("hush")
        const [subscriber] = await subscribers()
        expect(subscriber).toMatchObject({
          uid: data.webhook.webhook_uid,
          url: hookUrl(),
          custom_headers: [{ name: "X-Gateway", value: "hush" }],
        })

        const event = await createEvent()
        await sandbox.control(`/events/${event.id}/products`, {
          external_id: "prod_1",
          name: "Havn mug",
          sku: "HAVN",
          url: "http://127.0.0.1:8000/p",
          price: 79,
          max_qty_per_customer: 2,
        })
        await sandbox.control(`/events/${event.id}/start`, {})
        const shop = async () =>
          (await api.get("/store/svc/live-events", market.store)).data.live_events
        await soon(async () => {
          expect(await shop()).toEqual([
            expect.objectContaining({
              campaign_uid: event.campaign_uid,
              status: "live",
              products: [expect.objectContaining({ price: 79, max_qty_per_customer: 2 })],
            }),
          ])
        })
        await sandbox.control(`/events/${event.id}/end`, {})
        await soon(async () => expect(await shop()).toEqual([]))

        expect(
          (
            await sandbox.control<{ delivery: { state: string } }>(
              `/subscribers/${subscriber?.uid}/test`,
              {},
            )
          ).delivery.state,
        ).toBe("delivered")

        const removed = await ask("delete", webhookPath())
        expect([removed.status, removed.data.deleted]).toEqual([200, true])
        expect(await subscribers()).toEqual([])
        expect((await get(webhookPath())).webhook).toBeNull()
        expect((await ask("delete", webhookPath())).status).toBe(200)
      })

      it("takes over a subscriber that has its URL, with a new key, and leaves no second one", async () => {
        const body = { name: "older", url: hookUrl(), topics: ["live_event.created"] }
        await api1("POST", "", body)
        await api1("POST", "", body)
        await api1("POST", "", { ...body, url: "https://elsewhere.test/hook" })
        const { status, data } = await ask("post", webhookPath())
        expect([status, data.webhook.signature_key.configured]).toEqual([200, true])
        const after = await subscribers()
        expect(after.map(({ url }) => url).sort()).toEqual([
          hookUrl(),
          "https://elsewhere.test/hook",
        ])
        expect(after.find(({ url }) => url === hookUrl())?.topics).toHaveLength(12)
        await createEvent()
        await soon(async () => expect(await events()).toHaveLength(1))
      })

      it("changes the topics of its own subscriber without touching a key that works", async () => {
        const first = await ask("post", webhookPath())
        const second = await ask("post", webhookPath(), { topics: ["live_event.created"] })
        expect(second.data.webhook.topics).toEqual(["live_event.created"])
        expect(second.data.webhook.webhook_uid).toBe(first.data.webhook.webhook_uid)
        expect(second.data.webhook.signature_key).toEqual(first.data.webhook.signature_key)
        await createEvent()
        await soon(async () => expect(await events()).toHaveLength(1))
      })

      it("takes its subscriber along when the store moves, instead of leaving one behind", async () => {
        const first = await ask("post", webhookPath())
        const { options } = svc()
        const backendUrl = options.backendUrl
        options.backendUrl = `${storeUrl}/moved`
        try {
          const second = await ask("post", webhookPath())
          expect(second.data.webhook.webhook_uid).toBe(first.data.webhook.webhook_uid)
          expect((await subscribers()).map(({ url }) => url)).toEqual([
            `${storeUrl}/moved/hooks/svc/${market.connectionId}`,
          ])
        } finally {
          options.backendUrl = backendUrl
        }
      })

      it("says which webhooks are in the way when the page has five", async () => {
        for (let index = 0; index < 5; index += 1) {
          await api1("POST", "", {
            name: `Other ${index}`,
            url: `https://other${index}.test/hook`,
            topics: ["live_event.created"],
          })
        }
        const { status, data } = await ask("post", webhookPath())
        expect([status, data.code]).toEqual([409, "webhook_limit"])
        expect(data.message).toContain("Other 3")
        expect((await get(webhookPath())).webhook).toBeNull()
      })

      it("refuses custom headers that the service would not take, naming the rule", async () => {
        for (const header of [
          { name: "X-Svc-Topic", value: "x" },
          { name: "Host", value: "x" },
          { name: "X Y", value: "x" },
          { name: "X-Y", value: "a\r\nb" },
        ]) {
          const { status, data } = await ask("post", webhookPath(), { custom_headers: [header] })
          expect([status, data.code]).toEqual([400, "invalid_request"])
          expect(data.message).toContain("custom_headers.0")
        }
        expect(await subscribers()).toEqual([])
      })

      it("says what to do where the store's own address is not known", async () => {
        const { options } = svc()
        const backendUrl = options.backendUrl
        options.backendUrl = undefined
        try {
          const { status, data } = await ask("post", webhookPath())
          expect([status, data.code]).toEqual([400, "backend_url_missing"])
          expect(data.message).toContain("SVC_BACKEND_URL")
        } finally {
          options.backendUrl = backendUrl
        }
      })

      it("says that the service cannot be reached, and leaves nothing half made", async () => {
        await sandbox.control("/faults", { on: "webhooks", kind: "status", status: 401, times: 1 })
        const { status, data } = await ask("post", webhookPath())
        expect([status, data.code]).toEqual([502, "svc_call_failed"])
        expect((await get(webhookPath())).webhook).toBeNull()
        expect((await ask("post", `${webhookPath()}/rotate`)).data.code).toBe(
          "webhook_not_registered",
        )
      })

      it("loses nothing while the key rotates: 503 for what it cannot verify yet, then the new key alone", async () => {
        const before = (await ask("post", webhookPath())).data.webhook
        await sandbox.control("/profiles", { rotation: "answer_lost" })
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

        await sandbox.control("/profiles", { rotation: "immediate" })
        const rotated = await ask("post", `${webhookPath()}/rotate`)
        expect(rotated.status).toBe(200)
        expect(rotated.data.webhook.rotating).toBe(true)
        await sandbox.control("/clock", { advance: "61s" })
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
          (await send(envelope("live_event.updated", liveEvent("e1")), { key: "third key" }))
            .status,
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

      it("reads what happened before it was registered", async () => {
        const early = await createEvent()
        await createEvent({ kind: "shoppable", name: "Glaze in a minute" })
        await ask("post", webhookPath())
        await soon(async () => {
          const known = await events()
          expect(known.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
            "live",
            "shoppable",
          ])
        })
        // A later delivery wins over what was read.
        await sandbox.control(`/events/${early.id}/start`, {})
        await soon(async () => {
          const { live_events } = await get("/live-events?kind=live")
          expect(live_events[0].status).toBe("live")
        })
      })

      it("reads what it missed while it was disabled: shows that began, changed or went", async () => {
        const { data } = await ask("post", webhookPath())
        const began = await createEvent({ name: "Began" })
        const went = await createEvent({ name: "Went" })
        await soon(async () => expect(await events()).toHaveLength(2))
        const uid = data.webhook.webhook_uid
        await disableSubscriber()
        expect((await subscribers())[0]?.state).toBe("disabled")
        await agesAgo("svc_webhook", "refreshed_at")
        await keepListening(getContainer())
        expect((await get(webhookPath())).webhook).toMatchObject({
          state: "disabled",
          last_error: { code: "webhook_disabled" },
        })

        await sandbox.control(`/events/${began.id}/start`, {})
        await sandbox.control(`/events/${went.id}`, undefined, "DELETE")
        await sandbox.control("/clock", { run: true })
        await sandbox.control(`/subscribers/${uid}/activate`, {})
        await agesAgo("svc_webhook", "refreshed_at")
        await agesAgo("svc_live_event", "updated_at")
        await keepListening(getContainer())
        await soon(async () => {
          const known = await events()
          expect(
            Object.fromEntries(
              known.map((e: { name: string; status: string; deleted_at: string | null }) => [
                e.name,
                e.deleted_at ? "gone" : e.status,
              ]),
            ),
          ).toEqual({ Began: "live", Went: "gone", "Never delivered": "planned" })
        })
        expect((await get(webhookPath())).webhook).toMatchObject({
          state: "active",
          last_error: null,
        })
      })

      const agesAgo = (table: string, column: string) =>
        knex()(table).update({ [column]: new Date(Date.now() - 3_600_000) })

      /** An hour of answers that are not 2xx (interface §3.2). */
      async function disableSubscriber() {
        await sandbox.control("/faults", { on: "delivery", kind: "status", status: 503 })
        await createEvent({ name: "Never delivered", is_published: false })
        for (let step = 0; step < 8; step += 1) {
          await sandbox.control("/clock", { advance: "15m" })
          await sandbox.control("/emit", {
            page_uid: "demo-page",
            topic: "live_event.updated",
            data: liveEvent("noise"),
          })
        }
        await sandbox.control("/faults", undefined, "DELETE")
      }

      it("gets a new webhook for a disabled one at one press, and is told of shows again", async () => {
        await ask("post", webhookPath(), { custom_headers: [{ name: "X-Gateway", value: "open" }] })
        const [before] = await subscribers()
        await disableSubscriber()

        const refused = await ask("post", webhookPath())
        expect([refused.status, refused.data.code]).toEqual([409, "webhook_headers_unknown"])
        expect(await subscribers()).toMatchObject([{ uid: before?.uid, state: "disabled" }])

        const { status, data } = await ask("post", webhookPath(), {
          custom_headers: [{ name: "X-Gateway", value: "open" }],
        })
        expect([status, data.webhook.state, data.webhook.last_error]).toEqual([200, "active", null])
        const [after, ...more] = await subscribers()
        expect([after?.state, more]).toEqual(["active", []])
        expect(after?.uid).not.toBe(before?.uid)

        await createEvent({ name: "Heard again" })
        await soon(async () => {
          const names = (await events()).map(({ name }: { name: string }) => name)
          expect(names.sort()).toEqual(["Heard again", "Never delivered"])
        })
      })

      it("reads the listings after hours of silence, minutes of it during a show, and after a tie", async () => {
        await ask("post", webhookPath())
        const starts_at = Date.now() + 3 * 86_400_000
        await createEvent({ name: "Known", starts_at })
        await soon(async () => expect(await events()).toHaveLength(1))
        await workPulls(getContainer())
        await sandbox.control("/faults", { on: "delivery", kind: "status", status: 503 })
        const silentFor = (minutes: number) => {
          const then = new Date(Date.now() - minutes * 60_000)
          return knex()("svc_webhook").update({
            last_delivery_at: then,
            pulled_at: then,
            pull_wanted_at: then,
            created_at: then,
          })
        }
        const learns = async (name: string) => {
          await createEvent({ name, starts_at })
          await keepListening(getContainer())
          return (await events()).some((event: { name: string }) => event.name === name)
        }
        await silentFor(20)
        expect(await learns("Twenty minutes")).toBe(false)
        await silentFor(7 * 60)
        expect(await learns("Seven hours")).toBe(true)

        await knex()("svc_live_event").where({ name: "Known" }).update({ status: "live" })
        await silentFor(20)
        expect(await learns("Twenty minutes of a show")).toBe(true)

        await knex()("svc_live_event").update({ status: "vod" })
        await silentFor(5)
        expect(await learns("Five minutes")).toBe(false)
        await knex()("svc_live_event").where({ name: "Known" }).update({ needs_reread: true })
        expect(await learns("A tie")).toBe(true)
      })

      it("is not talked out of newer deliveries by a listing that was read before them", async () => {
        await ask("post", webhookPath())
        await workPulls(getContainer())
        const event = await createEvent()
        await soon(async () => expect(await events()).toHaveLength(1))
        await sandbox.control(`/events/${event.id}/start`, {})
        await soon(async () => expect((await events())[0].status).toBe("live"))
        // The listing lags behind: it still says what was true before the show began.
        const rows = new SubscriberRows(knex())
        await knex()("svc_live_event").update({ status: "live", hash: "of-the-delivery" })
        await rows.wantPull([market.connectionId])
        await workPulls(getContainer())
        expect(await knex()("svc_live_event").first("hash")).toEqual({ hash: "of-the-delivery" })
        // Once the delivery is older than the listing, the listing may correct it.
        await agesAgo("svc_live_event", "updated_at")
        await rows.wantPull([market.connectionId])
        await workPulls(getContainer())
        expect((await knex()("svc_live_event").first("hash")).hash).not.toBe("of-the-delivery")
      })

      it("reads listings in every form that it knows of", async () => {
        await ask("post", webhookPath())
        await sandbox.control(`/faults`, { on: "delivery", kind: "status", status: 503 })
        const names: string[] = []
        for (const listing of ["data", "array", "items", "named"]) {
          await sandbox.control("/profiles", { listing })
          await createEvent({ name: listing })
          names.push(listing)
          await new SubscriberRows(knex()).wantPull([market.connectionId])
          await soon(async () => {
            await workPulls(getContainer())
            expect((await events()).map(({ name }: { name: string }) => name).sort()).toEqual(
              [...names].sort(),
            )
          })
        }
      })

      it("ends in the service's own state in whatever way the service differs from our reading", async () => {
        const { options } = svc()
        const tolerance = options.webhookToleranceSeconds
        // The sandbox's clock is turned, the store's is not.
        options.webhookToleranceSeconds = 0
        try {
          for (const webhook_answers of ["wrapped", "snake_case", "flat"]) {
            await sandbox.control("/profiles", { webhook_answers })
            await ask("delete", webhookPath())
            const { data } = await ask("post", webhookPath())
            expect([webhook_answers, data.webhook?.signature_key.configured]).toEqual([
              webhook_answers,
              true,
            ])
            expect((await ask("post", `${webhookPath()}/rotate`)).status).toBe(200)
          }
          for (const profile of [
            { event_uid: "per_record" },
            { ids: "aliased" },
            { order: "shuffled" },
            { duplicates: "storm" },
            { late_2xx: "on" },
            { timestamp_header: "differs" },
            { body_format: "pretty" },
            { body_format: "escaped" },
            { body_format: "spaced" },
            { unknowns: "on" },
          ]) {
            await sandbox.control("/profiles", undefined, "DELETE")
            await sandbox.control("/profiles", profile)
            const name = JSON.stringify(profile)
            const event = await createEvent({ name: `${name} ø 🎉` })
            const { event_product } = await sandbox.control<{ event_product: { uid: string } }>(
              `/events/${event.id}/products`,
              {
                external_id: "p",
                name: "Mug",
                sku: "m",
                url: "http://127.0.0.1:8000/p",
                price: 10,
              },
            )
            const uid = event_product.uid
            // The same price comes back: under the other reading of eventUid only the time tells them apart.
            for (const price of [20, 10, 20.5]) {
              await sandbox.control(`/events/${event.id}/products/${uid}`, { price })
            }
            await sandbox.control(`/events/${event.id}/start`, {})
            await sandbox.control("/clock", { run_until_idle: true, grace_ms: 30_000 })
            await soon(async () => {
              const { live_event } = await get(`/live-events/${event.id}`)
              expect({
                profile: name,
                name: live_event.name,
                status: live_event.status,
                prices: live_event.products.map(({ price }: { price: number }) => price),
              }).toEqual({
                profile: name,
                name: `${name} ø 🎉`,
                status: "live",
                prices: [20.5],
              })
            })
          }
        } finally {
          options.webhookToleranceSeconds = tolerance
        }
      })

      it("notices that the service does not know it any more", async () => {
        await ask("post", webhookPath())
        await sandbox.control("/reset", {})
        await agesAgo("svc_webhook", "refreshed_at")
        expect((await get(webhookPath())).webhook).toMatchObject({
          state: "missing",
          last_error: { code: "webhook_missing" },
        })
        expect((await ask("post", webhookPath())).data.webhook.state).toBe("active")
        await createEvent()
        await soon(async () => expect(await events()).toHaveLength(1))
      })
    })
  })
})
