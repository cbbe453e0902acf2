import {
  CONFIRM_AFTER_MS,
  judgeListed,
  judgeMissing,
  LISTING_AGE_MS,
  type ListedRecord,
  type ListedRow,
  type ListingPage,
  listingTime,
  mostAreMissing,
  nextPage,
  stageOf,
  WARM_MS,
} from "../listing"
import { RANK } from "../merge"

const HOUR = 3_600_000
const NOW = 100 * HOUR
const listing = { startedAt: NOW, asOf: NOW - 10_000 }
const TOLD = NOW - 2 * HOUR

type Show = ListedRow["content"]
const show = (changes: Partial<Show> = {}): Show => ({
  campaign_uid: "c1",
  status: "planned",
  is_published: true,
  live_started_at: null,
  live_ended_at: null,
  deadline: null,
  ...changes,
})

const row = (changes: Partial<ListedRow> = {}, content: Partial<Show> = {}): ListedRow => ({
  kind: "live",
  occurredAt: TOLD,
  rank: RANK.updated,
  hash: "now",
  emission: "e",
  asked: false,
  toldAt: TOLD,
  aliveAt: TOLD,
  doubtful: false,
  heardAt: TOLD,
  doubt: null,
  unlistedAt: null,
  absentAt: null,
  content: show(content),
  ...changes,
})

/** An event that was told of two hours ago and sold nothing since. */
const record = (own: ListedRow = row(), changes: Partial<ListedRecord> = {}): ListedRecord => ({
  rows: [own],
  shown: own,
  own,
  warmAt: null,
  ...changes,
})

const judge = (
  known: ListedRecord | null,
  hash: string,
  content: Partial<Show> = {},
  isLean = false,
) => judgeListed(known, { kind: "live", hash, isLean, content: show(content) }, listing)

const said = (hash: string, ago = CONFIRM_AFTER_MS) => ({ state: `live ${hash}`, since: NOW - ago })

