import { readWrite } from "../read-write"

describe("reading the data of a delivery", () => {
  const product = (data: Record<string, unknown>) => {
    const read = readWrite({
      entity: "event_product",
      family: "live",
      change: "created",
      occurredAt: 1,
      data: { uid: "u1", campaignUid: "c1", ...data },
    })
    if (!read.ok || read.entity !== "event_product") throw new Error(JSON.stringify(read))
    return read
  }

  it("reads 0 as not yet, and a time that no calendar has as not told", () => {
    const read = readWrite({
      entity: "event",
      family: "live",
      change: "created",
      occurredAt: 1,
      data: {
        event: {
          id: "e1",
          campaignId: "c1",
          eventStartTimestamp: 1_700_000_000_000,
          liveStartTime: 0,
          liveEndTime: 9e18,
        },
        campaign: { deadline: 0 },
      },
    })
    if (!read.ok || read.entity !== "event") throw new Error("not read")
    const { starts_at, live_started_at, live_ended_at, deadline, status } = read.write.content
    expect(starts_at?.toISOString()).toBe("2023-11-14T22:13:20.000Z")
    expect([live_started_at, live_ended_at, deadline, status]).toEqual([
      null,
      null,
      null,
      "planned",
    ])
  })

  it("takes an unknown status and unknown fields as they come", () => {
    const read = readWrite({
      entity: "event",
      family: "live",
      change: "created",
      occurredAt: 1,
      data: { event: { id: "e1", campaignId: "c1", currentStatus: "rehearsal", mood: "good" } },
    })
    if (!read.ok || read.entity !== "event") throw new Error("not read")
    expect(read.write.content.status).toBe("rehearsal")
    expect(read.write.content.data).toEqual({
      event: { id: "e1", campaignId: "c1", currentStatus: "rehearsal", mood: "good" },
    })
  })

  it("says which field of an unreadable event is wrong", () => {
    const read = readWrite({
      entity: "event",
      family: "live",
      change: "created",
      occurredAt: 1,
      data: { event: { id: "e1", campaignId: 7 } },
    })
    expect(read).toMatchObject({ ok: false, problem: expect.stringContaining("event.campaignId") })
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
    expect(product({ id: "u1" }).remark).toBeNull()
    expect(product({ id: "other" }).remark).toContain("other")
  })
})
