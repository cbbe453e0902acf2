/** Each field of a payload is read on its own: one of an unexpected type costs that field and nothing else. */
import fc from "fast-check"
import { runs } from "../../../integration-tests/setup/generated"
import { readEventProduct } from "../event-product"
import { readListing } from "../listing"
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
  liveEndTime: 3_000,
  coverPhotoPath: "/cover.jpg",
  tags: ["a"],
}
const VARIANT = { uid: "v1", sku: "s1", externalId: "x1", variantNames: ["red"], price: 4 }
const PRODUCT = {
  id: "u1",
  uid: "u1",
  campaignUid: "c1",
  sku: "s",
  externalId: "x",
  name: "Mug",
  price: 5,
  suggestedRetailPrice: 6,
  available: true,
  minPurchaseQty: 1,
  maxQtyPerCustomer: 2,
  variants: [VARIANT],
}

/** What each field of the service is read as. */
const READ_AS: Record<string, string> = {
  id: "id",
  eventName: "name",
  eventNameShort: "name",
  currentStatus: "status",
  isPublished: "isPublished",
  eventStartTimestamp: "startsAt",
  liveStartTime: "liveStartTime",
  liveEndTime: "liveEndTime",
  coverPhotoPath: "coverUrl",
}
const anything = fc.anything({ maxDepth: 2, withNullPrototype: false })

function othersThan(value: object, name: string | undefined): object {
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
}

describe("a payload with anything in one of its fields", () => {
  it("is an event of which all other fields are read", () => {
    const right = readLiveEvent({ id: "e1", event: EVENT, campaign: { deadline: 9 } })
    if (!right.ok) throw new Error("not read")
    let unread = 0
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(EVENT)), anything, (name, value) => {
        const read = readLiveEvent({
          id: "e1",
          event: { ...EVENT, [name]: value },
          campaign: { deadline: 9 },
        })
        if (!read.ok) {
          expect(read.missing).toEqual([`event.${name}`])
          return
        }
        unread += read.unread.length
        const lost = name === "id" ? "eventId" : name === "campaignId" ? name : READ_AS[name]
        expect(othersThan(read.value, lost)).toEqual(othersThan(right.value, lost))
      }),
      runs(2_000),
    )
    expect(unread).toBeGreaterThan(100)
    expect(readLiveEvent({ id: "e1", event: EVENT, campaign: "none" })).toMatchObject({
      value: { deadline: null },
      unread: ["campaign"],
    })
  })

  it("is a product of which all other fields are read, and so are its variants", () => {
    const right = readEventProduct(PRODUCT)
    if (!right.ok) throw new Error("not read")
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(PRODUCT)), anything, (name, value) => {
        const read = readEventProduct({ ...PRODUCT, [name]: value })
        if (read.ok) expect(othersThan(read.value, name)).toEqual(othersThan(right.value, name))
        else expect(read.missing).toEqual([name])
      }),
      runs(2_000),
    )
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(VARIANT)), anything, (name, value) => {
        const other = { ...VARIANT, uid: "v2" }
        const read = readEventProduct({
          ...PRODUCT,
          variants: [{ ...VARIANT, [name]: value }, other],
        })
        if (!read.ok) throw new Error("A variant is no reason not to read a product.")
        const [first, second] = read.value.variants
        expect(othersThan(first ?? {}, name)).toEqual(othersThan(VARIANT, name))
        expect(second).toEqual(other)
      }),
      runs(2_000),
    )
  })

  it("has no state and no id that is too long for an index", () => {
    const long = "x".repeat(3_000)
    expect(readLiveEvent({ event: { ...EVENT, currentStatus: long } })).toMatchObject({
      value: { eventId: "e1", status: null },
      unread: ["event.currentStatus"],
    })
    expect(readEventProduct({ ...PRODUCT, externalId: long })).toMatchObject({
      value: { uid: "u1", externalId: null },
      unread: ["externalId"],
    })
  })

  it("is a listing that is read or not, and never throws", () => {
    fc.assert(
      fc.property(anything, (body) => {
        const read = readListing(body)
        if (read !== null) expect(Array.isArray(read.entries)).toBe(true)
      }),
      runs(2_000),
    )
  })
})