describe("what a listing shows (gap 20)", () => {
  it("is taken where the event is unknown, before whatever a delivery tells of it", () => {
    expect(judge(null, "new")).toEqual({ kind: "take", occurredAt: 0, doubt: null })
  })

  it("is no news where the record shows it", () => {
    expect(judge(record(), "now")).toEqual({ kind: "known" })
  })

  it("is taken at once where a life goes on, and is to be said again", () => {
    const doubt = { state: "live new", since: NOW }
    expect(judge(record(), "new")).toEqual({ kind: "take", occurredAt: listing.asOf, doubt })
    expect(judge(record(), "new", { status: "live" })).toMatchObject({ kind: "take", doubt })
    // Not before what was told, whatever the clocks say.
    expect(judge(record(row({ occurredAt: NOW + 5_000 })), "new")).toMatchObject({
      occurredAt: NOW + 5_001,
    })
    expect(judge(record(row(), { own: null }), "new").kind).toBe("take")
  })

  it("leaves alone what a delivery told since, or a minute before", () => {
    const heard = (heardAt: number) => judge(record(row({ heardAt })), "new").kind
    expect(heard(NOW - LISTING_AGE_MS + 1)).toBe("older")
    expect(heard(NOW + 1)).toBe("older")
    expect(heard(NOW - LISTING_AGE_MS)).toBe("take")
  })

  it("settles what was left open when two listings since the last delivery show the state of the record", () => {
    expect(judge(record(row({ doubtful: true })), "now").kind).toBe("doubt")
    const open = (ago: number, changes: Partial<ListedRow> = {}) =>
      row({ doubtful: true, doubt: said("now", ago), ...changes })
    expect(judge(record(open(CONFIRM_AFTER_MS)), "now")).toMatchObject({
      kind: "take",
      doubt: null,
    })
    // One that was read along with the listing that said so first is no second one.
    const first = said("now", CONFIRM_AFTER_MS - 1)
    expect(judge(record(open(0, { doubt: first })), "now")).toEqual({ kind: "doubt", doubt: first })
    expect(judge(record(open(0, { heardAt: NOW })), "now").kind).toBe("older")
  })

  it("counts no listing from before a delivery, of either family, as the first of two", () => {
    const doubt = said("now", WARM_MS + 2)
    const own = row({ doubtful: true, doubt })
    const told = (heardAt: number) =>
      record(own, { rows: [own, row({ kind: "shoppable", heardAt })] })
    expect(judge(told(doubt.since), "now").kind).toBe("take")
    expect(judge(told(doubt.since + 1), "now")).toEqual({
      kind: "doubt",
      doubt: { state: "live now", since: NOW },
    })
  })

  const left = row({ kind: "shoppable" })
  it.each<[string, (own: Partial<ListedRow>) => ListedRecord, string, Partial<Show>]>([
    [
      "as it was in the family that it has left (gap 6)",
      (own) => record(row(own), { shown: left, rows: [row(own), left] }),
      "now",
      {},
    ],
    ["a step back", (own) => record(row(own, { status: "live" })), "new", {}],
    [
      "a step back, from over to live",
      (own) => record(row(own, { status: "vod" })),
      "new",
      { status: "live" },
    ],
    [
      "alive, although told to be deleted",
      (own) => record(row({ rank: RANK.deleted, ...own })),
      "now",
      {},
    ],
    [
      "a deadline, and there was none",
      (own) => record(row(own)),
      "new",
      { deadline: new Date(NOW + HOUR) },
    ],
    [
      "an earlier deadline",
      (own) => record(row(own, { deadline: new Date(NOW + 2 * HOUR) })),
      "new",
      { deadline: new Date(NOW + HOUR) },
    ],
  ])(
    "is believed only when it is said again, an hour after the last delivery and sale: %s",
    (_what, made, hash, content) => {
      expect(judge(made({}), hash, content).kind).toBe("doubt")
      const again = (own: Partial<ListedRow>, changes: Partial<ListedRecord> = {}) =>
        judge({ ...made({ doubt: said(hash), ...own }), ...changes }, hash, content)
      expect(again({})).toEqual({ kind: "take", occurredAt: listing.asOf, doubt: null })
      expect(again({ doubt: { state: "live another", since: 0 } }).kind).toBe("doubt")
      expect(again({ doubt: { state: `shoppable ${hash}`, since: 0 } }).kind).toBe("doubt")
      expect(again({ doubt: said(hash, CONFIRM_AFTER_MS - 1) }).kind).toBe("doubt")
      expect(again({ heardAt: NOW - WARM_MS + 1 }).kind).toBe("doubt")
      expect(again({}, { warmAt: NOW - WARM_MS + 1 }).kind).toBe("doubt")
      expect(again({ heardAt: null }, { warmAt: NOW - WARM_MS }).kind).toBe("take")
    },
  )

  it("is believed when it is said again where a show is over, cancelled or hidden", () => {
    for (const end of [{ status: "vod" }, { status: "cancelled" }, { is_published: false }]) {
      const live = (own: Partial<ListedRow>) => record(row(own, { status: "live" }))
      const changes = { status: "live", ...end }
      expect(judge(live({}), "new", changes).kind).toBe("doubt")
      const said5MinutesAfter = live({ doubt: said("new"), heardAt: NOW - 5 * 60_000 })
      expect(judge(said5MinutesAfter, "new", changes).kind).toBe("take")
    }
  })

  it("is no earlier deadline where it is another campaign's, or a later one", () => {
    const closing = record(row({}, { deadline: new Date(NOW + 2 * HOUR) }))
    const earlier = { deadline: new Date(NOW + HOUR) }
    expect(judge(closing, "new", { ...earlier, campaign_uid: "c2" }).kind).toBe("take")
    expect(judge(closing, "new", { deadline: new Date(NOW + 3 * HOUR) }).kind).toBe("take")
  })

  it("is no step back where nobody knows how far a life has come", () => {
    expect(judge(record(row({}, { status: "vod" })), "new", { status: "clip" }).kind).toBe("take")
    expect(judge(record(row({}, { status: "clip" })), "new").kind).toBe("take")
  })

  it("is said again first where it lacks fields, and its life did not go on", () => {
    const lean = (known: ListedRecord | null, hash: string, content?: Partial<Show>) =>
      judge(known, hash, content, true).kind
    expect(lean(record(), "now")).toBe("known")
    expect(lean(record(row({ doubtful: true })), "now")).toBe("known")
    expect(lean(null, "new")).toBe("take")
    expect(lean(record(), "new", { status: "live" })).toBe("take")
    expect(lean(record(), "new")).toBe("doubt")
    expect(lean(record(row({}, { status: "clip" })), "new", { status: "live" })).toBe("doubt")
    expect(lean(record(row({ doubt: said("new") })), "new")).toBe("take")
  })
})

