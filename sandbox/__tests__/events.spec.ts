/** Live events and shoppables: payload, state machine, listings (interface §2.6, §3.1, §4.5). */

import { TOPICS } from "../contract/interface"
import { Box, type EventView, Receiver, SIMPLE, START } from "./harness"

const box = Box.forAll()
const receiver = Receiver.forAll()

beforeEach(async () => {
  await box.clock({ set: Date.now() + 60_000 })
})

async function now(): Promise<number> {
  return (await box.control<{ now: number }>("GET", "/clock")).now
}

describe("§2.6 ApiLiveEventV1", () => {
  const given: [string, string, unknown][] = [
    ["eventName", "name", "Winter wool"],
    ["eventNameShort", "name_short", "Wool"],
    ["description", "description", "An evening of wool"],
    ["eventStartTimestamp", "starts_at", START],
    ["coverPhotoPath", "cover", "https://cdn.example/cover.jpg"],
    ["coverPhotoPortraitModePath", "cover_portrait", "https://cdn.example/portrait.jpg"],
    ["liveVideoCover", "video_cover", "https://cdn.example/video.jpg"],
    ["animation", "animation", "snow"],
    ["tags", "tags", ["wool", "winter"]],
    ["category", "category", "clothes"],
    ["shoppableGroups", "shoppable_groups", ["home"]],
    ["videoMetaData", "video_meta_data", { width: 1080, height: 1920, orientation: "portrait" }],
  ]
  for (const [field, input, value] of given) {
    test(`§2.6 event.${field} is what it was set to, at creation and later`, async () => {
      const created = await box.event({ [input]: value })
      expect(created.data.event).toMatchObject({ [field]: value })
      const plain = await box.event()
      const event = await box.change(plain.id, { [input]: value })
      expect(event.data.event).toMatchObject({ [field]: value })
    })
  }

  test("§2.6 id and event.id name the event", async () => {
    const event = await box.event()
    expect(event.data.id).toBe(event.id)
    expect(event.data.event.id).toBe(event.id)
    expect((await box.event()).id).not.toBe(event.id)
  })

  test("§2.6 event.campaignId is the campaign that prices are asked for", async () => {
    const event = await box.onAir()
    expect(event.data.event.campaignId).toBe(event.campaign_uid)
    await box.addProduct(event.id, { external_id: "x", name: "X", sku: "X", price: 5, url: "x" })
    expect((await box.price(event.data.event.campaignId, { productId: "x" })).body.price).toBe(5)
  })

  test("§2.6 event.isPublished is true when the internal status is public", async () => {
    const event = await box.event({ is_published: false })
    expect(event.data.event.isPublished).toBe(false)
    const shown = await box.change(event.id, { is_published: true })
    expect(shown.data.event.isPublished).toBe(true)
  })

  test("§2.6 event.videoMetaData is optional, of any orientation", async () => {
    const { data } = await box.event()
    expect(data.event).not.toHaveProperty("videoMetaData")
    const square = { width: 1, height: 1, orientation: "square" }
    expect((await box.event({ video_meta_data: square })).data.event.videoMetaData).toEqual(square)
  })

  test("§2.6 campaign.deadline is when the campaign closes, in ms", async () => {
    const event = await box.event({ deadline: "2026-12-01T00:00:00Z" })
    expect(event.data.campaign.deadline).toBe(Date.UTC(2026, 11, 1))
    expect((await box.event()).data.campaign.deadline).toBe(0)
  })
})

