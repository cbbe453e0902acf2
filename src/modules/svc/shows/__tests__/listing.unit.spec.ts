import {
  CONFIRM_AFTER_MS,
  judgeListed,
  judgeMissing,
  LISTING_AGE_MS,
  type ListedRecord,
  type ListingPage,
  lessensBy,
  listingTime,
  mostAreMissing,
  nextPage,
  type OwnRecord,
  stageOf,
  WARM_MS,
} from "../listing"
import { RANK, type Sighting } from "../merge"

const HOUR = 3_600_000
const NOW = 100 * HOUR
const listing = { startedAt: NOW, asOf: NOW - 10_000 }

const sighting = (hash: string, last: number): Sighting => ({
  emission: hash,
  rank: 1,
  hash,
  first: last,
  last,
  source: null,
})

const ownRecord = (changes: Partial<OwnRecord> = {}): OwnRecord => ({
  occurredAt: NOW - 2 * HOUR,
  rank: RANK.updated,
  hash: "now",
  sightings: [sighting("now", NOW - 2 * HOUR), sighting("before", NOW - 3 * HOUR)],
  doubtful: false,
  isShown: true,
  writtenAt: NOW - 2 * HOUR,
  unlistedAt: null,
  ...changes,
})

/** An event that was told of two hours ago and sold nothing since. */
const record = (
  changes: Partial<ListedRecord> = {},
  own: Partial<OwnRecord> = {},
): ListedRecord => ({
  own: ownRecord(own),
  isGone: own.rank === RANK.deleted,
  stage: 0,
  latest: NOW - 2 * HOUR,
  told: NOW - 2 * HOUR,
  writtenAt: NOW - 2 * HOUR,
  heardAt: NOW - 2 * HOUR,
  soldAt: null,
  doubt: null,
  ...changes,
})
const entryOf = (hash: string, stage: number | null = 0, lean = false) => ({
  kind: "live" as const,
  hash,
  stage,
  lean,
  lessens: null,
})
const judge = (known: ListedRecord | null, hash: string, stage: number | null = 0) =>
  judgeListed(known, entryOf(hash, stage), listing)
const judgeLean = (known: ListedRecord | null, hash: string, stage: number | null = 0) =>
  judgeListed(known, entryOf(hash, stage, true), listing)

describe("what a listing would take from shoppers (gap 20)", () => {
  const show = {
    campaign_uid: "c1",
    status: "live",
    is_published: true,
    live_started_at: null,
    live_ended_at: null,
    deadline: new Date(NOW + 2 * HOUR),
  }
  const judgeLess = (
    changes: Partial<typeof show>,
    { stage = 1, ...known }: Partial<ListedRecord> = {},
  ) => {
    const listed = { ...show, ...changes }
    const entry = {
      ...entryOf("less", stageOf(listed)),
      lessens: lessensBy(show, listed),
    }
    return judgeListed(record({ stage, ...known }, { hash: "now" }), entry, listing).kind
  }
  const saidBefore = { state: "live less", since: NOW - CONFIRM_AFTER_MS }

  it("is an earlier deadline: believed when a second one says so after an hour of silence", () => {
    const earlier = { deadline: new Date(NOW + HOUR) }
    expect(judgeLess(earlier)).toBe("doubt")
    expect(judgeLess(earlier, { doubt: saidBefore, heardAt: NOW - 5 * 60_000 })).toBe("doubt")
    expect(judgeLess(earlier, { doubt: saidBefore, soldAt: NOW - 5 * 60_000 })).toBe("doubt")
    expect(judgeLess(earlier, { doubt: saidBefore })).toBe("take")
    expect(judgeLess({ deadline: new Date(NOW + 3 * HOUR) })).toBe("take")
    // Another campaign has a deadline of its own.
    expect(judgeLess({ ...earlier, campaign_uid: "c2" })).toBe("take")
  })

  it("is an end, a cancellation or a show that is hidden: believed when a second one says so", () => {
    for (const end of [{ status: "vod" }, { status: "cancelled" }, { is_published: false }]) {
      expect(judgeLess(end)).toBe("doubt")
      expect(judgeLess(end, { doubt: saidBefore, heardAt: NOW - 5 * 60_000 })).toBe("take")
    }
  })
})

