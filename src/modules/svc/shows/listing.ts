/**
 * How far a listing is believed (gap 20). The service does not say of which moment a listing is, it may come from a
 * cache, and it may be a part of one. So what a listing shows corrects a record only where that cannot be an older
 * state, and what it lacks is gone only when that is seen again. Pure; `pull-listings.ts` reads the pages.
 *
 *   told by a delivery since, or a minute before      the record stays
 *   unknown event, or a state never seen before       taken at once, until a delivery tells that it was before others
 *   over, cancelled or not published any more         believed when a later listing says so again
 *   an earlier deadline,
 *   a state that the record had before, a step back   believed when a later listing says so again, and nothing was
 *   in its life, alive although told to be deleted,   delivered or sold for an hour
 *   back in the family that it had left, other than
 *   we know without a step forward, where the listing
 *   lacks fields that deliveries have
 *   missing                                           noted; gone when a later listing lacks it too, and nothing was
 *                                                     delivered or sold for an hour
 */
import type { Family } from "../../../contract"
import { isDeleted, type Sighting, type Watermark } from "./merge"

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

/**
 * An event as the listing of one topic family meets it. It has a record for each family that told of it; people see one of
 * them (gap 6). Times in ms since the epoch, by the database's clock unless said otherwise.
 */
export type ListedRecord = {
  /** This family's record; null where only the other family told of the event. */
  own: OwnRecord | null
  /** What people see: told to be deleted, and how far its life has come (`stageOf`). */
  isGone: boolean
  stage: number | null
  /** The latest that was told of the event, by the service's clock. */
  latest: number
  /** The same without what listings with fewer fields told; null where only those did. */
  told: number | null
  /** When a delivery last told of the event, in either family. */
  writtenAt: number
  /** Last delivery about it or its products, and last sale of its campaign; null where there was none. */
  heardAt: number | null
  soldAt: number | null
  /** What an earlier listing said against it, and when that listing was read. */
  doubt: Doubt | null
}

export type OwnRecord = Watermark & {
  /** Whether people see it, and not the other family's. */
  isShown: boolean
  sightings: readonly Sighting[]
  doubtful: boolean
  /** When a delivery of this family last told of it. */
  writtenAt: number
  /** When a complete listing first lacked it. */
  unlistedAt: number | null
}

/** @property state the family and hash of what the listing showed */
export type Doubt = { state: string; since: number }

/**
 * An event as a listing shows it.
 *
 * @property lean whether the listing lacks fields that decide what a show is: `completeListedEvent` completed them
 */
export type ListedEntry = {
  kind: Family
  hash: string
  stage: number | null
  lean: boolean
  lessens: Lessening | null
}

/** What a listing would take from shoppers: it says so once more before it is believed, and may be an old one. */
export type Lessening =
  /** The show is over, cancelled or hidden. No older listing says that of one that goes on. */
  | "ends"
  /** It sells for a shorter time. An older listing says so of a deadline that was moved since. */
  | "shortens"

type Selling = {
  campaign_uid: string
  status: string
  is_published: boolean
  live_started_at: Date | null
  live_ended_at: Date | null
  deadline: Date | null
}

export function lessensBy(known: Selling, listed: Selling): Lessening | null {
  const [was, is] = [known, listed].map(({ deadline }) => deadline?.getTime() ?? Infinity)
  if (known.campaign_uid === listed.campaign_uid && Number(is) < Number(was)) return "shortens"
  const isOver = (event: Selling) => (stageOf(event) ?? 0) > 1
  const isHidden = known.is_published && !listed.is_published
  return isHidden || (isOver(listed) && stageOf(listed) !== stageOf(known)) ? "ends" : null
}

export const doubtedState = ({ kind, hash }: ListedEntry): string => `${kind} ${hash}`

/** What becomes of an event that a listing shows. */
export type ListedVerdict =
  /** Write it: it is so since `occurredAt` of the service's clock at the latest, and since `earliest` at the earliest. */
  | { kind: "take"; occurredAt: number; earliest: number; tentative: boolean }
  /** It shows what we know and people see. */
  | { kind: "known" }
  /** The record is newer than the listing may be. */
  | { kind: "older" }
  /** It contradicts what was told: remember it, and see whether the next listing says so too. */
  | { kind: "doubt" }

export function judgeListed(
  record: ListedRecord | null,
  entry: ListedEntry,
  listing: ListingTime,
): ListedVerdict {
  if (!record) return { kind: "take", occurredAt: listing.asOf, earliest: 0, tentative: true }
  const { own } = record
  const isKnown = own?.isShown === true && own.hash === entry.hash && !isDeleted(own)
  if (isKnown && !own.doubtful) return { kind: "known" }
  if (record.writtenAt > listing.startedAt - LISTING_AGE_MS) return { kind: "older" }
  const suspect = !isKnown && isSuspect(record, entry)
  if (suspect && !isConfirmed(record, entry, listing)) return { kind: "doubt" }
  if (!isKnown && entry.lessens === "ends" && !isSaidAgain(record, entry, listing)) {
    return { kind: "doubt" }
  }
  // After everything that was told so far: a later delivery still wins.
  const earliest = (entry.lean ? (record.told ?? -1) : record.latest) + 1
  const occurredAt = Math.max(listing.asOf, earliest)
  return { kind: "take", occurredAt, earliest, tentative: !suspect }
}

