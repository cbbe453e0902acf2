/** What a change of our copy tells a merchant's code. */
import { announceEvent, announceProduct, shownRow } from "../announcements"
import type { EventRow, ProductRow } from "../projection-rows"

type Changes<R extends { content: unknown }> = Partial<R["content"]> & {
  deleted?: boolean
  hash?: string
}
type EventChanges = Changes<EventRow>
type ProductChanges = Changes<ProductRow>

const event = ({ deleted, hash = "h", ...changes }: EventChanges = {}) => ({
  key: ["e1"],
  kind: "live" as const,
  hash,
  rank: deleted ? 2 : 1,
  absentAt: null as number | null,
  content: {
    campaign_uid: "c1",
    name: "Show",
    status: "planned",
    is_published: true,
    starts_at: null,
    live_started_at: null,
    live_ended_at: null,
    deadline: null,
    cover_url: null,
    ...changes,
  },
})
const product = ({ deleted, hash = "h", ...changes }: ProductChanges = {}) => ({
  key: ["c1", "p1"],
  kind: "live" as const,
  hash,
  rank: deleted ? 2 : 1,
  absentAt: null,
  content: { external_id: "prod_1", price: 10, available: true, variants: [], ...changes },
})
const variant = (uid: string, price: number | null) => ({
  uid,
  external_id: null,
  sku: null,
  names: [],
  price,
})
const names = (announcements: { name: string }[]) =>
  announcements.map(({ name }) => name.replace(/^svc\.(live_event|event_product)\./, ""))

describe("a change of an event", () => {
  const change = (before: EventChanges | null, after: EventChanges) =>
    names(announceEvent("con", before && event(before), event({ hash: "other", ...after })))

  it.each<[string, EventChanges | null, EventChanges, string[]]>([
    ["is planned", null, {}, ["planned", "changed"]],
    ["is live when it becomes known", null, { status: "live" }, ["started", "changed"]],
    ["is deleted when it becomes known", null, { deleted: true }, ["changed"]],
    ["is a clip", null, { status: "clip" }, ["changed"]],
    ["starts", {}, { status: "live" }, ["started", "changed"]],
    ["ends", { status: "live" }, { status: "processing" }, ["ended", "changed"]],
    ["becomes a video", { status: "processing" }, { status: "vod" }, ["changed"]],
    ["is cancelled", {}, { status: "cancelled" }, ["cancelled", "changed"]],
    ["is deleted", {}, { deleted: true }, ["deleted", "changed"]],
    ["comes back", { deleted: true }, {}, ["planned", "changed"]],
    ["gets a state that nobody knows", {}, { status: "dreamt" }, ["changed"]],
  ])("that %s", (_, before, after, expected) => {
    expect(change(before, after)).toEqual(expected)
  })

  it("is none where nothing that people see changed", () => {
    expect(announceEvent("con", event(), event())).toEqual([])
    // Missing in the listings, with the same content.
    const missing = { ...event(), absentAt: 1 }
    expect(names(announceEvent("con", event(), missing))).toEqual(["deleted", "changed"])
  })

  it("carries what changed", () => {
    expect(announceEvent("con", event(), event({ status: "live", hash: "x" }))[0]).toEqual({
      name: "svc.live_event.started",
      data: {
        connection_id: "con",
        event_id: "e1",
        kind: "live",
        campaign_uid: "c1",
        name: "Show",
        status: "live",
        previous_status: "planned",
      },
    })
    expect(announceEvent("con", null, event())[0]?.data).toMatchObject({ previous_status: null })
  })
})

describe("a change of a product", () => {
  const change = (before: ProductChanges | null, after: ProductChanges) =>
    names(announceProduct("con", before && product(before), product({ hash: "other", ...after })))

  it.each<[string, ProductChanges | null, ProductChanges, string[]]>([
    ["is added", null, {}, ["added", "changed"]],
    ["is deleted when it becomes known", null, { deleted: true }, ["changed"]],
    ["is removed", {}, { deleted: true }, ["removed", "changed"]],
    ["comes back", { deleted: true }, {}, ["added", "changed"]],
    ["has another price", {}, { price: 9 }, ["price_changed", "changed"]],
    ["loses its price", {}, { price: null }, ["price_changed", "changed"]],
    [
      "has a variant with a price",
      {},
      { variants: [variant("v", 5)] },
      ["price_changed", "changed"],
    ],
    [
      "has its variants in another order",
      { variants: [variant("a", 5), variant("b", 6)] },
      { variants: [variant("b", 6), variant("a", 5)] },
      ["changed"],
    ],
    ["is sold out", {}, { available: false }, ["changed"]],
  ])("that %s", (_, before, after, expected) => {
    expect(change(before, after)).toEqual(expected)
  })

  it("is none where nothing changed, and carries both prices where that did", () => {
    expect(announceProduct("con", product(), product())).toEqual([])
    const [priced, changed] = announceProduct("con", product(), product({ price: 8, hash: "x" }))
    expect(priced?.data).toEqual({
      connection_id: "con",
      campaign_uid: "c1",
      uid: "p1",
      external_id: "prod_1",
      price: 8,
      previous_price: 10,
    })
    expect(changed?.data).not.toHaveProperty("previous_price")
  })
})

describe("the row that people see of two families (gap 6)", () => {
  const row = (changes: Partial<Parameters<typeof shownRow>[0][number]> = {}) => ({
    kind: "live" as const,
    aliveAt: 5,
    occurredAt: 5,
    absentAt: null,
    rank: 1,
    ...changes,
  })
  const other = { kind: "shoppable" as const }

  it.each([
    ["none", [], undefined],
    ["the only one", [row()], "live"],
    ["that was alive last", [row(), row({ ...other, aliveAt: 6 })], "shoppable"],
    ["that was ever alive", [row({ aliveAt: null }), row({ ...other, aliveAt: 0 })], "shoppable"],
    ["that the listings have", [row({ absentAt: 1, aliveAt: 9 }), row(other)], "shoppable"],
    ["that is not deleted", [row({ rank: 2 }), row(other)], "shoppable"],
    ["that was told last", [row(), row({ ...other, occurredAt: 6 })], "shoppable"],
    ["of the live events, where all else is equal", [row(other), row()], "live"],
  ])("is %s", (_, rows, kind) => {
    expect(shownRow(rows)?.kind).toBe(kind)
    expect(shownRow([...rows].reverse())?.kind).toBe(kind)
  })
})