describe("what a listing lacks", () => {
  const missing = (own: Partial<ListedRow> = {}, warmAt: number | null = null, isWeak = false) =>
    judgeMissing(row(own), { rows: [row(own)], warmAt }, listing, isWeak)
  const noted = { unlistedAt: NOW - CONFIRM_AFTER_MS }

  it("is noted the first time, and gone when a later listing lacks it too", () => {
    expect(missing()).toBe("note")
    expect(missing(noted)).toBe("gone")
    expect(missing({ unlistedAt: NOW - CONFIRM_AFTER_MS + 1 })).toBe("keep")
  })

  it("is noted anew where a delivery came after the note: two listings say so since then, or none", () => {
    const before = { unlistedAt: NOW - 3 * WARM_MS, heardAt: NOW - 2 * WARM_MS }
    expect(missing(before)).toBe("note")
    expect(missing({ ...before, unlistedAt: before.heardAt })).toBe("gone")
  })

  it("is never gone while it was told of, or sold, within the hour", () => {
    expect(missing({ ...noted, heardAt: NOW - WARM_MS + 1 })).toBe("keep")
    expect(missing(noted, NOW - WARM_MS + 1)).toBe("keep")
    expect(missing({ ...noted, heardAt: NOW - WARM_MS }, NOW - WARM_MS)).toBe("gone")
  })

  it("takes an hour where the listing may be a part of one", () => {
    expect(missing(noted, null, true)).toBe("keep")
    expect(missing({ unlistedAt: NOW - WARM_MS }, null, true)).toBe("gone")
    expect(
      [
        [0, 0],
        [1, 1],
        [2, 2],
        [2, 4],
        [3, 5],
        [50, 100],
        [51, 100],
      ].map(([missing = 0, known = 0]) => mostAreMissing(missing, known)),
    ).toEqual([false, false, true, false, true, false, true])
  })

  it("says nothing of what a delivery told since, or deleted", () => {
    expect(missing({ heardAt: NOW - LISTING_AGE_MS + 1 })).toBe("keep")
    expect(missing({ heardAt: NOW - LISTING_AGE_MS })).toBe("note")
    expect(missing({ rank: RANK.deleted })).toBe("keep")
    expect(missing({ ...noted, rank: RANK.deleted })).toBe("keep")
  })
})

