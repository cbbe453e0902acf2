/** Live events and shoppables: payload, state machine, listings (interface §2.6, §3.1, §4.5). */

import { Box, type EventView, Receiver, START } from "./harness"

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

  test("§2.6 event.liveStartTime and event.liveEndTime are 0 until the broadcast", async () => {
    const { data } = await box.event()
    expect([data.event.liveStartTime, data.event.liveEndTime]).toEqual([0, 0])
  })

  test("§2.6 event.cdnMp4VideoUrl is empty until VOD processing completes", async () => {
    const { id } = await box.event()
    const seen: string[] = []
    for (const move of ["start", "end", "complete"]) {
      seen.push((await box.move(id, move)).data.event.cdnMp4VideoUrl)
    }
    expect(seen).toEqual(["", "", expect.stringMatching(/^https:.*\.mp4$/)])
  })

  test("§2.6 event.currentStatus is one of the six", async () => {
    const live = await box.event()
    const seen = [live.status]
    for (const move of ["start", "end", "complete"])
      seen.push((await box.move(live.id, move)).status)
    const cancelled = await box.event()
    seen.push((await box.move(cancelled.id, "cancel")).status)
    seen.push((await box.event({ kind: "shoppable" })).status)
    expect(seen).toEqual(["planned", "live", "processing", "vod", "cancelled", "clip"])
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

  test("§2.6 a deleted delivery carries the last known full snapshot", async () => {
    await box.subscribe(receiver.url, ["live_event.updated", "live_event.deleted"])
    const event = await box.event({ name: "Gone", tags: ["a"] })
    await box.move(event.id, "start")
    await box.settle()
    const before = receiver.envelopes()[0]?.data
    receiver.answer(200)
    await box.control("DELETE", `/events/${event.id}`)
    await box.settle()
    const [deleted] = receiver.envelopes()
    expect(deleted?.topic).toBe("live_event.deleted")
    expect(deleted?.data).toEqual(before)
    expect(before?.event).toMatchObject({ eventName: "Gone", currentStatus: "live", tags: ["a"] })
  })
})

describe("§3.1 event status", () => {
  test("§3.1 planned: the broadcast starts, live, liveStartTime is populated", async () => {
    const { id } = await box.event()
    await box.clock({ advance: "5m" })
    const event = await box.move(id, "start")
    expect(event.status).toBe("live")
    expect(event.data.event).toMatchObject({ liveStartTime: await now(), liveEndTime: 0 })
  })

  test("§3.1 live: the broadcast ends, processing, liveEndTime is populated", async () => {
    const { id } = await box.event()
    await box.move(id, "start")
    const started = await now()
    await box.clock({ advance: "1h" })
    const event = await box.move(id, "end")
    expect(event.status).toBe("processing")
    expect(event.data.event).toMatchObject({
      liveStartTime: started,
      liveEndTime: started + 3_600_000,
      cdnMp4VideoUrl: "",
    })
  })

  test("§3.1 processing: VOD processing completes, vod, cdnMp4VideoUrl is populated", async () => {
    const { id } = await box.event()
    await box.move(id, "start", "end")
    const { event } = await box.control<{ event: EventView }>("POST", `/events/${id}/complete`, {
      video_url: "https://cdn.example/show.mp4",
    })
    expect(event.status).toBe("vod")
    expect(event.data.event.cdnMp4VideoUrl).toBe("https://cdn.example/show.mp4")
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

  test("§3.1 clip is the status of shoppables", async () => {
    expect((await box.event({ kind: "shoppable" })).data.event.currentStatus).toBe("clip")
  })

  test("§3.1 topics follow the status of the event: shoppable_event when it is a clip", async () => {
    const topics = ["live_event", "shoppable_event"].flatMap((family) =>
      ["created", "updated", "deleted"].flatMap((verb) => [
        `${family}.${verb}`,
        `${family}_product.${verb}`,
      ]),
    )
    await box.subscribe(receiver.url, topics)
    const { id } = await box.event()
    await box.move(id, "start", "end", "complete")
    const product = { external_id: "x", name: "X", sku: "X", price: 5, url: "x" }
    await box.addProduct(id, product)
    await box.settle()
    expect(new Set(receiver.envelopes().map(({ topic }) => topic))).toEqual(
      new Set(["live_event.created", "live_event.updated", "live_event_product.created"]),
    )
    receiver.answer(200)
    await box.control("POST", `/events/${id}/move`, { kind: "shoppable" })
    await box.addProduct(id, { ...product, external_id: "y" })
    await box.settle()
    expect(receiver.envelopes().map(({ topic }) => topic)).toEqual([
      "shoppable_event.updated",
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
