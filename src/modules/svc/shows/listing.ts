/**
 * How far a listing is believed (gap 20). The service does not say of which moment a listing is, it may come from a
 * cache, and it may be a part of one. Pure; `pull-listings.ts` reads the pages.
 *
 *   told by a delivery within a minute                the record stays
 *   flagged by deliveries, and as we know it          settled when a second listing says so too, both read since the
 *                                                     last delivery
 *   an unknown event                                  taken; any delivery of it is the later one
 *   a life that goes on, other names and times        taken at once, and flagged until a second listing or a delivery
 *                                                     says so too
 *   over, cancelled or not published any more         taken when a second listing says so
 *   an earlier deadline, a step back in its life,     taken when a second listing says so, and nothing was delivered or
 *   alive although told to be deleted, in a family    sold for an hour
 *   that it had left, other than we know where the
 *   listing lacks fields
 *   missing                                           noted; gone when a second listing lacks it too, both read since the
 *                                                     last delivery, and nothing was delivered or sold for an hour
 *   back in, or left over in, a family that it had    shown, and flagged until two listings say so
 *   left
 */
import type { Family } from "../../../contract"
import { type Doubt, isDeleted, type Row } from "./merge"
import type { EventContent } from "./read-write"

/** A listing as it was read: when by the database's clock, and of which moment of the service's at the earliest. */
export type ListingTime = { startedAt: number; asOf: number }

/** A listing may have been put together, or cached, this long before we asked for it. */
export const LISTING_AGE_MS = 60_000
/** A known clock skew may be off by the latency of the delivery that told it. */
const SKEW_MARGIN_MS = 10_000
/** Without one, the clocks are apart by as much as a delivery may be (gap 7). */
const UNKNOWN_SKEW_MS = 5 * 60_000

/**
 * The moment of the service's clock that an answer speaks of at the earliest, also one of the price lookup: a delivery
 * that is on its way tells more than a cache, so it has to count as the later one.
 *
 * @param startedAt when the service was asked, by the database's clock
 */
export const listingTime = (startedAt: number, clockSkewMs: number | null): ListingTime => {
  const skew = clockSkewMs === null ? UNKNOWN_SKEW_MS : clockSkewMs + SKEW_MARGIN_MS
  return { startedAt, asOf: startedAt - LISTING_AGE_MS - skew }
}
/** Two listings are two pieces of evidence when they lie this far apart. */
export const CONFIRM_AFTER_MS = 15_000
/** Deliveries or sales within this time speak against a listing that ends a show. */
export const WARM_MS = 3_600_000

/** What decides whether and until when an event sells, and how far its life has come. */
type Selling = Pick<
  EventContent,
  "campaign_uid" | "status" | "is_published" | "live_started_at" | "live_ended_at" | "deadline"
>

/** What is known of an event in one topic family. */
export type ListedRow = Omit<Row<Selling>, "id" | "key" | "isShown">

/** An event as the listing of one family meets it: its rows, the one that people see, and that of the family (gap 6). */
export type ListedRecord<Row extends ListedRow = ListedRow> = {
  rows: Row[]
  shown: Row
  own: Row | null
  /** The last delivery of its products, and the last sale of its campaign; null where there was none. */
  warmAt: number | null
}

/** An event as a listing shows it. `isLean`: it lacks fields, which `completeListedEvent` has filled in. */
export type ListedEntry = { kind: Family; hash: string; isLean: boolean; content: Selling }

/** What becomes of an event that a listing shows. */
export type ListedVerdict =
  /** Write it: it is so since `occurredAt` of the service's clock; `doubt`: to be said again. */
  | { kind: "take"; occurredAt: number; doubt: Doubt | null }
  /** It shows what we know and people see. */
  | { kind: "known" }
  /** The record is newer than the listing may be. */
  | { kind: "older" }
  /** Remember it, and see whether the next listing says so too. */
  | { kind: "doubt"; doubt: Doubt }

export function judgeListed(
  record: ListedRecord | null,
  entry: ListedEntry,
  listing: ListingTime,
): ListedVerdict {
  // Before whatever a delivery tells of it.
  if (!record) return { kind: "take", occurredAt: 0, doubt: null }
  const { rows, shown, own } = record
  const isKnown = own === shown && own.hash === entry.hash && !isDeleted(own)
  if (isKnown && (!own.doubtful || entry.isLean)) return { kind: "known" }
  if (wasHeard(rows, listing, LISTING_AGE_MS)) return { kind: "older" }
  const state = `${entry.kind} ${entry.hash}`
  const { doubt } = own ?? shown
  // What was said before a delivery, of either family, is no evidence of what came after it.
  const isSaid =
    doubt?.state === state && rows.every(({ heardAt }) => (heardAt ?? 0) <= doubt.since)
  const said = isSaid ? doubt : { state, since: listing.startedAt }
  const doubted = { kind: "doubt", doubt: said } as const
  const isSaidAgain = isSaid && listing.startedAt - doubt.since >= CONFIRM_AFTER_MS
  // It is flagged, and one listing may be an old one that shows what we know.
  if (isKnown && !isSaidAgain) return doubted
  if (!isKnown) {
    const isBelieved = isSaidAgain && !isWarm(record, listing)
    if (isRisky(record, entry) && !isBelieved) return doubted
    if (endsShow(shown.content, entry.content) && !isSaidAgain) return doubted
  }
  // After everything that was told so far: a later delivery still wins.
  const occurredAt = Math.max(listing.asOf, ...rows.map((row) => row.occurredAt + 1))
  const isOpen = !isKnown && !isSaidAgain
  return { kind: "take", occurredAt, doubt: isOpen ? { state, since: listing.startedAt } : null }
}

