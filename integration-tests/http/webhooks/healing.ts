/** What was missed is found out, and what a listing says is believed no further than it deserves (gap 20). */
import reconcileWebhooks from "../../../src/jobs/reconcile-webhooks"
import { PullRows } from "../../../src/modules/svc/shows/pull-rows"
import { workPulls } from "../../../src/workflows/shows"
import { settlePrices } from "../../../src/workflows/shows/settle-prices"
import { connectMarket } from "../../setup/connected-market"
import { envelope, eventProduct, liveEvent } from "../../setup/deliveries"
import { serve } from "../../setup/http-server"
import { eventually } from "../../setup/market"
import { soon, type WebhooksShop } from "./shop"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export function describeHealing(shop: WebhooksShop): void {
  const {
    addProduct,
    agesAgo,
    api,
    ask,
    createEvent,
    events,
    get,
    getContainer,
    keyIsKnown,
    knex,
    pull,
    tell,
    settled,
    svc,
    webhookPath,
  } = shop

  type Known = { name: string; status: string; deleted_at: string | null }
  const names = async () => (await events()).map(({ name }: Known) => name).sort()
  const ago = (ms: number) => new Date(Date.now() - ms)
  /** When the listings are read. */
  const listings = () => knex()("svc_connection_work").where({ kind: "listings" })

  /** Lets this much time pass for what is known of shows and what listings said of them. */
  async function later(ms: number) {
    const earlier = (column: string) => knex().raw(`${column} - ? * interval '1 millisecond'`, [ms])
    await knex()("svc_live_event").update({
      heard_at: earlier("heard_at"),
      updated_at: earlier("updated_at"),
      unlisted_at: earlier("unlisted_at"),
      doubt: knex().raw(
        `jsonb_set(doubt, '{since}', to_jsonb((doubt->>'since')::bigint - ?::bigint))`,
        [ms],
      ),
    })
    await knex()("svc_event_product").update({ heard_at: earlier("heard_at") })
    await knex()("svc_connection_work").update({ next_attempt_at: earlier("next_attempt_at") })
  }

  describe("what was missed", () => {
    beforeEach(keyIsKnown)
    /** Says whether an event that no delivery told is known after this. */
    const isHealedBy = async (happens: () => Promise<unknown>) => {
      await createEvent({ name: "Nobody told" })
      await happens()
      await workPulls(getContainer())
      return (await names()).includes("Nobody told")
    }

    const minutePasses = () => PullRows.prototype.noticeGap.call(svc().shows.pulls)

    it("is read after each start", async () => {
      expect(await isHealedBy(() => svc().__hooks.onApplicationStart())).toBe(true)
    })

    it("is read after ten minutes in which none of us was there, and not after less", async () => {
      await minutePasses()
      await knex()("svc_connection_work").update({ alive_at: ago(9 * MINUTE) })
      expect(await isHealedBy(minutePasses)).toBe(false)
      await knex()("svc_connection_work").update({ alive_at: ago(11 * MINUTE) })
      expect(await isHealedBy(minutePasses)).toBe(true)
    })

    it("is read where the store was away since the minute in which it began", async () => {
      await knex()("svc_connection_work").update({ alive_at: null, created_at: ago(9 * MINUTE) })
      expect(await isHealedBy(minutePasses)).toBe(false)
      await knex()("svc_connection_work").update({ alive_at: null, created_at: ago(11 * MINUTE) })
      expect(await isHealedBy(minutePasses)).toBe(true)
    })

    it("is read where the servers were away, whatever jobs a worker ran meanwhile", async () => {
      const before = { alive_at: ago(11 * MINUTE), missed_at: null }
      await knex()("svc_connection_work").update(before)
      await reconcileWebhooks(getContainer())
      expect(await listings().first()).toMatchObject(before)
      const timers = jest.spyOn(globalThis, "setInterval")
      await svc().__hooks.onApplicationStart()
      const minute = timers.mock.calls.find(([, ms]) => ms === MINUTE)
      jest.spyOn(svc().shows.pulls, "noticeGap").mockImplementation(minutePasses)
      minute?.[0]()
      jest.restoreAllMocks()
      await soon(async () => expect((await listings().first()).missed_at).not.toBeNull())
    })

    it("is read of the page that a connection has moved to, also where the process ends right after that", async () => {
      expect(
        await isHealedBy(() => svc().connections.rows.forgetPage(shop.denmark.connectionId)),
      ).toBe(true)
    })

    it("is asked for at many connections in one order, whichever statement asks", async () => {
      const other = await connectMarket(api, getContainer(), shop.sandbox, "europe")
      await workPulls(getContainer())
      const [first, second] = [shop.denmark.connectionId, other.connectionId].sort()
      // Rows that were written last are met last by a statement that reads the table as it lies.
      for (const connection_id of [second, first]) {
        await listings()
          .where({ connection_id })
          .update({ alive_at: ago(HOUR), read_at: ago(7 * HOUR), created_at: ago(7 * HOUR) })
      }
      await knex()("svc_webhook").update({ last_delivery_at: null })
      const { pulls } = svc().shows
      for (const ask of [
        () => pulls.requestWhereSilent(),
        minutePasses,
        () => pulls.request("nightly"),
      ]) {
        const holder = await knex().transaction()
        try {
          await holder("svc_connection_work")
            .where({ connection_id: first, kind: "listings" })
            .forUpdate()
          const asking = ask()
          await soon(async () => {
            const { rows } = await knex().raw(
              "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%svc_connection_work%'",
            )
            expect(rows).not.toHaveLength(0)
          })
          // It waits for the first one, and has none of those behind it.
          const free = await knex()("svc_connection_work")
            .where({ connection_id: second, kind: "listings" })
            .forUpdate()
            .skipLocked()
          expect([ask.toString(), free.length]).toEqual([ask.toString(), 1])
          await holder.commit()
          await asking
        } finally {
          if (!holder.isCompleted()) await holder.rollback()
        }
      }
    })

    it("is read as soon as a token is good again, where a refused one held it up, and not before its time otherwise", async () => {
      const later = { wanted: knex().raw("acknowledged + 1"), next_attempt_at: ago(-10 * MINUTE) }
      const resume = () => svc().connections.rows.resume(shop.denmark.connectionId, null)
      await listings().update({ ...later, reason_code: null })
      expect(await isHealedBy(resume)).toBe(false)
      await listings().update({ ...later, reason_code: "svc_unauthorized" })
      expect(await isHealedBy(resume)).toBe(true)
    })

    it("is read when a delivery comes as late as the last attempt, or later, and for a crowd of them once a minute", async () => {
      const told = (ms: number, id = "e1") =>
        tell(envelope("live_event.created", liveEvent(id), { occurredAt: Date.now() - ms }))
      expect(await isHealedBy(() => told(5 * MINUTE))).toBe(false)
      const readAt = async () => (await listings().first("read_at")).read_at
      const before = await readAt()
      // The answer does not wait for what it asks for.
      await told(13 * MINUTE)
      await eventually(
        async () => {
          await workPulls(getContainer())
          return names()
        },
        (known) => known.includes("Nobody told"),
      )
      // A reading that began by itself tells before it is written down.
      await workPulls(getContainer())
      const once = await readAt()
      expect(once).not.toEqual(before)
      const asked = await listings().first("wanted", "next_attempt_at")
      await Promise.all(["e2", "e3", "e4"].map((id) => told(13 * MINUTE, id)))
      await settled()
      expect(await listings().first("wanted", "next_attempt_at")).toEqual(asked)
      // They are not forgotten: the reading a minute later is for them too.
      await listings().update({ next_attempt_at: ago(1) })
      await workPulls(getContainer())
      expect(await readAt()).not.toEqual(once)
    })

    it("is read a second time, once the listing is surely newer than what was missed", async () => {
      await shop.sandbox.control("/profiles", { listing_items: "empty" })
      expect(await isHealedBy(() => svc().shows.pulls.request("gap"))).toBe(false)
      const again = async () => {
        const { missed_at, next_attempt_at } = await listings().first()
        return next_attempt_at.getTime() - missed_at.getTime()
      }
      // It is 65 s after the first reading began, which may have taken some.
      const expectAMinute = (ms: number) =>
        expect([ms > 60_000, ms < 130_000]).toEqual([true, true])
      expectAMinute(await again())
      // A reading for another reason that comes in between does not replace it.
      await svc().shows.pulls.request("nightly")
      await workPulls(getContainer())
      await shop.sandbox.control("/profiles", undefined, "DELETE")
      expectAMinute(await again())
      await listings().update({ next_attempt_at: ago(1) })
      await workPulls(getContainer())
      expect(await names()).toContain("Nobody told")
    })

    it("is read when the service takes us for well again, also where we saw only the warning", async () => {
      await ask("post", webhookPath())
      await workPulls(getContainer())
      await shop.sandbox.control("/faults", { on: "delivery", kind: "status", status: 503 })
      await knex()("svc_webhook").update({ state: "warning" })
      await svc().webhooks.lookUps.request()
      expect(await isHealedBy(() => reconcileWebhooks(getContainer()))).toBe(true)
    })

    describe("of the products of a running show", () => {
      /** Shows whose products were told of at 10, and cost 20 meanwhile, which nobody told. */
      async function changedUntold(count: number, kind: "live" | "shoppable" = "live") {
        const event = await createEvent({ name: "Evening", kind })
        if (kind === "live") await shop.sandbox.control(`/events/${event.id}/start`, {})
        await pull()
        for (let n = 0; n < count; n += 1) {
          await addProduct(event.id, 20, `prod_p${n}`)
          await tell(
            envelope(
              `${kind}_event_product.created`,
              eventProduct(`p${n}`, event.campaign_uid, { price: 10 }),
            ),
          )
        }
        await settled()
        expect(await prices()).toEqual({ 10: count })
        await later(2 * MINUTE)
      }

      /** The same for one product, and another with a variant, of which nothing was told. @returns the campaign */
      async function variantUntold(): Promise<string> {
        await changedUntold(1)
        const [{ campaign_uid, event_id }] = (await get("/live-events?limit=1")).live_events
        await shop.sandbox.control(`/events/${event_id}/products`, {
          external_id: "prod_v",
          name: "Mug",
          sku: "sku-v",
          url: "http://127.0.0.1:8000/v",
          price: 20,
          variants: [{ external_id: "variant_v" }],
        })
        return campaign_uid
      }
      /** The show's one product costs something else now, which nobody told. */
      const costsUntold = async (price: number) => {
        const [{ event_id }] = (await get("/live-events?limit=1")).live_events
        const { products } = await shop.sandbox.control<{ products: { uid: string }[] }>(
          `/events/${event_id}`,
        )
        await shop.sandbox.control(`/events/${event_id}/products/${products[0]?.uid}`, { price })
      }
      const prices = async () => {
        const rows: { price: string; count: string }[] = await knex()("svc_event_product")
          .select("price")
          .count("* AS count")
          .groupBy("price")
        return Object.fromEntries(rows.map(({ price, count }) => [Number(price), Number(count)]))
      }
      /** Nothing that was put off is waited for. */
      const aMinutePasses = async () => {
        await knex()("svc_connection_work").update({ next_attempt_at: null, lease_until: null })
        await workPulls(getContainer())
      }

      it("is looked up for each of them, however many there are, though the service fails first, and for one again and again", async () => {
        // More than are taken at once.
        await changedUntold(55)
        // Not for some answers alone: those that failed are soon asked for again.
        const fails = { on: "price", kind: "status", status: 503 }
        await shop.sandbox.control("/faults", fails)
        await svc().shows.pulls.request("gap")
        await workPulls(getContainer())
        // They failed, which ended nothing for good.
        expect(await prices()).toEqual({ 10: 55 })
        await shop.sandbox.endFaults()
        await knex()("svc_hold").delete()
        await shop.sandbox.control("/faults", { ...fails, product_id: "prod_p7" })
        await aMinutePasses()
        expect(await prices()).toEqual({ 10: 1, 20: 54 })
        const open = () => knex()("svc_event_product").where({ needs_lookup: true })
        expect(await open()).toMatchObject([{ external_id: "prod_p7" }])
        await shop.sandbox.endFaults()
        await knex()("svc_hold").delete()
        await aMinutePasses()
        expect(await prices()).toEqual({ 20: 55 })
        expect(await open()).toEqual([])
      })

      it("stays as a delivery told it just now, and is asked for again: an answer may be from a cache", async () => {
        await changedUntold(1)
        const { live_events } = await get("/live-events?limit=1")
        const { campaign_uid } = live_events[0]
        const told = eventProduct("p0", campaign_uid, { price: 15 })
        await tell(envelope("live_event_product.updated", told))
        await settled()
        await svc().shows.pulls.request("gap")
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 15: 1 })
        const doubtful = () => knex()("svc_event_product").where({ needs_reread: true })
        expect(await doubtful()).toHaveLength(1)

        await later(2 * MINUTE)
        await agesAgo("svc_connection_work", "read_at")
        await svc().shows.pulls.requestWhereSilent()
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 20: 1 })
        expect(await doubtful()).toEqual([])
      })

      it("is not in doubt where the service answers for a variant the price that its product was told to have", async () => {
        const campaign_uid = await variantUntold()
        const variants = [{ uid: "v1", sku: "v1", externalId: "variant_v", variantNames: ["Blue"] }]
        const told = eventProduct("v", campaign_uid, { price: 20, variants })
        await tell(envelope("live_event_product.created", told))
        await settled()
        await svc().shows.pulls.request("gap")
        await workPulls(getContainer())
        const row = knex()("svc_event_product").where({ uid: "v" })
        expect(await row.first("needs_lookup", "needs_reread")).toEqual({
          needs_lookup: false,
          needs_reread: false,
        })
      })

      it("stays gone where a delivery told so while it waited to be looked up: nothing was missed", async () => {
        await changedUntold(1)
        const [{ campaign_uid }] = (await get("/live-events?limit=1")).live_events
        // The answer comes only once the product was told to be gone.
        await shop.sandbox.control("/faults", { on: "price", kind: "status", status: 503 })
        await svc().shows.pulls.request("gap")
        await workPulls(getContainer())
        const told = eventProduct("p0", campaign_uid, { price: 15, available: false })
        await tell(envelope("live_event_product.updated", told))
        await settled()
        await shop.sandbox.endFaults()
        await knex()("svc_hold").delete()
        await aMinutePasses()
        const row = () => knex()("svc_event_product").first("available", "needs_reread")
        expect(await row()).toEqual({ available: false, needs_reread: false })
      })

      it.each<[string, string, object]>([
        ["removed", "live_event_product.deleted", {}],
        ["not available", "live_event_product.updated", { available: false }],
      ])(
        "is sold again where it was told to be %s, and that it came back was missed",
        async (_, topic, changes) => {
          await changedUntold(1)
          const { live_events } = await get("/live-events?limit=1")
          const { campaign_uid } = live_events[0]
          const tellGone = (uid: string) =>
            tell(envelope(topic, eventProduct(uid, campaign_uid, { price: 10, ...changes })))
          // The service sells the first one, and has no second.
          await tellGone("p0")
          await tellGone("p-unknown")
          await settled()
          const sold = async () => {
            const { data } = await api.get("/store/svc/live-events", shop.denmark.store)
            return data.live_events[0].products
              .filter(({ available }: { available: boolean }) => available)
              .map(({ uid }: { uid: string }) => uid)
          }
          const doubtful = async () =>
            (await knex()("svc_event_product").where({ needs_reread: true })).length
          await soon(async () => expect(await sold()).toEqual([]))
          // What was told just now is believed: the service's answer may be older.
          await svc().shows.pulls.request("gap")
          await workPulls(getContainer())
          expect(await doubtful()).toBe(0)
          await later(2 * MINUTE)
          // However long ago it was.
          await knex()("svc_event_product")
            .whereNotNull("deleted_in_svc_at")
            .update({ deleted_in_svc_at: ago(40 * 24 * HOUR) })
          await svc().shows.projection.trim(30)

          await shop.sandbox.control("/faults", { on: "price", kind: "status", status: 503 })
          await svc().shows.pulls.request("gap")
          await workPulls(getContainer())
          // Until the service has answered it is for the lookup of a cart to say, and nothing is shown to be on sale.
          expect(await doubtful()).toBe(2)
          expect(await sold()).toEqual([])
          await shop.sandbox.endFaults()
          await knex()("svc_hold").delete()
          await aMinutePasses()
          await soon(async () => expect(await sold()).toEqual(["p0"]))
          expect(await doubtful()).toBe(0)
          // A delivery that tells it anew is believed.
          await tellGone("p0")
          await settled()
          await soon(async () => expect(await sold()).toEqual([]))
        },
      )

      it("stays gone where a delivery told so while the service was being asked, and it answers for some of its variants", async () => {
        const campaign_uid = await variantUntold()
        const variants = ["v", "unknown"].map((name) => ({
          uid: name,
          sku: name,
          externalId: `variant_${name}`,
          variantNames: [name],
        }))
        const tellOf = (uid: string, topic: string, changes: object = {}) =>
          tell(
            envelope(
              `live_event_product.${topic}`,
              eventProduct(uid, campaign_uid, { externalId: "prod_v", variants, ...changes }),
            ),
          )
        const gone = ["v1", "v2"]
        for (const uid of [...gone, "v3"]) await tellOf(uid, "created")
        await settled()
        await later(2 * MINUTE)
        const { lookups, projection, pulls } = svc().shows
        await projection.write(shop.denmark.connectionId, (trx) => lookups.want(trx, true))
        const time = pulls.time.bind(pulls)
        jest.spyOn(pulls, "time").mockImplementationOnce(async (connectionId) => {
          await tellOf("v1", "updated", { available: false })
          await tellOf("v2", "deleted")
          await settled()
          return time(connectionId)
        })
        await settlePrices(getContainer(), shop.denmark.connectionId)
        jest.restoreAllMocks()
        const doubtful = () =>
          knex()("svc_event_product").where({ needs_reread: true }).pluck("uid")
        expect(await doubtful()).toEqual(["v3"])
      })

      it("is looked up again once an answer is surely newer than what was missed", async () => {
        await changedUntold(1)
        await svc().shows.pulls.request("gap")
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 20: 1 })
        // That answer was from a cache.
        await costsUntold(30)
        await listings().update({ next_attempt_at: ago(1) })
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 30: 1 })
      })

      it("stays sold, or is asked about, where the deliveries from before are replayed", async () => {
        await changedUntold(1)
        const [{ campaign_uid }] = (await get("/live-events?limit=1")).live_events
        const topic = "live_event_product.updated"
        for (const [available, ms] of [
          [true, 9_000],
          [false, 8_000],
        ] as const) {
          const told = eventProduct("p0", campaign_uid, { price: 20, available })
          await tell(envelope(topic, told, { occurredAt: Date.now() - ms }))
        }
        await settled()
        await later(2 * MINUTE)
        await svc().shows.pulls.request("gap")
        await workPulls(getContainer())
        const row = () => knex()("svc_event_product").first("available", "needs_reread")
        expect(await row()).toEqual({ available: true, needs_reread: false })
        const { data } = await ask("post", "/deliveries/replay", { filters: { topic } })
        expect(data).toEqual({ count: 2 })
        await settled()
        expect(await row()).toEqual({ available: true, needs_reread: true })
      })

      /** A product that deliveries told unavailable, some minutes ago. */
      const toldUnavailable = async () => {
        await changedUntold(1)
        const [{ campaign_uid }] = (await get("/live-events?limit=1")).live_events
        const told = eventProduct("p0", campaign_uid, { price: 20, available: false })
        await tell(envelope("live_event_product.updated", told))
        await settled()
        await later(2 * MINUTE)
      }

      it("is back where the service answers for it, though its first answer was nothing that anybody can read", async () => {
        await toldUnavailable()
        // A proxy answers 200, and no price: that does not say that there is none.
        await shop.sandbox.control("/faults", { on: "price", kind: "garbage" })
        await svc().shows.pulls.request("gap")
        await workPulls(getContainer())
        const row = () =>
          knex()("svc_event_product").first("available", "needs_reread", "needs_lookup")
        expect(await row()).toEqual({ available: false, needs_reread: true, needs_lookup: true })
        await shop.sandbox.endFaults()
        await aMinutePasses()
        expect(await row()).toEqual({ available: true, needs_reread: false, needs_lookup: false })
      })

      it.each([
        [404, "gone", false],
        [400, "doubtful", true],
      ])(
        "is what it was told to be, where the service answers %i of its price: %s",
        async (status, _what, needs_reread) => {
          await toldUnavailable()
          await shop.sandbox.control("/faults", { on: "price", kind: "status", status })
          await svc().shows.pulls.request("gap")
          await workPulls(getContainer())
          const row = knex()("svc_event_product").first("available", "needs_reread", "needs_lookup")
          expect(await row).toEqual({ available: false, needs_reread, needs_lookup: false })
        },
      )

      it.each(["requested", "gap"] as const)(
        "is in the topic family that deliveries told last, whatever the service answers of its price (%s)",
        async (cause) => {
          await changedUntold(1)
          const [{ campaign_uid }] = (await get("/live-events?limit=1")).live_events
          const told = (topic: string, uid: string, minutes: number, changes: object = {}) =>
            envelope(
              topic,
              eventProduct(uid, campaign_uid, { externalId: "prod_p0", price: 10, ...changes }),
              { occurredAt: Date.now() - minutes * MINUTE },
            )
          const left = told("live_event_product.created", "moved", 12)
          await tell(left)
          const limited = { maxQtyPerCustomer: 1 }
          await tell(told("shoppable_event_product.created", "moved", 11, limited))
          await tell({ ...left, occurredAt: Date.now() - 10 * MINUTE })
          await tell(told("shoppable_event_product.created", "removed", 12))
          await tell(told("live_event_product.created", "removed", 11))
          await settled()
          await later(2 * MINUTE)
          await tell(told("live_event_product.deleted", "removed", 0))
          await settled()
          await listings().update({ missed_at: null })
          await svc().shows.pulls.request(cause)
          await workPulls(getContainer())
          const shown = knex()("svc_event_product").where({ shown: true }).whereNot({ uid: "p0" })
          expect(
            await shown
              .orderBy("uid")
              .select("uid", "kind", "max_qty_per_customer AS most", "rank", "needs_lookup"),
          ).toEqual([
            {
              uid: "moved",
              kind: "shoppable",
              most: 1,
              rank: expect.any(Number),
              needs_lookup: false,
            },
            { uid: "removed", kind: "live", most: null, rank: 2, needs_lookup: false },
          ])
        },
      )

      it("is looked up after each gap, though one of the lists is never given", async () => {
        await changedUntold(1)
        await shop.sandbox.control("/faults", { on: "shoppables", kind: "status", status: 404 })
        await svc().shows.pulls.request("gap")
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 20: 1 })
        await costsUntold(30)
        await svc().shows.pulls.request("gap")
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 30: 1 })
        // Once the answers are surely newer than what was missed, the lists alone are tried again.
        await listings().update({ missed_at: ago(2 * MINUTE) })
        await aMinutePasses()
        await costsUntold(40)
        await aMinutePasses()
        expect(await prices()).toEqual({ 30: 1 })
      })

      it("is looked up where a list shows, after mere silence, that deliveries were missed", async () => {
        await changedUntold(1)
        const [{ event_id }] = (await get("/live-events?limit=1")).live_events
        await listings().update({ missed_at: null })
        await svc().shows.pulls.request("silence")
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 10: 1 })
        await shop.sandbox.control(`/events/${event_id}`, { name: "Renamed, and nobody told" })
        await svc().shows.pulls.request("silence")
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 20: 1 })
      })

      it("is looked up where one list shows that deliveries were missed, and the other is never given", async () => {
        await changedUntold(1)
        const [{ event_id }] = (await get("/live-events?limit=1")).live_events
        await listings().update({ missed_at: null })
        await shop.sandbox.control("/faults", { on: "shoppables", kind: "status", status: 404 })
        await shop.sandbox.control(`/events/${event_id}`, { name: "Renamed, and nobody told" })
        await svc().shows.pulls.request("silence")
        await workPulls(getContainer())
        await aMinutePasses()
        expect(await prices()).toEqual({ 20: 1 })
      })

      it("stays doubtful where it was marked again while the service was being asked about it", async () => {
        await changedUntold(1)
        const { live_events } = await get("/live-events?limit=1")
        const { campaign_uid } = live_events[0]
        // The service has no such product, so its answer is that it is gone.
        await tell(
          envelope("live_event_product.deleted", eventProduct("p-unknown", campaign_uid, {})),
        )
        await settled()
        await later(2 * MINUTE)
        const { lookups, projection } = svc().shows
        const settle = lookups.settle.bind(lookups)
        // More deliveries were missed after the service had answered, and before its answer was written down.
        jest.spyOn(lookups, "settle").mockImplementationOnce(async (trx, ...given) => {
          await lookups.want(trx, true)
          return settle(trx, ...given)
        })
        await projection.write(shop.denmark.connectionId, (trx) => lookups.want(trx, true))
        const doubtful = () => knex()("svc_event_product").where({ needs_reread: true })
        expect(await doubtful()).toHaveLength(1)
        const took = jest.spyOn(lookups, "claim")
        await settlePrices(getContainer(), shop.denmark.connectionId)
        expect(await took.mock.results[0]?.value).toMatchObject({ products: [{}, {}] })
        jest.restoreAllMocks()
        expect(await doubtful()).toHaveLength(1)
        // The next answer settles it.
        await aMinutePasses()
        expect(await doubtful()).toEqual([])
      })

      it("is for the lookup of a cart to say where the show is an open shoppable, or after a mere start", async () => {
        await changedUntold(2, "shoppable")
        await svc().shows.pulls.request("gap")
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 10: 2 })
        await knex()("svc_event_product").delete()
        await changedUntold(1)
        await listings().update({ missed_at: null })
        await svc().shows.pulls.request("started")
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 10: 1 })
      })

      it("is looked up by another worker where one was killed in the middle", async () => {
        await changedUntold(3)
        await svc().shows.pulls.request("gap")
        // As a kill leaves it: the listings are read, and some of the products are taken.
        const claimed = await svc().shows.pulls.work.claim(shop.denmark.connectionId, 30_000)
        if (!claimed) throw new Error("nobody asked")
        await svc().shows.projection.write(shop.denmark.connectionId, async (trx) => {
          await svc().shows.pulls.finish(
            trx,
            claimed,
            { startedAt: new Date(), isWhole: true },
            null,
          )
          await svc().shows.lookups.want(trx, true)
        })
        const taken = await svc().shows.lookups.claim(shop.denmark.connectionId, {
          limit: 2,
          leaseMs: 60_000,
        })
        expect(taken?.products).toHaveLength(2)
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 10: 3 })
        await aMinutePasses()
        expect(await prices()).toEqual({ 20: 3 })
      })

      it("is not forgotten where somebody asks for the listings before they are read", async () => {
        await changedUntold(3)
        await svc().shows.pulls.request("gap")
        await svc().shows.pulls.request("nightly")
        await workPulls(getContainer())
        expect(await prices()).toEqual({ 20: 3 })
      })
    })

    it("is read of one connection while the service of another hangs", async () => {
      const hanging = await serve(() => undefined)
      try {
        const other = await connectMarket(api, getContainer(), shop.sandbox, "europe")
        await ask("post", `/connections/${other.connectionId}/webhook/key`, { signature_key: "k" })
        await workPulls(getContainer())
        await svc().updateSvcConnections({
          id: other.connectionId,
          base_url: hanging.url,
        })
        await svc().updateSvcConnections({
          id: other.connectionId,
          ...svc().sealToken(other.connectionId, other.apiToken),
        })
        await createEvent({ name: "Nobody told" })
        await svc().shows.pulls.request("requested")
        // Not waited for: one of them hangs as long as a call may.
        let ended = false
        const all = workPulls(getContainer()).finally(() => {
          ended = true
        })
        await soon(async () => expect(await names()).toEqual(["Nobody told"]))
        expect(ended).toBe(false)
        await hanging.stop()
        await all
      } finally {
        await hanging.stop()
      }
    })
  })

  describe("a listing", () => {
    beforeEach(keyIsKnown)
    const shown = async () =>
      Object.fromEntries(
        (await api.get("/store/svc/live-events", shop.denmark.store)).data.live_events.map(
          ({ name, status }: Known) => [name, status],
        ),
      )
    /** Shows that the service has and that its listing told. */
    async function running(...shows: string[]) {
      const made = []
      for (const name of shows) {
        const event = await createEvent({ name })
        await shop.sandbox.control(`/events/${event.id}/start`, {})
        made.push(event)
      }
      await pull()
      expect(await names()).toEqual([...shows].sort())
      return made
    }

    it("brings a text that no delivery told, and takes none away that it does not have", async () => {
      const event = await createEvent({ description: "Before", cover: "https://img.test/e1.jpg" })
      const text = async () => (await get(`/live-events/${event.id}`)).live_event.description
      const becomes = (description: string) =>
        shop.sandbox.control(`/events/${event.id}`, { description })
      await pull()
      expect(await text()).toBe("Before")
      await becomes("With clay.")
      await pull()
      expect(await text()).toBe("With clay.")
      await shop.sandbox.control("/profiles", { listing_fields: "few" })
      await pull()
      expect(await text()).toBe("With clay.")
      await shop.sandbox.control("/profiles", undefined, "DELETE")
      // A list may be from a cache, and older than what was told just now.
      await knex()("svc_live_event").update({ heard_at: knex().fn.now() })
      await becomes("And glaze.")
      await pull()
      expect(await text()).toBe("With clay.")
      await later(2 * MINUTE)
      await pull()
      expect(await text()).toBe("And glaze.")
    })

    it("ends no running show at once where it is empty", async () => {
      await running("One", "Two")
      await shop.sandbox.control("/profiles", { listing_items: "empty" })
      for (let times = 0; times < 3; times += 1) {
        await later(20_000)
        await pull()
      }
      expect(await shown()).toEqual({ One: "live", Two: "live" })
    })

    it("ends a show when two whole ones lack it, seconds apart, and nothing was told of it for an hour", async () => {
      const [, two] = await running("One", "Two", "Three")
      await shop.sandbox.control(`/events/${two?.id}`, undefined, "DELETE")
      await pull()
      expect(Object.keys(await shown())).toContain("Two")
      await later(20_000)
      await pull()
      expect(Object.keys(await shown()).sort()).toEqual(["One", "Three"])
      // The row is not marked as deleted: whether something of it sells is for the price lookup to say.
      const row = await knex()("svc_live_event").where({ name: "Two" }).first()
      expect(row).toMatchObject({ status: "live", deleted_in_svc_at: null })
      expect((await get(`/live-events/${two?.id}`)).live_event.deleted_at).not.toBeNull()
    })

    it("ends no show that was sold within the hour", async () => {
      const [one] = await running("One", "Two", "Three")
      await svc().createSvcAttributions({
        order_id: "order_1",
        connection_id: shop.denmark.connectionId,
        page: "",
        campaign_uid: one?.campaign_uid ?? "",
        svc_order_no: "o-1",
        state: "reported",
        currency_code: "dkk",
        placed_at: ago(40 * MINUTE),
      })
      await shop.sandbox.control(`/events/${one?.id}`, undefined, "DELETE")
      for (let times = 0; times < 3; times += 1) {
        await pull()
        await later(20_000)
      }
      expect(Object.keys(await shown())).toContain("One")
      await knex()("svc_attribution").update({ placed_at: ago(2 * HOUR) })
      await pull()
      expect(Object.keys(await shown())).not.toContain("One")
    })

    it("that has fewer fields than a delivery leaves a running show public and what deliveries said of it", async () => {
      const evening = async () => {
        const [event] = await events()
        const { status, is_published, starts_at, live_started_at, deadline } = event
        return { status, is_published, starts_at, live_started_at, deadline }
      }
      const event = await createEvent({ name: "Evening", deadline: Date.now() + 3 * HOUR })
      await shop.sandbox.control(`/events/${event.id}/start`, {})
      await pull()
      const before = await evening()
      expect(before).toMatchObject({ status: "live", is_published: true })
      expect(before.deadline).not.toBeNull()
      await shop.sandbox.control("/profiles", { listing_fields: "few" })
      await knex()("svc_live_event").update({ heard_at: ago(2 * HOUR) })
      for (let times = 0; times < 3; times += 1) {
        await later(20_000)
        await pull()
      }
      expect(await evening()).toEqual(before)
      expect(await shown()).toEqual({ Evening: "live" })
      // What it does say is taken, an end once a second list says so.
      await shop.sandbox.control(`/events/${event.id}/end`, {})
      await pull()
      expect(await shown()).toEqual({ Evening: "live" })
      await later(20_000)
      await pull()
      expect(await evening()).toMatchObject({ status: "processing", is_published: true })
    })

    it("does not beat what was delivered just now, whatever the clock of the process says", async () => {
      const deadline = Date.now() + HOUR
      const event = await createEvent({ name: "Listed", deadline })
      await pull()
      const told = liveEvent(
        event.id,
        { campaignId: event.campaign_uid, eventName: "Told", isPublished: false },
        deadline,
      )
      const real = Date.now
      const body = envelope("live_event.updated", told)
      // As far behind as a delivery may be off.
      jest.spyOn(Date, "now").mockImplementation(() => real() - 4 * MINUTE)
      try {
        await tell(body)
        await settled()
      } finally {
        jest.restoreAllMocks()
      }
      expect(await names()).toEqual(["Told"])
      await pull()
      expect(await names()).toEqual(["Told"])
    })

    it("settles what deliveries of one moment left open of a show that was deleted", async () => {
      await tell(envelope("live_event.created", liveEvent("kept")))
      const at = Date.now() - 5_000
      await tell(envelope("live_event.updated", liveEvent("gone"), { occurredAt: at }))
      await tell(envelope("live_event.deleted", liveEvent("gone"), { occurredAt: at }))
      await settled()
      const doubtful = () =>
        knex()("svc_live_event").where({ needs_reread: true }).pluck("event_id")
      expect(await doubtful()).toEqual(["gone"])
      await later(2 * MINUTE)
      await pull()
      expect(await doubtful()).toEqual([])
    })
  })
}
