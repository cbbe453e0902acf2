import { readListedEvent, readWrite } from "../read-write"

type Change = "created" | "updated" | "deleted"
const read = (
  entity: "event" | "event_product",
  data: Record<string, unknown>,
  change: Change = "created",
) =>
  readWrite({
    entity,
    family: "live",
    change,
    occurredAt: 1,
    emission: "u1",
    data,
  })
const delivered = (data: Record<string, unknown>, change?: Change) => {
  const event = read("event", data, change)
  if (!event.ok || event.entity !== "event") throw new Error("not read")
  return event
}

describe("an event of a listing", () => {
  const told = {
    event: {
      id: "e1",
      campaignId: "c1",
      eventName: "Kiln",
      currentStatus: "live",
      coverPhotoPath: "https://pictures.test/kiln.jpg?signed=1",
    },
  }
  const hashOf = (event: object) =>
    readListedEvent("live", { ...told, event: { ...told.event, ...event } })?.hash

  it("is the state that was delivered whatever else it has: counters, new addresses, its own fields", () => {
    const { hash } = delivered(told).write
    expect(hashOf({ viewers: 3, updatedAt: 17 })).toBe(hash)
    expect(hashOf({ coverPhotoPath: "https://pictures.test/kiln.jpg?signed=2" })).toBe(hash)
    expect(hashOf({ eventName: "Wheel" })).not.toBe(hash)
    expect(hashOf({ currentStatus: "vod" })).not.toBe(hash)
  })
})

describe("reading the data of a delivery", () => {
  const product = (data: Record<string, unknown>) => {
    const known = read("event_product", { uid: "u1", campaignUid: "c1", ...data })
    if (!known.ok || known.entity !== "event_product") throw new Error(JSON.stringify(known))
    return known
  }

  it("reads 0 as not yet, and a time that no calendar has as not told", () => {
    const { write } = delivered({
      event: {
        id: "e1",
        campaignId: "c1",
        eventStartTimestamp: 1_700_000_000_000,
        liveStartTime: 0,
        liveEndTime: 9e18,
      },
      campaign: { deadline: 0 },
    })
    const { starts_at, live_started_at, live_ended_at, deadline, status } = write.content
    expect(starts_at?.toISOString()).toBe("2023-11-14T22:13:20.000Z")
    expect([live_started_at, live_ended_at, deadline, status]).toEqual([
      null,
      null,
      null,
      "planned",
    ])
  })

  it("takes an unknown status and unknown fields as they come", () => {
    const { write } = delivered({
      event: { id: "e1", campaignId: "c1", currentStatus: "rehearsal", mood: "good" },
    })
    expect(write.content.status).toBe("rehearsal")
    expect(write.content.data).toEqual({
      event: { id: "e1", campaignId: "c1", currentStatus: "rehearsal", mood: "good" },
    })
  })

  it("says which field of an event is missing that hides it, or turns it back", () => {
    const oddities = (event: object, change: Change = "updated") =>
      delivered({ event: { id: "e1", campaignId: "c1", ...event } }, change).oddities
    expect(oddities({ currentStatus: "live", isPublished: false }).missing).toEqual([])
    expect(oddities({ currentStatus: "live" }).missing).toEqual(["event.isPublished"])
    expect(oddities({ isPublished: null }).missing).toEqual([
      "event.currentStatus",
      "event.isPublished",
    ])
    // One that cannot be read is named once, and what is deleted shows nothing.
    expect(oddities({ currentStatus: "live", isPublished: {} })).toMatchObject({
      missing: [],
      unread: ["event.isPublished"],
    })
    expect(oddities({}, "deleted").missing).toEqual([])
  })

  it("says which field of an unreadable event is wrong", () => {
    expect(read("event", { event: { id: {}, campaignId: "c1" } })).toEqual({
      ok: false,
      missing: ["event.id"],
    })
  })

  it("reads an event that is not linked to a campaign yet", () => {
    expect(delivered({ event: { id: "e1" } }).write.content.campaign_uid).toBe("")
  })

  it("takes no negative price and no quantity that nobody can buy", () => {
    const { content } = product({
      price: -1,
      suggestedRetailPrice: 10.5,
      minPurchaseQty: 1.5,
      maxQtyPerCustomer: 3_000_000_000,
      variants: [
        { externalId: "v1", price: -0.01 },
        { externalId: "v2", price: 9 },
      ],
    }).write
    expect(content).toMatchObject({
      price: null,
      suggested_retail_price: 10.5,
      min_purchase_qty: null,
      max_qty_per_customer: null,
      variants: [
        { external_id: "v1", price: null },
        { external_id: "v2", price: 9 },
      ],
    })
  })

  it("reports an id that differs from the one that names the record", () => {
    expect(product({ id: "u1" }).oddities.alias).toBeNull()
    expect(product({ id: "other" }).oddities.alias).toEqual({
      name: "id",
      value: "other",
      recordId: "u1",
    })
  })

  it("reads each field on its own: one of another type costs that field, and is named", () => {
    const { write, oddities } = product({
      uid: 4711,
      campaignUid: 12,
      sku: 99,
      externalId: 7,
      price: "79.50",
      suggestedRetailPrice: "cheap",
      available: "false",
      minPurchaseQty: "2",
      maxQtyPerCustomer: [],
      tags: "a,b",
      variants: [{ sku: 5, variantNames: "Small", price: {} }, "no variant"],
    })
    expect(write).toMatchObject({ uid: "4711", campaignUid: "12" })
    expect(write.content).toMatchObject({
      sku: "99",
      external_id: "7",
      price: 79.5,
      suggested_retail_price: null,
      available: false,
      min_purchase_qty: 2,
      max_qty_per_customer: null,
      variants: [{ uid: null, sku: "5", external_id: null, names: ["Small"], price: null }],
    })
    expect(oddities.unread).toEqual([
      "suggestedRetailPrice",
      "maxQtyPerCustomer",
      "variants.0.price",
    ])
  })
})
