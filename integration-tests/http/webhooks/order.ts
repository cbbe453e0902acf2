/** Deliveries that overtake, repeat and contradict each other (gaps 1 to 6). */
import fc from "fast-check"
import { envelope, eventProduct, liveEvent } from "../../setup/deliveries"
import { runs } from "../../setup/generated"
import { soon, type WebhooksShop } from "./shop"

export function describeOrder(shop: WebhooksShop): void {
  const { api, ask, createEvent, events, get, inbox, keyIsKnown, knex, pull, settled, tell } = shop

  describe("any order", () => {
    beforeEach(keyIsKnown)

    /** The truth: the last change of each record in its own time. */
    it("ends in the same shows and products however deliveries overtake and repeat each other", async () => {
      const start = Date.now() - 200_000
      let clock = start
      const bodies: unknown[] = []
      const truth = new Map<string, { name: string; deleted_at: string | null }>()
      const prices = new Map<string, { price: number; deleted: boolean }>()
      for (let step = 0; step < 45; step += 1) {
        clock += 1_000
        const id = `e${step % 5}`
        const change = step < 5 ? "created" : step % 11 === 0 ? "deleted" : "updated"
        bodies.push(
          envelope(`live_event.${change}`, liveEvent(id, { eventName: `Name ${step}` }), {
            occurredAt: clock,
          }),
        )
        const deleted_at = change === "deleted" ? new Date(clock).toISOString() : null
        truth.set(id, { name: `Name ${step}`, deleted_at })
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
        await Promise.all(storm.slice(first, first + 12).map(tell))
      }
      await settled()
      const shows = await events()
      expect(shows).toHaveLength(truth.size)
      for (const show of shows) {
        expect(show).toMatchObject(truth.get(show.event_id) ?? {})
      }
      const { data } = await api.get("/store/svc/live-events", shop.denmark.store)
      expect(data.live_events.map((e: { event_id: string }) => e.event_id).sort()).toEqual(
        [...truth].flatMap(([id, { deleted_at }]) => (deleted_at ? [] : [id])),
      )
      // An old change came too late, and has brought nothing back.
      expect((await inbox()).map((one: { outcome: string }) => one.outcome)).toContain("stale")
      const { live_event } = await get("/live-events/e0")
      expect(live_event.products).toHaveLength(prices.size)
      for (const product of live_event.products) {
        expect({ price: product.price, deleted: product.deleted_at !== null }).toEqual(
          prices.get(product.uid),
        )
      }
    })

    it("shows the text that was told last of one state, where the id names the record and an older one comes later", async () => {
      const now = Date.now()
      for (const [ms, description] of [
        [9_000, "The first"],
        [5_000, "The last"],
        [7_000, "One between"],
      ] as const) {
        const told = { occurredAt: now - ms, eventUid: "e1" }
        await tell(envelope("live_event.updated", liveEvent("e1", { description }), told))
        await settled()
      }
      expect((await get("/live-events/e1")).live_event.description).toBe("The last")
    })

    it("shows an event that moved to the shoppables once, there, until it is deleted there", async () => {
      const now = Date.now()
      const vod = liveEvent("e1", { currentStatus: "vod" })
      const clip = liveEvent("e1", { currentStatus: "clip" })
      await tell(envelope("live_event.updated", vod, { occurredAt: now - 9_000 }))
      await tell(envelope("shoppable_event.updated", clip, { occurredAt: now - 8_000 }))
      await settled()
      expect((await events()).map(({ kind }: { kind: string }) => kind)).toEqual(["shoppable"])
      // The deletion in the family that it left may come later than the move.
      await tell(envelope("live_event.deleted", vod, { occurredAt: now - 7_000 }))
      await settled()
      expect((await events())[0]).toMatchObject({ kind: "shoppable", deleted_at: null })
      await tell(envelope("shoppable_event.deleted", clip, { occurredAt: now - 6_000 }))
      await settled()
      const shown = await events()
      expect(shown).toHaveLength(1)
      expect(shown[0].deleted_at).not.toBeNull()
    })

    it("shows each event of a campaign until the deadline that any of them told last, as baskets are priced", async () => {
      const tellState = (id: string, currentStatus: string, deadline: number) => {
        const changes = { currentStatus, campaignId: "campaign-evening" }
        return tell(envelope("live_event.updated", liveEvent(id, changes, deadline)))
      }
      const listed = async () => {
        await settled()
        const { data } = await api.get("/store/svc/live-events", shop.denmark.store)
        return data.live_events.map((event: { event_id: string; deadline: string | null }) => [
          event.event_id,
          event.deadline && Date.parse(event.deadline),
        ])
      }
      const isLive = async () => (await shop.svc().shows.queries.liveSince()).size > 0
      // The storefront's list is forgotten behind the delivery that changes it.
      const expectShown = (shown: unknown[], live: boolean) =>
        soon(async () => expect([await listed(), await isLive()]).toEqual([shown, live]))
      const [over, open] = [Date.now() - 3_600_000, Date.now() + 3_600_000]
      await tellState("running", "live", over)
      await expectShown([], false)
      await tellState("other-date", "cancelled", open)
      await expectShown([["running", open]], true)
      await tellState("other-date", "cancelled", 0)
      await expectShown([["running", null]], true)
      await tellState("other-date", "cancelled", over)
      await expectShown([], false)
      expect((await get("/live-events/running")).live_event.deadline).toBe(
        new Date(over).toISOString(),
      )
    })

    it("shows no event of a campaign in which baskets sell nothing, because another date was cancelled and none is on air", async () => {
      const open = Date.now() + 3_600_000
      const tellState = (id: string, currentStatus: string) => {
        const changes = { currentStatus, campaignId: "campaign-evening" }
        return tell(envelope("live_event.updated", liveEvent(id, changes, open)))
      }
      const showsOnly = (ids: string[]) =>
        soon(async () => {
          const query = "?status=live&status=clip&status=planned"
          const { data } = await api.get(`/store/svc/live-events${query}`, shop.denmark.store)
          expect(data.live_events.map((event: { event_id: string }) => event.event_id)).toEqual(ids)
        })
      /** As the pages of the shows say it: one rule for all of a campaign. */
      const sell = async () => {
        const pages = ["open", "other-date"].map((id) => get(`/live-events/${id}`))
        return (await Promise.all(pages)).map(({ live_event }) => live_event.sells)
      }
      await tellState("open", "clip")
      await showsOnly(["open"])
      await tellState("other-date", "cancelled")
      await showsOnly([])
      expect(await sell()).toEqual([false, false])
      await tellState("open", "planned")
      await tellState("other-date", "cancelled")
      await showsOnly(["open"])
      await tellState("open", "live")
      await soon(async () => expect(await sell()).toEqual([true, true]))
      await showsOnly(["open"])
      // Over, and not in the service's lists any more: what it sells is for the lookup to say (gap 20).
      await tellState("open", "vod")
      await showsOnly([])
      await knex()("svc_live_event").where({ event_id: "open" }).update({ absent_at: new Date() })
      expect((await get("/live-events/open")).live_event.deleted_at).not.toBeNull()
      expect(await sell()).toEqual([true, true])
    })

    it("shows an event that was made while nothing was sent, although another date of its campaign was cancelled", async () => {
      const changes = { currentStatus: "cancelled", campaignId: "campaign-evening" }
      await tell(envelope("live_event.updated", liveEvent("other-date", changes)))
      await settled()
      const clip = await createEvent({ kind: "shoppable", campaign_uid: "campaign-evening" })
      await pull()
      await soon(async () => {
        const { data } = await api.get("/store/svc/live-events", shop.denmark.store)
        expect(data.live_events).toMatchObject([{ event_id: clip.id }])
      })
    })

    it("has a deadline of its own for each event that is in no campaign yet", async () => {
      const changes = { currentStatus: "live", campaignId: "" }
      const open = Date.now() + 3_600_000
      await tell(envelope("live_event.created", liveEvent("one", changes, open)))
      await tell(envelope("live_event.created", liveEvent("two", changes, Date.now() - 1)))
      await settled()
      const { data } = await api.get("/store/svc/live-events", shop.denmark.store)
      expect(data.live_events).toMatchObject([{ event_id: "one" }])
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
        await tell(envelope("live_event.created", liveEvent(id, changes, deadline)))
      }
      await settled()
      const { data } = await api.get("/store/svc/live-events", shop.denmark.store)
      expect(data.live_events.map((e: { event_id: string }) => e.event_id)).toEqual([
        "running",
        "planned",
        "clip",
      ])
      const planned = await get("/live-events?status=planned&q=plan&order=name")
      expect([planned.count, planned.live_events[0].event_id]).toEqual([1, "planned"])
      // What is deleted, or in no list any more, has the status that it had then.
      const count = async (query: string) => (await get(`/live-events?${query}`)).count
      for (const column of ["deleted_in_svc_at", "absent_at"]) {
        const set = (at: Date | null) =>
          knex()("svc_live_event")
            .where({ event_id: "planned" })
            .update({ [column]: at })
        await set(new Date())
        expect([await count("status=planned"), await count("q=planned")]).toEqual([0, 1])
        await set(null)
      }
      expect((await get("/live-events?kind=shoppable")).count).toBe(0)
      expect((await get("/live-events?campaign_uid=campaign-over&limit=1")).count).toBe(1)
      expect((await ask("get", "/live-events?order=hash")).status).toBe(400)
      expect((await ask("get", "/live-events/unknown")).data.code).toBe("not_found")
    })
  })
}
