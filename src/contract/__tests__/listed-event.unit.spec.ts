import fc from "fast-check"
import { runs } from "../../../integration-tests/setup/generated"
import { completeListedEvent } from "../listed-event"
import { readLiveEvent } from "../live-event"

const EVENT = {
  id: "e1",
  campaignId: "c1",
  eventName: "Evening",
  eventNameShort: "Eve",
  currentStatus: "live",
  isPublished: true,
  eventStartTimestamp: 1_000,
  liveStartTime: 2_000,
  liveEndTime: 0,
  tags: ["a"],
}
const KNOWN = { id: "e1", event: EVENT, campaign: { deadline: 9_000 } }
const NAMES = { id: "e1", campaignId: "c1" }

const listed = (event: Record<string, unknown>, rest: Record<string, unknown> = {}) =>
  completeListedEvent({ id: "e1", event: { ...NAMES, ...event }, ...rest }, KNOWN)
const read = (data: Record<string, unknown>) => {
  const reading = readLiveEvent(data)
  if (!reading.ok) throw new Error(reading.missing.join())
  return reading.value
}

describe("an event of a listing that has fewer fields than a delivery", () => {
  it("says what it has", () => {
    const { data, lean } = listed({ currentStatus: "vod", isPublished: false })
    expect(lean).toBe(true)
    expect(read(data)).toMatchObject({
      status: "vod",
      isPublished: false,
      name: "Evening",
      startsAt: 1_000,
      liveStartTime: 2_000,
      deadline: 9_000,
    })
  })

  it("says with null that there is none, where there can be none", () => {
    const none = {
      eventStartTimestamp: null,
      liveStartTime: null,
      liveEndTime: null,
    }
    for (const campaign of [{ deadline: null }, null]) {
      const { data } = listed(none, { campaign })
      expect(read(data)).toMatchObject({
        startsAt: null,
        liveStartTime: null,
        liveEndTime: null,
        deadline: null,
      })
    }
  })

  it("says nothing with null, or with what cannot be read, where an event always has a value", () => {
    const { data, lean } = listed(
      { eventName: null, currentStatus: null, isPublished: "perhaps", liveStartTime: {} },
      { campaign: { deadline: "soon" } },
    )
    expect({ data, lean }).toEqual({ data: KNOWN, lean: true })
    expect(listed({ isPublished: null }).data).toEqual(KNOWN)
    expect(listed({ currentStatus: "x".repeat(3_000) }).data).toEqual(KNOWN)
  })

  it("takes no text, picture or replay away with null or an empty text", () => {
    const shown = {
      description: "With clay.",
      tags: ["a"],
      cdnMp4VideoUrl: "https://video.test/e1",
    }
    const known = { ...KNOWN, event: { ...EVENT, ...shown } }
    for (const none of [null, ""]) {
      const said = { description: none, tags: none, cdnMp4VideoUrl: none }
      const entry = { ...KNOWN, event: { ...EVENT, ...said } }
      expect(completeListedEvent(entry, known)).toEqual({ data: known, lean: false })
    }
  })

  it("does not have the deadline of the campaign that it was in before", () => {
    const moved = { ...EVENT, campaignId: "c2" }
    const { data, lean } = completeListedEvent({ id: "e1", event: moved }, KNOWN)
    expect(data).toEqual({ id: "e1", event: moved })
    expect(lean).toBe(false)
    const silent = completeListedEvent({ id: "e1", event: moved, campaign: {} }, KNOWN)
    expect(silent.data).not.toHaveProperty("campaign")
    // Without a campaign there is no deadline: that is said, and nothing is lacking.
    expect(completeListedEvent({ id: "e1", event: EVENT, campaign: null }, KNOWN).lean).toBe(false)
    const withOwn = completeListedEvent(
      { id: "e1", event: moved, campaign: { deadline: 5 } },
      { ...KNOWN, campaign: { deadline: 9_000, title: "Winter" } },
    )
    expect(withOwn.data.campaign).toEqual({ deadline: 5 })
  })

  it("lacks nothing where it says all that decides, or all that deliveries ever said", () => {
    const { tags: _, eventNameShort: __, ...decisive } = EVENT
    const whole = { id: "e1", event: decisive, campaign: { deadline: 9_000 } }
    expect(completeListedEvent(whole, KNOWN)).toEqual({ data: KNOWN, lean: false })
    expect(completeListedEvent(whole, null)).toEqual({ data: whole, lean: false })
    const { campaign: ___, ...withoutCampaign } = whole
    expect(completeListedEvent(withoutCampaign, null).lean).toBe(true)
    expect(completeListedEvent(withoutCampaign, { id: "e1", event: EVENT })).toEqual({
      data: { id: "e1", event: EVENT },
      lean: false,
    })
  })

  it.each(["eventName", "currentStatus", "isPublished", "liveEndTime"])(
    "notices without %s",
    (name) => {
      const event = Object.fromEntries(Object.entries(EVENT).filter(([other]) => other !== name))
      const part = { id: "e1", event, campaign: { deadline: 9_000 } }
      expect(completeListedEvent(part, KNOWN)).toEqual({ data: KNOWN, lean: true })
      expect(completeListedEvent(part, null)).toEqual({ data: part, lean: true })
    },
  )

  it("is what was known with any of its fields left out, whatever was known", () => {
    const value = fc.oneof(fc.string(), fc.nat(), fc.boolean(), fc.constant(null))
    const fields = fc.record(
      Object.fromEntries([...Object.keys(EVENT), "mood", "__proto__"].map((name) => [name, value])),
      { requiredKeys: [] },
    )
    const payload = fc.record(
      {
        id: fc.string(),
        event: fields,
        campaign: fc.oneof(fc.constant(null), fields),
        extra: value,
      },
      { requiredKeys: ["event"] },
    )
    const kept = fc.func(fc.boolean())
    fc.assert(
      fc.property(payload, kept, kept, (known, ofAll, ofEvent) => {
        const inside = { ...known.event }
        for (const name of Object.keys(inside)) {
          if (name !== "campaignId" && !ofEvent(name)) Reflect.deleteProperty(inside, name)
        }
        const part: Record<string, unknown> = { ...known, event: inside }
        for (const name of Object.keys(part)) {
          if (name !== "event" && !ofAll(name)) Reflect.deleteProperty(part, name)
        }
        expect(completeListedEvent(part, known).data).toEqual(known)
      }),
      runs(500),
    )
  })
})