describe("§3.1 event status", () => {
  test("§3.1 planned, live, processing, vod: each move populates its field, which is 0 or empty before", async () => {
    const { id, data } = await box.event()
    const unset = { liveStartTime: 0, liveEndTime: 0, cdnMp4VideoUrl: "" }
    expect(data.event).toMatchObject({ ...unset, currentStatus: "planned" })
    await box.clock({ advance: "5m" })
    const liveStartTime = await now()
    expect((await box.move(id, "start")).data.event).toMatchObject({
      ...unset,
      currentStatus: "live",
      liveStartTime,
    })
    await box.clock({ advance: "1h" })
    const liveEndTime = liveStartTime + 3_600_000
    expect((await box.move(id, "end")).data.event).toMatchObject({
      currentStatus: "processing",
      liveStartTime,
      liveEndTime,
      cdnMp4VideoUrl: "",
    })
    const video_url = "https://cdn.example/show.mp4"
    const { event } = await box.control<{ event: EventView }>("POST", `/events/${id}/complete`, {
      video_url,
    })
    expect(event.data.event).toMatchObject({
      currentStatus: "vod",
      liveStartTime,
      liveEndTime,
      cdnMp4VideoUrl: video_url,
    })
    const other = await box.event()
    const vod = await box.move(other.id, "start", "end", "complete")
    expect(vod.data.event.cdnMp4VideoUrl).toMatch(/^https:.*\.mp4$/)
  })

  test("§3.1 cancelled is the status of what was called off, clip that of shoppables", async () => {
    const { id } = await box.event()
    expect((await box.move(id, "cancel")).data.event.currentStatus).toBe("cancelled")
    expect((await box.event({ kind: "shoppable" })).data.event.currentStatus).toBe("clip")
  })

  test("§3.1 every other move is refused and changes nothing", async () => {
    const moves = ["start", "end", "complete", "cancel"]
    const allowed: Record<string, string[]> = {
      planned: ["start", "cancel"],
      live: ["end", "cancel"],
      processing: ["complete"],
      vod: [],
      cancelled: [],
      clip: [],
    }
    const ways: Record<string, string[]> = {
      planned: [],
      live: ["start"],
      processing: ["start", "end"],
      vod: ["start", "end", "complete"],
      cancelled: ["cancel"],
      clip: [],
    }
    for (const [status, way] of Object.entries(ways)) {
      for (const move of moves) {
        if (allowed[status]?.includes(move)) continue
        const { id } = await box.event({ kind: status === "clip" ? "shoppable" : "live" })
        if (way.length > 0) await box.move(id, ...way)
        await expect(box.move(id, move)).rejects.toThrow("409 illegal_transition")
        const { event } = await box.control<{ event: EventView }>("GET", `/events/${id}`)
        expect([status, move, event.status]).toEqual([status, move, status])
      }
    }
  })

  test("§3.1 topics follow the status of the event: shoppable_event when it is a clip", async () => {
    await box.subscribe(receiver.url, TOPICS)
    const { id } = await box.event()
    await box.move(id, "start", "end", "complete")
    const product = { external_id: "x", name: "X", sku: "X", price: 5, url: "x" }
    await box.addProduct(id, product)
    await box.settle()
    expect(new Set(receiver.topics())).toEqual(
      new Set(["live_event.created", "live_event.updated", "live_event_product.created"]),
    )
    receiver.answer(200)
    await box.control("POST", `/events/${id}/move`, { kind: "shoppable" })
    await box.addProduct(id, { ...product, external_id: "y" })
    await box.settle()
    expect(receiver.topics()).toEqual([
      "shoppable_event.updated",
      "shoppable_event_product.created",
    ])
  })

  test("§3.1 a move may be told as a deletion and a creation, of the products as well, each in its family", async () => {
    await box.push(SIMPLE)
    const event = await box.event()
    await box.addProduct(event.id, { external_id: SIMPLE.id })
    await box.move(event.id, "start", "end", "complete")
    await box.subscribe(receiver.url, TOPICS)
    await box.control("POST", `/events/${event.id}/move`, {
      kind: "shoppable",
      announce: "deleted_created",
    })
    await box.settle()
    expect(receiver.topics().sort()).toEqual([
      "live_event.deleted",
      "live_event_product.deleted",
      "shoppable_event.created",
      "shoppable_event_product.created",
    ])
  })

  test("a deleted event cannot be changed any more", async () => {
    const { id } = await box.event()
    await box.control("DELETE", `/events/${id}`)
    await expect(box.move(id, "start")).rejects.toThrow("409 event_deleted")
    await expect(box.change(id, { name: "x" })).rejects.toThrow("409")
    await expect(box.control("DELETE", `/events/${id}`)).rejects.toThrow("409")
  })
})

describe("§4.5 event listing", () => {
  type Listing = { data: { id: string }[]; count: number }
  const ids = ({ body }: { body: Listing }) => body.data.map(({ id }) => id)

  test("§4.5 /api/v1/liveEvents lists live broadcasts only", async () => {
    const live = await box.event()
    await box.event({ kind: "shoppable" })
    const vod = await box.event()
    await box.move(vod.id, "start", "end", "complete")
    const answer = await box.call<Listing>("GET", "/api/v1/liveEvents")
    expect(answer.status).toBe(200)
    expect(ids(answer)).toEqual([vod.id, live.id])
    expect(answer.body.data[1]).toEqual(live.data)
  })

  test("§4.5 /api/v1/shoppables lists shoppables only", async () => {
    await box.event()
    const clip = await box.event({ kind: "shoppable" })
    const answer = await box.call<Listing>("GET", "/api/v1/shoppables")
    expect(ids(answer)).toEqual([clip.id])
    expect(answer.body.data[0]).toEqual(clip.data)
  })

  test("§4.5 listings are cut by limit and offset, without what was deleted", async () => {
    const events: string[] = []
    for (let i = 0; i < 5; i++) events.unshift((await box.event({ name: `Show ${i}` })).id)
    await box.control("DELETE", `/events/${events[2]}`)
    events.splice(2, 1)
    const page = await box.call<Listing>("GET", "/api/v1/liveEvents?limit=2&offset=1")
    expect(page.body.count).toBe(4)
    expect(ids(page)).toEqual(events.slice(1, 3))
    const bad = await box.call("GET", "/api/v1/liveEvents?limit=many")
    expect(bad.status).toBe(400)
  })

  test("§4.5 a page lists its own events only", async () => {
    await box.control("POST", "/pages", { uid: "other", api_token: "other-token" })
    await box.event({ page_uid: "other" })
    expect(ids(await box.call<Listing>("GET", "/api/v1/liveEvents"))).toEqual([])
  })
})