describe("reading a listing page by page", () => {
  /** Events that each page was asked for. */
  const page = (
    ids: string,
    count: number | null = null,
    more: boolean | null = null,
  ): ListingPage => ({ ids: ids ? ids.split("") : [], count, more })

  it.each<[string, ListingPage[], ReturnType<typeof nextPage>]>([
    ["begins at the beginning", [], { kind: "read", offset: 0 }],
    [
      "looks once more where all came: the count may be the page's",
      [page("abc", 3)],
      { kind: "read", offset: 2 },
    ],
    [
      "is whole where nothing more came",
      [page("abc", 3), page("c", 3)],
      { kind: "whole", counted: true },
    ],
    [
      "goes on where the count is the page's",
      [page("abc", 3), page("cde", 3)],
      { kind: "read", offset: 4 },
    ],
    [
      "ends uncounted where the count is the page's",
      [page("abc", 3), page("cde", 3), page("e", 1)],
      { kind: "whole", counted: false },
    ],
    ["is whole where there is nothing", [page("", 0)], { kind: "whole", counted: true }],
    [
      "goes on with short pages",
      [page("ab", 5), page("bc", 5), page("cd", 5)],
      { kind: "read", offset: 3 },
    ],
    ["promised more than came", [page("", 5)], { kind: "part" }],
    [
      "without a count is read to an empty end",
      [page("abc"), page("c")],
      { kind: "whole", counted: false },
    ],
    [
      "without a count goes on, however short its pages are",
      [page("ab")],
      { kind: "read", offset: 1 },
    ],
    ["without a count, one event: more may follow", [page("a")], { kind: "read", offset: 1 }],
    [
      "without a count, one event, and nothing behind it",
      [page("a"), page("")],
      { kind: "whole", counted: false },
    ],
    [
      "without a count, one event, whatever is asked for",
      [page("a"), page("a")],
      { kind: "whole", counted: false },
    ],
    ["without a count, one event a page", [page("a"), page("b")], { kind: "again" }],
    ["one event in all", [page("a", 1)], { kind: "whole", counted: true }],
    [
      "knows no offset: everything again",
      [page("abc"), page("abc")],
      { kind: "whole", counted: false },
    ],
    [
      "knows no offset, and counts the page",
      [page("abc", 3), page("abc", 3)],
      { kind: "whole", counted: false },
    ],
    [
      "has pages of its own, and gives the first again",
      [page("abcdefghij"), page("abcdefghij")],
      { kind: "part" },
    ],
    [
      "knows no offset, and says how many there are in all",
      [page("abcdefghij", 10, false), page("abcdefghij", 10, false)],
      { kind: "whole", counted: false },
    ],
    [
      "has pages of its own, and counts the page",
      [page("abcdefghij", 10), page("abcdefghij", 10)],
      { kind: "part" },
    ],
    ["takes the offset for a page's number", [page("abcdefghij"), page("")], { kind: "part" }],
    [
      "knows no offset, and says that this is everything",
      [page("abc", null, false), page("abc", null, false)],
      { kind: "whole", counted: false },
    ],
    [
      "has one event a page, and says that there are more",
      [page("a", null, true), page("a", null, true)],
      { kind: "part" },
    ],
    [
      "says at its end that there is more",
      [page("abc", null, true), page("c", null, true)],
      { kind: "part" },
    ],
    [
      "says at its end that this is all",
      [page("abc", null, true), page("cd", null, false), page("d", null, false)],
      { kind: "whole", counted: false },
    ],
    ["has as many as were asked for", [page("abcd"), page("d")], { kind: "whole", counted: false }],
    ["knows no offset, and promises more", [page("abc", 9), page("abc", 9)], { kind: "part" }],
    ["moved up: one was deleted", [page("abc", 5), page("de", 5)], { kind: "again" }],
    ["counts otherwise", [page("abc", 5), page("cde", 4)], { kind: "again" }],
    ["has one twice", [page("abca", 5)], { kind: "again" }],
    ["counts less than came", [page("abcd", 3)], { kind: "read", offset: 3 }],
  ])("%s", (_what, pages, expected) => {
    expect(nextPage(pages)).toEqual(expected)
  })
})

describe("how far the life of an event has come (interface §3.1)", () => {
  const at = new Date(1)
  it.each([
    ["planned", null, null, 0],
    ["planned", at, null, 1],
    ["planned", at, at, 2],
    ["live", at, null, 1],
    ["processing", at, at, 2],
    ["vod", null, null, 2],
    ["cancelled", null, null, 3],
    ["clip", null, null, null],
    ["rehearsal", null, null, null],
  ])("%s, begun %p, ended %p: %p", (status, live_started_at, live_ended_at, stage) => {
    expect(stageOf({ status, live_started_at, live_ended_at })).toBe(stage)
  })
})

describe("the moment that an answer of the service speaks of", () => {
  it("lies a minute back, and as far as the clocks may be apart", () => {
    expect(listingTime(NOW, 2_000)).toEqual({ startedAt: NOW, asOf: NOW - LISTING_AGE_MS - 12_000 })
    expect(listingTime(NOW, -2_000).asOf).toBe(NOW - LISTING_AGE_MS - 8_000)
    expect(listingTime(NOW, null).asOf).toBe(NOW - LISTING_AGE_MS - 300_000)
  })
})
