import {
  configurable as configurableOf,
  simple,
  variant,
} from "../../../../../integration-tests/setup/pushed-products"
import { canonicalHash, type PushedProduct } from "../../../../contract"
import { type DiffContext, diffProduct, type Known, needsLastPayload } from "../diff-product"
import { notForSale } from "../product-payload"
import type { ProductSnapshot } from "../product-snapshot"
import { catalogReason } from "../reasons"

const CONTEXT: DiffContext = {
  target: "https://svc.example page",
  disabledStatus: "disabled",
  storefrontUrl: "https://shop.example",
}

const configurable = (...ids: string[]) => configurableOf(...ids.map((id) => variant(id)))

const forSale = (payload: PushedProduct): ProductSnapshot => ({
  kind: "for_sale",
  title: "Mug",
  mapped: { ok: true, payload, currency: "DKK", hash: canonicalHash(payload), note: null },
})
const gone: ProductSnapshot = { kind: "gone", title: "Mug", reason: catalogReason("deleted") }
const unsellable: ProductSnapshot = {
  kind: "for_sale",
  title: "Mug",
  mapped: { ok: false, reason: catalogReason("no_variants") },
}

const never: Known = {
  product_id: "prod_1",
  acknowledged_hash: null,
  acknowledged_target: null,
  last: null,
  force: false,
}
/** As a row stands after the service has accepted this payload. */
const accepted = (payload: PushedProduct, hash = canonicalHash(payload)): Known => ({
  product_id: "prod_1",
  acknowledged_hash: hash,
  acknowledged_target: CONTEXT.target,
  last: payload,
  force: false,
})

/** As the worker does it: what was accepted last is read only where it is needed. */
function diff(row: Known, snapshot: ProductSnapshot, context = CONTEXT) {
  const last = needsLastPayload(row, snapshot, context) ? row.last : null
  return diffProduct({ ...row, last }, snapshot, context)
}

/** Settles what a diff says until nothing is left to send; what the service was told, in order. */
function tell(row: Known, snapshot: ProductSnapshot): PushedProduct[] {
  const told: PushedProduct[] = []
  for (let round = 0; round < 5; round++) {
    const { send, again } = diff(row, snapshot)
    if (!send) return told
    told.push(send.payload)
    row = accepted(send.payload, send.hash)
    if (!again) {
      expect(diff(row, snapshot).send).toBeNull()
      return told
    }
  }
  throw new Error("It never ends.")
}

describe("what the service is told", () => {
  it("is a product that it has not", () => {
    expect(diff(never, forSale(simple))).toMatchObject({
      state: "synced",
      send: { payload: simple, hash: canonicalHash(simple) },
    })
  })

  it("is the same once more where a person asks", () => {
    expect(diff({ ...accepted(simple), force: true }, forSale(simple)).send?.payload).toEqual(
      simple,
    )
  })

  it("is everything where the connection has another page or address, and nothing about what that one never had", () => {
    const moved = { ...CONTEXT, target: "https://svc.example another-page" }
    const there: Known = { ...accepted(simple), last: null }
    expect(diff(there, forSale(simple), moved).send?.payload).toEqual(simple)
    expect(diff(there, gone, moved).send).toBeNull()
    expect(diff({ ...there, force: true }, gone, moved).send).toBeNull()
  })

  it("is a withdrawal at a page that had the product before another one was told that it is gone", () => {
    const elsewhere = "https://svc.example another-page"
    const there: Known = {
      ...accepted(notForSale(simple, "disabled"), "off:disabled"),
      acknowledged_target: elsewhere,
    }
    expect(diff({ ...there, last: simple }, gone).send?.payload).toEqual(
      notForSale(simple, "disabled"),
    )
    expect(diff(there, gone, { ...CONTEXT, target: elsewhere }).send).toBeNull()
  })

  it("is a withdrawal when the product can no longer be sold, with the reason", () => {
    expect(diff(accepted(simple), unsellable)).toMatchObject({
      state: "invalid",
      reason: { code: "no_variants" },
    })
    expect(tell(accepted(simple), unsellable)).toEqual([notForSale(simple, "disabled")])
    expect(diff(never, unsellable)).toMatchObject({ state: "invalid", send: null })
  })

  it("is a withdrawal in the merchant's own word, and again when that word changes", () => {
    const [withdrawn] = tell(accepted(simple), gone)
    const row = accepted(withdrawn ?? simple, "off:disabled")
    const hidden = { ...CONTEXT, disabledStatus: "hidden" }
    expect(diff(row, gone, hidden).send?.payload.status).toBe("hidden")
  })
})