describe("what a listing shows (gap 20)", () => {
  it("is taken where the event is unknown, as of the earliest moment that the listing can speak of", () => {
    expect(judge(null, "new")).toEqual({
      kind: "take",
      occurredAt: listing.asOf,
      earliest: 0,
      tentative: true,
    })
  })

  it("is no news where the record shows it", () => {
    expect(judge(record(), "now")).toEqual({ kind: "known" })
  })

  it("is taken at once where that state was never seen, so that a later delivery still wins", () => {
    expect(judge(record(), "new")).toEqual({
      kind: "take",
      occurredAt: listing.asOf,
      earliest: NOW - 2 * HOUR + 1,
      tentative: true,
    })
    // Not before what was told, whatever the clocks say.
    expect(judge(record({ latest: NOW + 5_000 }), "new")).toEqual({
      kind: "take",
      occurredAt: NOW + 5_001,
      earliest: NOW + 5_001,
      tentative: true,
    })
  })

  it("is taken at once in a family that never told of the event, where the other one tells nothing against it", () => {
    expect(judge(record({ own: null }), "new")).toMatchObject({
      kind: "take",
      tentative: true,
    })
    expect(judge(record({ own: null, isGone: true }), "new").kind).toBe("doubt")
    expect(judge(record({ own: null, stage: 1 }), "new").kind).toBe("doubt")
  })

  it("leaves alone what a delivery told since, or a minute before, in whichever family", () => {
    expect(judge(record({ writtenAt: NOW - LISTING_AGE_MS + 1 }), "new")).toEqual({ kind: "older" })
    expect(judge(record({ writtenAt: NOW + 1 }), "new")).toEqual({ kind: "older" })
    expect(judge(record({ writtenAt: NOW - LISTING_AGE_MS }), "new").kind).toBe("take")
  })

  it("settles a contradiction of deliveries, also by the state that the record shows", () => {
    const settled = {
      kind: "take",
      occurredAt: listing.asOf,
      earliest: NOW - 2 * HOUR + 1,
      tentative: true,
    }
    expect(judge(record({}, { doubtful: true }), "now")).toEqual(settled)
    expect(judge(record({}, { doubtful: true }), "new")).toEqual(settled)
    expect(judge(record({ writtenAt: NOW }, { doubtful: true }), "now")).toEqual({ kind: "older" })
  })

  it.each<[string, Partial<ListedRecord>, Partial<OwnRecord>, string, number]>([
    ["a state that the record had before: an older listing from a cache", {}, {}, "before", 0],
    ["as it was in the family that it has left (gap 6)", {}, { isShown: false }, "now", 0],
    ["a step back, from live to planned", { stage: 1 }, {}, "new", 0],
    ["a step back, from over to live", { stage: 2 }, {}, "new", 1],
    ["alive, although a delivery said deleted", {}, { rank: RANK.deleted }, "new", 0],
    ["alive again as it was, although told to be deleted", {}, { rank: RANK.deleted }, "now", 0],
    ["alive in another family than the one that told its end", { isGone: true }, {}, "new", 0],
    [
      "alive in the family that told its end, and it lives in the other",
      { isGone: false },
      { rank: RANK.deleted, isShown: false },
      "new",
      0,
    ],
  ])(
    "is believed only when it is seen again, hours after the last delivery and sale: %s",
    (_what, changes, own, hash, stage) => {
      expect(judge(record(changes, own), hash, stage)).toEqual({ kind: "doubt" })
      const state = `live ${hash}`
      const seen = { state, since: NOW - CONFIRM_AFTER_MS }
      const again = (more: Partial<ListedRecord>) =>
        judge(record({ ...changes, doubt: seen, ...more }, own), hash, stage).kind
      expect(judge(record({ ...changes, doubt: seen }, own), hash, stage)).toEqual({
        kind: "take",
        occurredAt: listing.asOf,
        earliest: NOW - 2 * HOUR + 1,
        tentative: false,
      })
      expect(again({ doubt: { state: "live another", since: 0 } })).toBe("doubt")
      expect(again({ doubt: { state: `shoppable ${hash}`, since: 0 } })).toBe("doubt")
      expect(again({ doubt: { state, since: NOW - CONFIRM_AFTER_MS + 1 } })).toBe("doubt")
      expect(again({ heardAt: NOW - WARM_MS + 1 })).toBe("doubt")
      expect(again({ soldAt: NOW - WARM_MS + 1 })).toBe("doubt")
      expect(again({ heardAt: NOW - WARM_MS, soldAt: NOW - WARM_MS })).toBe("take")
      expect(again({ heardAt: null, soldAt: null })).toBe("take")
    },
  )

  it("is no step back where nobody knows how far a life has come", () => {
    expect(judge(record({ stage: 2 }), "new", null).kind).toBe("take")
    expect(judge(record({ stage: null }), "new", 0).kind).toBe("take")
    expect(judge(record({ stage: 1 }), "new", 1).kind).toBe("take")
  })
})