/** Whether it may be an old listing that says so. */
function isRisky({ shown, own }: ListedRecord, { isLean, content }: ListedEntry): boolean {
  const [was, is] = [stageOf(shown.content), stageOf(content)]
  // Where one of them says nothing of its life, there is no step.
  const step = was === null || is === null ? 0 : is - was
  const isElsewhere = own !== null && (own !== shown || isDeleted(own))
  const shortens =
    shown.content.campaign_uid === content.campaign_uid && untilOf(content) < untilOf(shown.content)
  return isDeleted(shown) || isElsewhere || step < 0 || shortens || (isLean && step <= 0)
}

const untilOf = ({ deadline }: Selling): number => deadline?.getTime() ?? Number.POSITIVE_INFINITY

/** No older listing says that of a show that goes on. */
function endsShow(known: Selling, listed: Selling): boolean {
  const isOver = (stageOf(listed) ?? 0) > 1 && stageOf(listed) !== stageOf(known)
  return isOver || (known.is_published && !listed.is_published)
}

/** What becomes of an event that a complete listing lacks. */
export type MissingVerdict = "keep" | "note" | "gone"

/**
 * @param own the record of the family whose listing lacks it
 * @param isWeak the listing may be a part of one: it takes an hour, not seconds, until it is believed
 */
export function judgeMissing(
  own: ListedRow,
  record: Pick<ListedRecord, "rows" | "warmAt">,
  listing: ListingTime,
  isWeak: boolean,
): MissingVerdict {
  if (isDeleted(own) || wasHeard([own], listing, LISTING_AGE_MS)) return "keep"
  // A delivery that came since then told of it: two listings say so after that, or none.
  if (own.unlistedAt === null || (own.heardAt ?? 0) > own.unlistedAt) return "note"
  const waitMs = isWeak ? WARM_MS : CONFIRM_AFTER_MS
  if (listing.startedAt - own.unlistedAt < waitMs) return "keep"
  return isWarm(record, listing) ? "keep" : "gone"
}

const isWarm = ({ rows, warmAt }: Pick<ListedRecord, "rows" | "warmAt">, listing: ListingTime) =>
  wasHeard([...rows, { heardAt: warmAt }], listing, WARM_MS)

export const wasHeard = (
  rows: Pick<ListedRow, "heardAt">[],
  { startedAt }: ListingTime,
  withinMs: number,
): boolean => rows.some(({ heardAt }) => heardAt !== null && heardAt > startedAt - withinMs)

/** More missing than this, and more than half of what is known: the listing may be a part of one. */
const MANY_MISSING = 1

export const mostAreMissing = (missing: number, known: number): boolean =>
  missing > MANY_MISSING && missing > known / 2

/**
 * How far the life of an event has come (interface §3.1): 0 planned, 1 live, 2 over, 3 cancelled; null where its status
 * says nothing of that (`clip`, and states that we do not know).
 */
export function stageOf(
  event: Pick<Selling, "status" | "live_started_at" | "live_ended_at">,
): number | null {
  switch (event.status) {
    case "planned":
      return event.live_ended_at ? 2 : event.live_started_at ? 1 : 0
    case "live":
      return 1
    case "processing":
    case "vod":
      return 2
    case "cancelled":
      return 3
    default:
      return null
  }
}

/** One page as it was answered: the ids of its events in their order, how many there are in all, and whether more follow. */
export type ListingPage = { ids: readonly string[]; count: number | null; more: boolean | null }

/**
 * What follows from the pages that were read so far. Every page but the first is asked for with the last event again; not
 * behind a single one, where that would not tell a whole list from pages of one event.
 */
export type NextPage =
  /** Ask for the page that begins here. */
  | { kind: "read"; offset: number }
  /** The list changed while it was read: begin again. */
  | { kind: "again" }
  /** It was read to its end. Only a counted one says by what it lacks that something is missing at once. */
  | { kind: "whole"; counted: boolean }
  /** There is more that does not come. */
  | { kind: "part" }

export function nextPage(read: readonly ListingPage[]): NextPage {
  const pages = countsPages(read) ? read.map((page) => ({ ...page, count: null })) : read
  const [first, ...more] = pages
  if (!first) return { kind: "read", offset: 0 }
  if (pages.some(({ count }) => count !== first.count)) return { kind: "again" }
  const seen: string[] = [...first.ids]
  const ended = (): NextPage => {
    const isPart = first.count === null ? read.at(-1)?.more : first.count !== seen.length
    return isPart ? { kind: "part" } : { kind: "whole", counted: first.count !== null }
  }
  for (const { ids } of more) {
    if (ids[0] !== seen.at(-1)) {
      const isSamePage = ids.join() === first.ids.join()
      if (!isSamePage && ids.length > 0) return { kind: "again" }
      // A service that does not know `offset` gives everything again and again, or the first of pages of its own.
      const isOpen = first.count === null && first.more === null && isPageLong(seen.length)
      return isOpen ? { kind: "part" } : ended()
    }
    if (ids.length === 1) return ended()
    seen.push(...ids.slice(1))
  }
  if (new Set(seen).size < seen.length) return { kind: "again" }
  // A count may be the page's own: what it counts is the end once a further page has nothing more.
  const isEnd = seen.length === first.count && (more.length > 0 || seen.length === 1)
  if (isEnd || seen.length === 0) return ended()
  return { kind: "read", offset: Math.max(seen.length - 1, 1) }
}

/** Pages have round numbers of events: behind such a one there may be more that does not come. */
const isPageLong = (events: number) => events >= 10 && events % 5 === 0

/** Whether what the pages count is what is on them, and not what there is. */
const countsPages = ([first, ...more]: readonly ListingPage[]): boolean =>
  [first, ...more].every((page) => page?.count === page?.ids.length) &&
  more.some(({ ids, count }) => ids.length > 1 || count !== first?.count)