describe("a variant that is removed or loses its price", () => {
  it("is sent once as disabled: a service that merges variants would go on selling it", () => {
    const now = configurable("s", "m")
    const [told, ...more] = tell(accepted(configurable("s", "m", "l")), forSale(now))
    expect(more).toEqual([])
    if (told?.type !== "configurable") throw new Error("not configurable")
    expect(told.variants.map(({ id, status, inventory }) => [id, status, inventory])).toEqual([
      ["s", "enabled", 3],
      ["m", "enabled", 3],
      ["l", "disabled", 0],
    ])
    // Each option's value that is named by a variant is named by the product.
    expect(told.configurableOptions).toEqual([{ name: "Size", values: ["s", "m", "l"] }])
  })

  it("is told once more in another word of the merchant's, for the service may not know the one before", () => {
    const told = configurable("s", "m")
    const last = {
      ...told,
      variants: told.variants.map((one) => ({
        ...one,
        ...(one.id === "m" ? { status: "disabled", inventory: 0 } : {}),
      })),
    }
    const inAnother = (disabledStatus: string) => {
      const row = { ...accepted(last), force: true }
      const { send } = diff(row, forSale(configurable("s")), { ...CONTEXT, disabledStatus })
      if (send?.payload.type !== "configurable") throw new Error("not configurable")
      return send.payload.variants.map(({ id, status }) => [id, status])
    }
    expect(inAnother("inactive")).toEqual([
      ["s", "enabled"],
      ["m", "inactive"],
    ])
    expect(inAnother("disabled")).toEqual([["s", "enabled"]])
  })

  it("is withdrawn with its product under an option that names its value, also where no answer to it came", () => {
    // As a call without an answer leaves it: the variant is known, and the options are those of before.
    const last = {
      ...configurable("s", "m"),
      configurableOptions: [{ name: "Size", values: ["s"] }],
    }
    for (const became of [gone, forSale(simple)]) {
      const [told] = tell(accepted(last), became)
      if (told?.type !== "configurable") throw new Error("not configurable")
      expect(told.configurableOptions).toEqual([{ name: "Size", values: ["s", "m"] }])
    }
  })

  it("is sent with its option, also where the product has another one now", () => {
    const now = configurable("s")
    const coloured = {
      ...now,
      configurableOptions: [{ name: "Color", values: ["red"] }],
      variants: now.variants.map((one) => ({ ...one, id: "r", options: { Color: "red" } })),
    }
    const [told] = tell(accepted(configurable("s", "m")), forSale(coloured))
    if (told?.type !== "configurable") throw new Error("not configurable")
    expect(told.variants.map(({ id }) => id)).toEqual(["r", "s", "m"])
    expect(told.configurableOptions).toEqual([
      { name: "Color", values: ["red"] },
      { name: "Size", values: ["s", "m"] },
    ])
  })

  it("is not named again with the next change", () => {
    const [first] = tell(accepted(configurable("s", "m", "l")), forSale(configurable("s", "m")))
    const row = accepted(first ?? simple, canonicalHash(configurable("s", "m")))
    const changed = { ...configurable("s", "m"), price: 1 }
    expect(tell(row, forSale(changed))).toEqual([changed])
  })

  it("is told before the product becomes simple, which has no variants to turn off", () => {
    const told = tell(accepted(configurable("s", "m")), forSale(simple))
    expect(told.map(({ type }) => type)).toEqual(["configurable", "simple"])
    const [farewell] = told
    if (farewell?.type !== "configurable") throw new Error("not configurable")
    expect(farewell.variants.map(({ status }) => status)).toEqual(["disabled", "disabled"])
  })

  it("is turned off at a page that had it before the connection was elsewhere, whatever became of it there", () => {
    const elsewhere = "https://svc.example another-page"
    const had = configurable("s", "m")
    const states = (payload: PushedProduct | undefined) =>
      payload?.type === "configurable" && payload.variants.map(({ id, status }) => [id, status])
    // The other page was told last, of a product without it; what this one accepted is its own.
    const back: Known = {
      ...accepted(had, canonicalHash(configurable("s"))),
      acknowledged_target: elsewhere,
    }
    expect(states(diff(back, forSale(configurable("s"))).send?.payload)).toEqual([
      ["s", "enabled"],
      ["m", "disabled"],
    ])
    const { send, again } = diff(back, forSale(simple))
    expect(again).toBe(true)
    expect(states(send?.payload)).toEqual([
      ["s", "disabled"],
      ["m", "disabled"],
    ])
  })

  it("is for sale again when it comes back", () => {
    const [first] = tell(accepted(configurable("s", "m")), forSale(configurable("s")))
    const row = accepted(first ?? simple, canonicalHash(configurable("s")))
    expect(tell(row, forSale(configurable("s", "m")))).toEqual([configurable("s", "m")])
  })
})

describe("the hash of a payload", () => {
  it("tells a number from a text, an absent field from an empty one, and one order of a list from another", () => {
    const hashes = [
      { a: 1 },
      { a: "1" },
      { a: "" },
      { a: null },
      {},
      { a: [1, 2] },
      { a: [2, 1] },
      { a: [[1], 2] },
      { "a:1": 1 },
    ].map(canonicalHash)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(canonicalHash({ a: undefined })).toBe(canonicalHash({}))
  })

  describe("where the answer of a call never came", () => {
    const unknown = (last: PushedProduct | null): Known => ({
      ...never,
      acknowledged_hash: "unknown",
      last,
    })

    it("sends the product again, whatever was accepted before", () => {
      expect(diff(unknown(simple), forSale(simple)).send?.payload).toEqual(simple)
      expect(diff(unknown(null), forSale(simple)).send?.payload).toEqual(simple)
    })

    it("turns off what is gone by now, with or without a payload to repeat", () => {
      for (const snapshot of [gone, unsellable]) {
        const off = diff(unknown(simple), snapshot).send
        expect(off?.payload).toEqual(notForSale(simple, "disabled"))
        const first = diff(unknown(null), snapshot).send
        expect(first?.payload).toMatchObject({ id: "prod_1", name: "Mug", status: "disabled" })
        // Told once.
        const told = accepted(simple, first?.hash)
        expect(diff(told, snapshot).send).toBeNull()
      }
    })
  })
})
