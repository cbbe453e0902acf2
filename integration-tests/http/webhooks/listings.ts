/** What is read from the service, because no delivery told it (gap 20). */
import reconcileWebhooks from "../../../src/jobs/reconcile-webhooks"
import { readListedEvent } from "../../../src/modules/svc/shows"
import { workPulls } from "../../../src/workflows/shows"
import { envelope, liveEvent } from "../../setup/deliveries"
import { soon, type WebhooksShop } from "./shop"

export function describeListings(shop: WebhooksShop): void {
  const {
    addProduct,
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

  describe("reading the lists of events", () => {
    /** What was told is old, and a second reading of the listings is due. */
    async function twoHoursPass() {
      const hours = knex().raw("now() - interval '2 hours'")
      await knex()("svc_live_event").update({ heard_at: hours })
      await knex()("svc_live_event").whereNotNull("unlisted_at").update({ unlisted_at: hours })
      await knex()("svc_connection_work").update({ next_attempt_at: null })
    }

    /** All that was told and read so far is old enough to ask the service about it. */
    async function longAgo() {
      const hour = knex().raw("now() - interval '1 hour'")
      await knex()("svc_event_product").update({ heard_at: hour })
      await knex()("svc_live_event").update({ heard_at: hour })
      await knex()("svc_connection_work").update({ read_at: hour, created_at: hour })
    }

    it("reads the listings after hours of silence, minutes of it during a show, and after a tie", async () => {
      await ask("post", webhookPath())
      await workPulls(getContainer())
      const starts_at = Date.now() + 3 * 86_400_000
      await createEvent({ name: "Known", starts_at })
      await soon(async () => expect(await events()).toHaveLength(1))
      // That it came is noted a second later, over whatever time stands there then.
      await svc().webhooks.admission.writeNotes()
      await shop.sandbox.control("/faults", { on: "delivery", kind: "status", status: 503 })
      const silentFor = async (minutes: number) => {
        const then = new Date(Date.now() - minutes * 60_000)
        await knex()("svc_webhook").update({ last_delivery_at: then })
        await knex()("svc_connection_work").update({
          read_at: then,
          created_at: then,
          // The store itself was there all the time.
          alive_at: new Date(),
        })
      }
      const learns = async (name: string) => {
        await createEvent({ name, starts_at })
        await reconcileWebhooks(getContainer())
        await workPulls(getContainer())
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
      await knex()("svc_live_event")
        .where({ name: "Known" })
        .update({ needs_reread: true, heard_at: new Date(Date.now() - 120_000) })
      expect(await learns("A tie")).toBe(true)
    })

    it("takes thousands of clips at once, and where they cannot be read says so of the lists, not of the webhook", async () => {
      await ask("post", webhookPath())
      await workPulls(getContainer())
      const clips = Array.from({ length: 3_000 }, (_, n) =>
        readListedEvent("shoppable", {
          event: { id: `clip-${n}`, campaignId: `campaign-${n}`, currentStatus: "clip" },
        }),
      ).flatMap((write) => write ?? [])
      const now = await svc().shows.projection.now()
      const whole = { counted: true, unreadable: 0 }
      const { connectionId } = shop.denmark
      await svc().shows.listings.correct(connectionId, "shoppable", clips, {
        startedAt: now,
        asOf: now,
        whole,
      })
      expect((await get("/live-events?kind=shoppable&limit=1")).count).toBe(3_000)

      await shop.sandbox.control("/faults", { on: "live_events", kind: "status", status: 500 })
      await pull()
      expect((await get(webhookPath())).webhook.last_error).toBeNull()
      const { code } = await knex()("svc_connection_work")
        .where({ kind: "listings" })
        .first("reason_code AS code")
      expect(code).not.toBeNull()
      expect((await shop.problems()).filter((problem) => problem.code === code)).toHaveLength(1)
    })

    it("is not asked for again and again because of the row of a show that nobody sees any more", async () => {
      await ask("post", webhookPath())
      await workPulls(getContainer())
      await createEvent({ name: "Known" })
      await soon(async () => expect(await events()).toHaveLength(1))
      await svc().webhooks.admission.writeNotes()
      const minutes = knex().raw("now() - interval '20 minutes'")
      await knex()("svc_live_event").update({ status: "live", shown: false })
      await knex()("svc_webhook").update({ last_delivery_at: minutes })
      await knex()("svc_connection_work").update({ read_at: minutes, created_at: minutes })
      const asked = () =>
        knex()("svc_connection_work").where({ kind: "listings" }).first("wanted", "cause")
      const before = await asked()
      await svc().shows.pulls.requestWhereSilent()
      expect(await asked()).toEqual(before)
      await knex()("svc_live_event").update({ shown: true })
      await svc().shows.pulls.requestWhereSilent()
      expect(await asked()).toMatchObject({ cause: "silence" })
    })

    it("asks the service for a price that two deliveries of one millisecond left open", async () => {
      // The sandbox's clock is turned where it sends again, the store's is not.
      svc().options.webhookToleranceSeconds = 0
      await ask("post", webhookPath())
      await workPulls(getContainer())
      const event = await createEvent()
      await shop.sandbox.control(`/events/${event.id}/start`, {})
      await shop.sandbox.control("/profiles", { ties: "same_ms" })
      const uid = await addProduct(event.id, 10)
      const told = () => knex()("svc_event_product").first("needs_reread")
      // The service rounds down to the second. Where one ends between two of these changes, another round is made.
      for (let round = 0; round < 3 && !(await told())?.needs_reread; round++) {
        for (const price of [20, 30, 20, 40, 20]) {
          await shop.sandbox.control(`/events/${event.id}/products/${uid}`, { price })
        }
        await shop.sandbox.control("/clock", { run_until_idle: true, grace_ms: 30_000 })
        await settled()
      }
      expect((await told())?.needs_reread).toBe(true)

      // Not at once: an answer may be from a cache and older than the deliveries.
      await knex()("svc_event_product").update({ heard_at: knex().fn.now() })
      await knex()("svc_live_event").update({ heard_at: knex().fn.now() })
      await reconcileWebhooks(getContainer())
      await workPulls(getContainer())
      expect((await told())?.needs_reread).toBe(true)
      await longAgo()
      await soon(async () => {
        await reconcileWebhooks(getContainer())
        await workPulls(getContainer())
        const { live_event } = await get(`/live-events/${event.id}`)
        expect(live_event.products).toMatchObject([{ price: 20 }])
        expect((await told())?.needs_reread).toBe(false)
      })
    })

    it("learns of a price that is looked up in which currency a show sells, and says so where no basket can be in it", async () => {
      await ask("post", webhookPath())
      await workPulls(getContainer())
      await shop.sandbox.control("/profiles", { campaign_prices: "open" })
      const event = await createEvent({ currency: "EUR", starts_at: Date.now() + 3_600_000 })
      await addProduct(event.id, 10)
      const shown = async () => {
        const { live_event } = await get(`/live-events/${event.id}`)
        return live_event.products[0]?.readiness.problems
          .map(({ code }: { code: string }) => code)
          .filter((code: string) => code !== "not_checked")
      }
      /** Deliveries may have been missed, so its price is looked up. */
      const afterGap = (codes: string[]) =>
        soon(async () => {
          await longAgo()
          await svc().shows.pulls.request("gap")
          await workPulls(getContainer())
          expect(await shown()).toEqual(codes)
        })
      /** Of the show's prices, in the admin and on the storefront. */
      const currencies = async () => {
        const { live_event } = await get(`/live-events/${event.id}`)
        const { data } = await api.get("/store/svc/live-events", shop.denmark.store)
        return [live_event, ...data.live_events].map(({ currency_code }) => currency_code)
      }
      const expectPricesIn = (currency: string) =>
        soon(async () => expect(await currencies()).toEqual([currency, currency]))
      await soon(async () => expect(await shown()).toEqual(["catalog_not_imported"]))
      await expectPricesIn("dkk")
      await afterGap(["other_currency", "catalog_not_imported"])
      await expectPricesIn("eur")
      // The merchant mends it at the service.
      await shop.sandbox.control(`/events/${event.id}`, { currency: "DKK" })
      await afterGap(["catalog_not_imported"])
      await expectPricesIn("dkk")
    })

    it("learns of a price that is looked up whether a show's prices include VAT, and says so where the connection says otherwise", async () => {
      await ask("post", webhookPath())
      await workPulls(getContainer())
      await shop.sandbox.control("/profiles", { campaign_prices: "open" })
      const event = await createEvent({ starts_at: Date.now() + 3_600_000 })
      await addProduct(event.id, 10)
      const known = async () => {
        const { live_event } = await get(`/live-events/${event.id}`)
        const { data } = await api.get("/store/svc/live-events", shop.denmark.store)
        return [
          live_event.products[0]?.readiness.problems.map(({ code }: { code: string }) => code),
          data.live_events[0]?.prices_include_tax,
        ]
      }
      await soon(async () => expect(await known()).toEqual([["catalog_not_imported"], true]))
      await shop.sandbox.control(`/events/${event.id}`, { vat: { rate: 25, included: false } })
      await soon(async () => {
        await longAgo()
        await svc().shows.pulls.request("gap")
        await workPulls(getContainer())
        expect(await known()).toEqual([["other_tax_basis", "catalog_not_imported"], false])
      })
    })

    it("knows of every event of a campaign on what basis it sells, whoever noted it before, and of one that comes later", async () => {
      await keyIsKnown()
      const { priceBases, queries } = svc().shows
      const answer = { currency: "eur", vat: { rate: 25, included: false } }
      const told = (id: string) => liveEvent(id, { campaignId: "campaign-evening" })
      const known = async () =>
        Object.fromEntries(
          (await knex()("svc_live_event").select("event_id", "price_currency")).map((row) => [
            row.event_id,
            row.price_currency,
          ]),
        )
      const noteInAMinute = async () => {
        const clock = jest.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000)
        try {
          await priceBases.note(shop.denmark.connectionId, "campaign-evening", answer)
        } finally {
          clock.mockRestore()
        }
      }
      await tell(envelope("live_event.created", told("e1")))
      await settled()
      await priceBases.note(shop.denmark.connectionId, "campaign-evening", answer)
      await tell(envelope("live_event.created", told("e2")))
      await settled()
      // Another process was answered in another currency meanwhile.
      await knex()("svc_live_event").where({ event_id: "e1" }).update({ price_currency: "dkk" })
      await noteInAMinute()
      expect(await known()).toEqual({ e1: "eur", e2: "eur" })
      await tell(envelope("live_event.created", told("e3")))
      await settled()
      const { events } = await queries.listEvents({ filters: {}, order: {}, limit: 10, offset: 0 })
      expect(
        events.map((event) => [event.event_id, event.price_currency, event.price_includes_vat]),
      ).toEqual(["e1", "e2", "e3"].map((id) => [id, "eur", false]))
    })

    it("is not moved by a counter, an address that changes, or a missing campaign of a list", async () => {
      await ask("post", webhookPath())
      await workPulls(getContainer())
      const hour = 3_600_000
      const event = await createEvent({ deadline: Date.now() + hour })
      await shop.sandbox.control(`/events/${event.id}/start`, {})
      await shop.sandbox.control("/clock", { advance: "10m" })
      await shop.sandbox.control(`/events/${event.id}`, { deadline: Date.now() + 2 * hour })
      const deadline = async () => Date.parse((await events())[0].deadline) - Date.now()
      await soon(async () => expect(await deadline()).toBeGreaterThan(1.5 * hour))
      const before = await knex()("svc_live_event").first("hash", "occurred_at", "campaign_uid")
      const doubts = new Set<number>()
      // A list from a five-minute cache, three minutes after the deadline was moved.
      const minutesAgo = knex().raw("now() - interval '3 minutes'")
      for (const profile of [
        { listing_fields: "own" },
        { listing_fields: "own", listing_age: 300 },
        { listing_fields: "unlinked" },
      ]) {
        await shop.sandbox.control("/profiles", undefined, "DELETE")
        await shop.sandbox.control("/profiles", profile)
        for (let times = 0; times < 2; times += 1) {
          await knex()("svc_live_event").update({ heard_at: minutesAgo })
          await pull()
          expect(await deadline()).toBeGreaterThan(1.5 * hour)
          expect(
            await knex()("svc_connection_work").where({ kind: "listings" }).first("read_whole"),
          ).toEqual({ read_whole: true })
          const { doubt } = await knex()("svc_live_event").first("doubt")
          if (doubt) doubts.add(doubt.since)
        }
      }
      expect(await knex()("svc_live_event").first("hash", "occurred_at", "campaign_uid")).toEqual(
        before,
      )
      // What the old list says is noted once, not with each reading.
      expect(doubts.size).toBe(1)
    })

    it("keeps shows apart that no campaign is named for, in deliveries and in lists, and sells in none", async () => {
      await ask("post", webhookPath())
      await workPulls(getContainer())
      await shop.sandbox.control("/profiles", { event_campaign: "missing" })
      const made = [await createEvent({ name: "Clay" }), await createEvent({ name: "Wool" })]
      for (const { id } of made) await shop.sandbox.control(`/events/${id}/start`, {})
      const known = async () =>
        Object.fromEntries(
          (await events()).map(
            ({ name, status, campaign_uid }: { [field: string]: string | null }) => [
              name,
              [status, campaign_uid || null],
            ],
          ),
        )
      await soon(async () =>
        expect(await known()).toEqual({ Clay: ["live", null], Wool: ["live", null] }),
      )
      await pull()
      expect(await known()).toEqual({ Clay: ["live", null], Wool: ["live", null] })
      const { count } = await shop.sandbox.client.journal.find({ q: "endpoint:price" })
      expect(count).toBe(0)

      // Linked later, each to its own.
      await shop.sandbox.control("/profiles", undefined, "DELETE")
      for (const { id } of made) await shop.sandbox.control(`/events/${id}`, { description: "New" })
      await soon(async () =>
        expect(await known()).toEqual({
          Clay: ["live", made[0]?.campaign_uid],
          Wool: ["live", made[1]?.campaign_uid],
        }),
      )
    })

    it("loses no show behind a page whose count is its own", async () => {
      await ask("post", webhookPath())
      await workPulls(getContainer())
      for (const name of ["a", "b", "c", "d"]) await createEvent({ name })
      await soon(async () => expect(await events()).toHaveLength(4))
      await shop.sandbox.control("/profiles", { listing: "page_count", listing_cap: 2 })
      for (let times = 0; times < 2; times += 1) {
        await twoHoursPass()
        await pull()
      }
      expect(await knex()("svc_live_event").whereNotNull("unlisted_at")).toEqual([])
    })

    it("says in health, which the overview shows, and to the doctor that a list could not be read whole, until one could", async () => {
      await ask("post", webhookPath())
      await workPulls(getContainer())
      for (const name of ["a", "b", "c", "d"]) await createEvent({ name })
      await soon(async () => expect(await events()).toHaveLength(4))
      const { connectionId } = shop.denmark
      const isAboutLists = ({ code }: { code: string }) => code === "listing_incomplete"
      /** The overview's card of the connection shows what health says of it. */
      const told = async () => {
        const { data, status } = await ask("get", "/health")
        const problems = data.health.problems.filter(isAboutLists)
        const { findings } = await get(`${webhookPath()}/doctor`)
        return { status, problems, doctor: findings.filter(isAboutLists).length }
      }
      const nothing = { status: 200, problems: [], doctor: 0 }
      await pull()
      expect(await told()).toEqual(nothing)
      // A list of one that does not count itself is nothing to report.
      await shop.sandbox.control("/profiles", { listing: "array" })
      await createEvent({ name: "e", kind: "shoppable" })
      await pull()
      expect(await told()).toEqual(nothing)
      await shop.sandbox.control("/profiles", undefined, "DELETE")

      const unreadable = { data: [{ event: { eventName: "Nobody's" } }], count: 1 }
      for (const [what, unkind] of Object.entries({
        "counts more than it has": () =>
          shop.sandbox.control("/profiles", { listing_items: "partial" }),
        "changes while it is read": () =>
          shop.sandbox.control("/profiles", { listing_cap: 2, listing_drift: "deletion" }),
        "has an entry without an id": () =>
          shop.sandbox.control("/faults", {
            on: "shoppables",
            kind: "status",
            status: 200,
            body: unreadable,
          }),
        "gives its first page again and again": () =>
          shop.sandbox.control("/faults", {
            on: "shoppables",
            kind: "status",
            status: 200,
            body: {
              data: Array.from({ length: 20 }, (_, n) => ({
                event: { id: `again-${n}`, campaignId: `again-${n}`, currentStatus: "clip" },
              })),
            },
          }),
      })) {
        await unkind()
        await twoHoursPass()
        await pull()
        const problem = { severity: "warning", connection_id: connectionId }
        expect({ what, ...(await told()) }).toMatchObject({
          ...{ what, status: 200, doctor: 1 },
          problems: [problem],
        })
        // What such a list lacks is still there.
        expect(await knex()("svc_live_event").whereNotNull("unlisted_at")).toEqual([])
        await shop.sandbox.control("/profiles", undefined, "DELETE")
        await shop.sandbox.endFaults()
        await pull()
        expect({ what, ...(await told()) }).toEqual({ what, ...nothing })
      }
    })

    it("ends in the service's own state in whatever way the service differs from our reading", async () => {
      const { options } = svc()
      // The sandbox's clock is turned, the store's is not.
      options.webhookToleranceSeconds = 0
      for (const webhook_answers of ["wrapped", "other_types", "key_alone", "items"]) {
        await shop.sandbox.control("/profiles", { webhook_answers })
        await ask("delete", webhookPath())
        const custom_headers = [{ name: "X-Shop", value: "one" }]
        const { data } = await ask("post", webhookPath(), { custom_headers })
        expect([webhook_answers, data.webhook?.signature_key.configured]).toEqual([
          webhook_answers,
          true,
        ])
        expect(data.webhook.custom_headers).toEqual(["X-Shop"])
        expect((await ask("post", `${webhookPath()}/rotate`)).status).toBe(200)
        const { subscribers } = await shop.sandbox.client.subscribers.list()
        expect([webhook_answers, subscribers.length]).toEqual([webhook_answers, 1])
      }
      for (const profile of [
        {
          event_uid: "per_record",
          order: "shuffled",
          duplicates: "storm",
          body_format: "pretty",
        },
        { ids: "aliased", late_2xx: "on", body_format: "escaped" },
        { timestamp_header: "differs", unknowns: "on", body_format: "spaced" },
      ]) {
        await shop.sandbox.control("/profiles", undefined, "DELETE")
        await shop.sandbox.control("/profiles", profile)
        const name = JSON.stringify(profile)
        const event = await createEvent({ name: `${name} ø 🎉` })
        const uid = await addProduct(event.id, 10)
        // The same price comes back: under the other reading of eventUid only the time tells them apart.
        for (const price of [20, 10, 20.5]) {
          // Deliveries of one millisecond do not tell which is the last: the test of the tie is about those.
          await new Promise((resolve) => setTimeout(resolve, 5))
          await shop.sandbox.control(`/events/${event.id}/products/${uid}`, { price })
        }
        await shop.sandbox.control(`/events/${event.id}/start`, {})
        await shop.sandbox.control("/clock", { run_until_idle: true, grace_ms: 30_000 })
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
    })
  })
}