function isSuspect({ own, isGone, stage }: ListedRecord, entry: ListedEntry): boolean {
  // Where one of them says nothing of its life, there is no step.
  const stepsBack = (entry.stage ?? Number.POSITIVE_INFINITY) < (stage ?? Number.NEGATIVE_INFINITY)
  const stepsOn = (entry.stage ?? Number.NEGATIVE_INFINITY) > (stage ?? Number.POSITIVE_INFINITY)
  // Completed by what we know, an older state does not look like one that was seen.
  const wasSeen = own?.sightings.some(({ hash }) => hash === entry.hash) || (entry.lean && !stepsOn)
  const isLess = stepsBack || entry.lessens === "shortens"
  return isGone || isLess || (own !== null && (wasSeen || isDeleted(own)))
}

const isConfirmed = (record: ListedRecord, entry: ListedEntry, listing: ListingTime): boolean =>
  isSaidAgain(record, entry, listing) && !isWarm(record, listing)

const isSaidAgain = ({ doubt }: ListedRecord, entry: ListedEntry, listing: ListingTime): boolean =>
  doubt?.state === doubtedState(entry) && listing.startedAt - doubt.since >= CONFIRM_AFTER_MS

/** What becomes of an event that a complete listing lacks. */
export type MissingVerdict = "keep" | "note" | "gone"

/**
 * @param own the record of the family whose listing lacks it
 * @param isWeak the listing may be a part of one: it takes an hour, not seconds, until it is believed
 */
export function judgeMissing(
  own: OwnRecord,
  warmth: Warmth,
  listing: ListingTime,
  isWeak: boolean,
): MissingVerdict {
  if (isDeleted(own) || own.writtenAt > listing.startedAt - LISTING_AGE_MS) return "keep"
  if (own.unlistedAt === null) return "note"
  const waitMs = isWeak ? WARM_MS : CONFIRM_AFTER_MS
  if (listing.startedAt - own.unlistedAt < waitMs) return "keep"
  return isWarm(warmth, listing) ? "keep" : "gone"
}

type Warmth = Pick<ListedRecord, "heardAt" | "soldAt">

const isWarm = ({ heardAt, soldAt }: Warmth, { startedAt }: ListingTime): boolean =>
  [heardAt, soldAt].some((at) => (at ?? Number.NEGATIVE_INFINITY) > startedAt - WARM_MS)

/** More missing than this, and more than half of what is known: the listing may be a part of one. */
const MANY_MISSING = 1

export const mostAreMissing = (missing: number, known: number): boolean =>
  missing > MANY_MISSING && missing > known / 2

/**
 * How far the life of an event has come (interface §3.1): 0 planned, 1 live, 2 over, 3 cancelled; null where its status
 * says nothing of that (`clip`, and states that we do not know).
 */
export function stageOf(event: {
  status: string
  live_started_at: Date | null
  live_ended_at: Date | null
}): number | null {
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

/** One page as it was answered: the ids of its events in their order, and how many there are in all. */
export type ListingPage = { ids: readonly string[]; count: number | null }

/** What follows from the pages that were read so far. Every page but the first is asked for with the last event again. */
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
  const pages = countsPages(read) ? read.map(({ ids }) => ({ ids, count: null })) : read
  const [first, ...more] = pages
  if (!first) return { kind: "read", offset: 0 }
  if (pages.some(({ count }) => count !== first.count)) return { kind: "again" }
  const seen: string[] = [...first.ids]
  for (const { ids } of more) {
    if (ids[0] !== seen.at(-1)) {
      // A service that does not know `offset` gives everything again and again.
      const isSamePage = ids.join() === first.ids.join()
      if (!isSamePage && ids.length > 0) return { kind: "again" }
      return ended(seen, first.count)
    }
    if (ids.length === 1) {
      // Pages of one event never show whether another one follows.
      return first.count === null && seen.length === 1 ? { kind: "part" } : ended(seen, first.count)
    }
    seen.push(...ids.slice(1))
  }
  if (new Set(seen).size < seen.length) return { kind: "again" }
  // A count may be the page's own: what it counts is the end once a further page has nothing more.
  const isEnd = seen.length === first.count && (more.length > 0 || seen.length === 1)
  if (isEnd || seen.length === 0) return ended(seen, first.count)
  return { kind: "read", offset: seen.length - 1 }
}

/** Whether what the pages count is what is on them, and not what there is. */
const countsPages = ([first, ...more]: readonly ListingPage[]): boolean =>
  [first, ...more].every((page) => page?.count === page?.ids.length) &&
  more.some(({ ids, count }) => ids.length > 1 || count !== first?.count)

function ended(seen: readonly string[], count: number | null): NextPage {
  if (count !== null && count !== seen.length) return { kind: "part" }
  return { kind: "whole", counted: count !== null }
}
