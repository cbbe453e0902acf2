/** The recipes of docs/sandbox.md, "An unkind service": what a caller meets under each. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Box, CONFIGURABLE, type ErrorBody, SIMPLE } from "./harness"

const box = Box.forAll()

const set = (profiles: object) => box.control("POST", "/profiles", profiles)
const fault = (rule: object) =>
  box.control<{ fault: { id: string } }>("POST", "/faults", rule).then(({ fault }) => fault.id)
const push = (...ids: string[]) =>
  box.call<ErrorBody>("POST", "/products", {
    products: ids.map((id) => ({ ...SIMPLE, id, sku: id })),
  })
const receivedIds = async () => (await box.received()).map(({ product }) => product.id)

describe("the catalog", () => {
  for (const status of [500, 403]) {
    test(`a poison product: its batch is answered ${status}`, async () => {
      await fault({ on: "products", kind: "status", status, product_id: "poison" })
      expect((await push("a", "poison", "b")).status).toBe(status)
      expect(await receivedIds()).toEqual([])
      expect((await push("a")).status).toBe(200)
      expect((await push("b", "poison-2")).status).toBe(200)
      expect((await push("poison")).status).toBe(status)
      expect((await receivedIds()).sort()).toEqual(["a", "b", "poison-2"])
    })
  }

  test("a poison product is found in a price lookup too, and by a pattern", async () => {
    await box.push(SIMPLE, CONFIGURABLE)
    const event = await box.onAir()
    for (const external_id of [SIMPLE.id, CONFIGURABLE.id]) {
      await box.addProduct(event.id, { external_id })
    }
    await fault({ on: "price", kind: "status", status: 500, product_id: "prod_l*" })
    const priceOf = async (productId: string, variantId?: string) =>
      (await box.price(event.campaign_uid, { productId, variantId })).status
    expect(await priceOf(SIMPLE.id)).toBe(500)
    expect(await priceOf(CONFIGURABLE.id, "variant_s")).toBe(200)
    // A body that names no product, or is no JSON, is nobody's poison.
    expect((await box.call("POST", "/getCampaignProductPrice/x", "[1", {})).status).toBe(400)
  })

  test("throttle: 429 with the seconds left until they have passed, in real time", async () => {
    await fault({ on: "products", kind: "throttle", retry_after: 3, times: 1 })
    const begun = performance.now()
    const first = await push("a")
    expect([first.status, first.headers.get("retry-after")]).toEqual([429, "3"])
    let early = 0
    for (;;) {
      // Virtual time does not shorten it: a caller waits on its own clock.
      await box.clock({ advance: "1h" })
      const answer = await push("a")
      if (answer.status === 200) break
      early++
      expect(answer.status).toBe(429)
      expect(["1", "2", "3"]).toContain(answer.headers.get("retry-after"))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(performance.now() - begun).toBeGreaterThanOrEqual(2999)
    expect(early).toBeGreaterThan(0)
    expect(await receivedIds()).toEqual(["a"])
    // So a test can ask whether anyone called too early.
    expect(await box.journal("fault:throttle")).toHaveLength(1 + early)
  })
})

describe("listings", () => {
  type Page = { data: { id: string; event: { currentStatus: string } }[]; count?: number }

  const list = async (query = "") =>
    (await box.call<Page>("GET", `/api/v1/liveEvents${query}`)).body
  const idsOf = ({ data }: Page) => data.map(({ id }) => id)

  /** Newest first, as the listings have them. */
  async function events(count: number): Promise<string[]> {
    const ids: string[] = []
    for (let i = 0; i < count; i++) ids.unshift((await box.event({ name: `Show ${i}` })).id)
    return ids
  }

  test("listing_items: none, or every second one with the count of all or of those listed", async () => {
    const ids = await events(5)
    expect([idsOf(await list()), (await list()).count]).toEqual([ids, 5])
    await set({ listing_items: "empty" })
    expect(await list()).toEqual({ data: [], count: 0 })
    await set({ listing_items: "partial" })
    expect([idsOf(await list()), (await list()).count]).toEqual([[ids[1], ids[3]], 5])
    await set({ listing_items: "partial_counted" })
    expect([idsOf(await list()), (await list()).count]).toEqual([[ids[1], ids[3]], 2])
  })

  test("listing_items: each event as it was before its latest change", async () => {
    const [show, gone, fresh] = await Promise.all([box.event(), box.event(), box.event()])
    const clip = await box.event({ kind: "shoppable", name: "Clip" })
    await box.move(show?.id ?? "", "start")
    await box.control("DELETE", `/events/${gone?.id}`)
    await box.change(clip.id, { name: "Clip, renamed" })
    await set({ listing_items: "stale" })
    const { data, count } = await list()
    const states = new Map(data.map(({ id, event }) => [id, event.currentStatus]))
    expect(states).toEqual(
      new Map([
        [show?.id, "planned"],
        [gone?.id, "planned"],
      ]),
    )
    expect(states.has(fresh?.id ?? "")).toBe(false)
    expect(count).toBe(2)
    const shoppables = await box.call("GET", "/api/v1/shoppables")
    expect(shoppables.body).toMatchObject({ data: [{ event: { eventName: "Clip" } }], count: 1 })
  })

  test("listing_age: each event as it was five minutes ago", async () => {
    const show = await box.event({ name: "Show" })
    const gone = await box.event({ name: "Gone" })
    await box.clock({ advance: "10m" })
    await box.move(show.id, "start")
    await box.control("DELETE", `/events/${gone.id}`)
    await box.event({ name: "New" })
    await set({ listing_age: 300 })
    const states = async () => (await list()).data.map(({ id, event }) => [id, event.currentStatus])
    expect(await states()).toEqual([
      [gone.id, "planned"],
      [show.id, "planned"],
    ])
    await box.clock({ advance: "5m" })
    expect(await states()).toEqual([
      [expect.anything(), "planned"],
      [show.id, "live"],
    ])
  })

  test("event_campaign: an event without a campaign", async () => {
    await box.event({ name: "Show" })
    await set({ event_campaign: "missing" })
    const [listed] = (await list()).data
    expect(listed).toMatchObject({ event: { eventName: "Show" } })
    expect(listed).not.toHaveProperty("campaign")
    expect(listed).not.toHaveProperty("event.campaignId")
  })

  test("listing_fields: the ids, name and status only, null in all others, counters of its own, or no campaign", async () => {
    const { id, campaign_uid } = await box.event({ name: "Show", is_published: true })
    const few = { id, campaignId: campaign_uid, eventName: "Show", currentStatus: "planned" }
    const listed = async (listing_fields: string) => {
      await set({ listing_fields })
      return (await list()).data[0]
    }
    expect((await list()).data[0]).toMatchObject({
      event: { isPublished: true },
      campaign: { deadline: 0 },
    })
    expect(await listed("few")).toEqual({ id, event: few })
    expect(await listed("null")).toMatchObject({
      event: { ...few, isPublished: null },
      campaign: null,
    })
    expect(await listed("own")).toMatchObject({ event: { viewers: expect.any(Number) } })
    expect(await listed("unlinked")).not.toHaveProperty("event.campaignId")
  })

  test("listing: a count of the page alone", async () => {
    await events(5)
    await set({ listing: "page_count" })
    expect([(await list("?limit=2")).count, (await list("?limit=2&offset=4")).count]).toEqual([
      2, 1,
    ])
  })

  test("listing_drift: after the first page an event was deleted, or a new one is there", async () => {
    const ids = await events(5)
    const bothPages = async () => [
      ...idsOf(await list("?limit=2")),
      ...idsOf(await list("?limit=2&offset=2")),
    ]
    expect(await bothPages()).toEqual(ids.slice(0, 4))
    await set({ listing_drift: "deletion" })
    expect(await bothPages()).toEqual([ids[0], ids[1], ids[3], ids[4]])
    expect([(await list("?limit=2")).count, (await list("?offset=2")).count]).toEqual([5, 4])
    await set({ listing_drift: "creation" })
    expect(await bothPages()).toEqual([ids[0], ids[1], ids[1], ids[2]])
    expect((await list("?offset=2")).count).toBe(6)
  })

  test("listing_cap: fewer than were asked for, and without a count where the shape has none", async () => {
    const ids = await events(5)
    await set({ listing_cap: 2, listing: "uncounted" })
    expect(await list("?limit=100")).not.toHaveProperty("count")
    const pages = [await list("?limit=100"), await list("?limit=100&offset=2")]
    expect(pages.map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2, 4)])
    expect(idsOf(await list("?limit=100&offset=4"))).toEqual(ids.slice(4))
    expect(idsOf(await list())).toEqual(ids.slice(0, 2))
  })
})

test("somebody changes a subscriber's address and topics in the service's own pages", async () => {
  const { webhookUid } = await box.subscribe("https://shop.example/", ["svc.test"])
  const url = "https://elsewhere.example/"
  await box.control("POST", `/subscribers/${webhookUid}`, { url, topics: ["live_event.created"] })
  expect((await box.call("GET", `/api/v1/webhooks/${webhookUid}`)).body).toMatchObject({
    url,
    topics: ["live_event.created"],
  })
  await expect(
    box.control("POST", `/subscribers/${webhookUid}`, { url: "http://elsewhere.example/" }),
  ).rejects.toThrow("invalid_request")
})

const ROOT = join(__dirname, "../..")
const PROOFS = readFileSync(join(ROOT, "docs/sandbox.md"), "utf8").matchAll(
  /^\| [^|]+ \| `([\w/.-]+\.ts)`: (.+) \|$/gm,
)

test.each([...PROOFS].map(([, file, title]) => [file, title]))(
  "the plugin has the test that docs/sandbox.md names: %s: %s",
  (file = "", title = "") => {
    const text = readFileSync(join(ROOT, "integration-tests/http", file), "utf8")
    expect(text).toContain(title)
  },
)