describe("what a listing with fewer fields than a delivery shows", () => {
  it("is no news where all that it says is known, and settles what deliveries left open", () => {
    expect(judgeLean(record(), "now")).toEqual({ kind: "known" })
    expect(judgeLean(record({}, { doubtful: true }), "now").kind).toBe("take")
  })

  it("is taken at once where the event is unknown, or its life went on", () => {
    expect(judgeLean(null, "new")).toMatchObject({ kind: "take", earliest: 0 })
    expect(judgeLean(record(), "new", 1)).toMatchObject({ kind: "take", tentative: true })
    expect(judgeLean(record({ own: null }), "new").kind).toBe("take")
  })

  it("is seen again first where its life did not go on: an older state, completed, is one that nobody saw", () => {
    expect(judgeLean(record(), "new").kind).toBe("doubt")
    expect(judgeLean(record({ stage: null }), "new", 1).kind).toBe("doubt")
    expect(judgeLean(record({ stage: 1 }), "new", null).kind).toBe("doubt")
    const doubt = { state: "live new", since: NOW - CONFIRM_AFTER_MS }
    expect(judgeLean(record({ doubt }), "new")).toMatchObject({ kind: "take", tentative: false })
  })

  it("comes right after what it completes, however late other such listings were read", () => {
    const known = record({ latest: NOW - 20_000, told: NOW - 2 * HOUR })
    expect(judgeLean(known, "new", 1)).toMatchObject({
      occurredAt: listing.asOf,
      earliest: NOW - 2 * HOUR + 1,
    })
    expect(judge(known, "new", 1)).toMatchObject({ earliest: NOW - 20_000 + 1 })
    expect(judgeLean(record({ told: null }), "new", 1)).toMatchObject({ earliest: 0 })
  })
})

describe("what a listing lacks", () => {
  const quiet = { heardAt: NOW - 2 * HOUR, soldAt: null }
  const missing = (own: Partial<OwnRecord> = {}, warmth = {}, isWeak = false) =>
    judgeMissing(ownRecord(own), { ...quiet, ...warmth }, listing, isWeak)
  const noted = { unlistedAt: NOW - CONFIRM_AFTER_MS }

  it("is noted the first time, and gone when a later listing lacks it too", () => {
    expect(missing()).toBe("note")
    expect(missing(noted)).toBe("gone")
    expect(missing({ unlistedAt: NOW - CONFIRM_AFTER_MS + 1 })).toBe("keep")
  })

  it("is never gone while it was told of, or sold, within the hour", () => {
    expect(missing(noted, { heardAt: NOW - WARM_MS + 1 })).toBe("keep")
    expect(missing(noted, { soldAt: NOW - WARM_MS + 1 })).toBe("keep")
    expect(missing(noted, { heardAt: NOW - WARM_MS })).toBe("gone")
  })

  it("takes an hour where the listing may be a part of one", () => {
    expect(missing(noted, {}, true)).toBe("keep")
    expect(missing({ unlistedAt: NOW - WARM_MS }, {}, true)).toBe("gone")
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
    expect(missing({ writtenAt: NOW - LISTING_AGE_MS + 1 })).toBe("keep")
    expect(missing({ writtenAt: NOW - LISTING_AGE_MS })).toBe("note")
    expect(missing({ ...noted, writtenAt: NOW - 1 })).toBe("keep")
    expect(missing({ rank: RANK.deleted })).toBe("keep")
    expect(missing({ ...noted, rank: RANK.deleted })).toBe("keep")
  })
})

describe("reading a listing page by page", () => {
  const page = (ids: string, count: number | null = null): ListingPage => ({
    ids: ids ? ids.split("") : [],
    count,
  })

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
    [
      "ends uncounted where the last page counts itself",
      [page("abc", 3), page("c", 1)],
      { kind: "whole", counted: false },
    ],
    ["is whole where there is nothing", [page("", 0)], { kind: "whole", counted: true }],
    ["asks with the last event again", [page("abc", 5)], { kind: "read", offset: 2 }],
    ["is whole with the rest", [page("abc", 5), page("cde", 5)], { kind: "whole", counted: true }],
    [
      "goes on with short pages",
      [page("ab", 5), page("bc", 5), page("cd", 5)],
      { kind: "read", offset: 3 },
    ],
    ["ends in the middle", [page("abc", 5), page("c", 5)], { kind: "part" }],
    ["promised more than came", [page("", 5)], { kind: "part" }],
    [
      "without a count is read to an empty end",
      [page("abc"), page("c")],
      { kind: "whole", counted: false },
    ],
    [
      "without a count, and past its end",
      [page("abc"), page("")],
      { kind: "whole", counted: false },
    ],
    [
      "without a count goes on, however short its pages are",
      [page("ab")],
      { kind: "read", offset: 1 },
    ],
    [
      "without a count, one event a page: more may follow",
      [page("a"), page("a")],
      { kind: "part" },
    ],
    ["one event in all", [page("a", 1)], { kind: "whole", counted: true }],
    ["one in all, given again", [page("a", 1), page("a", 1)], { kind: "whole", counted: true }],
    [
      "knows no offset: everything again",
      [page("abc"), page("abc")],
      { kind: "whole", counted: false },
    ],
    ["knows no offset, and promises more", [page("abc", 9), page("abc", 9)], { kind: "part" }],
    ["moved up: one was deleted", [page("abc", 5), page("de", 5)], { kind: "again" }],
    ["moved down: one is new", [page("abc", 5), page("bcd", 5)], { kind: "again" }],
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
