/**
 * How deliveries become the projection: a merge that ends the same whatever the order, however often a delivery
 * comes and whoever applies it (gaps 1-6). Pure; `projection-writer.ts` reads, locks and writes.
 *
 * Terminology
 *
 *   emission  what the service told once; retries and re-sends of it carry the same `eventUid` and data
 *   sighting  an emission as we saw it: first and last `occurredAt` that it came with. Or a state that a listing
 *             showed: the earliest and latest moment that the listing can speak of
 *   winner    the sighting that the record shows: the latest by `occurredAt`, then kind of change, then hash
 *
 * A record keeps the set of its sightings, and everything else follows from the set. Adding to a set is commutative,
 * associative and idempotent, so retries, duplicates, re-sends and two workers cannot disagree. The content is kept of
 * the winner only. Where a re-send with another time makes an earlier one the winner after all (gap 2), its content is
 * fetched from the delivery that told it.
 */
import type { Change } from "../../../contract"

/** Place of a write in the one order of all writes to a record. `occurredAt` in ms since the epoch. */
export type Watermark = { occurredAt: number; rank: number; hash: string }

/** Within one millisecond a deletion counts as the last change and a creation as the first (gap 3). */
export const RANK: Record<Change, number> = { created: 0, updated: 1, deleted: 2 }
const DELETED = RANK.deleted

export type Write<Content> = Watermark & {
  /** `metadata.eventUid`; null where there is none, as for what a listing shows. */
  emission: string | null
  /** The delivery that told it, by its id in the inbox; null for a listing and a price lookup. */
  source: string | null
  content: Content
  /** Of what a listing shows: the earliest moment that it can speak of, where that is before `occurredAt`. */
  earliest?: number
  /**
   * One listing alone showed it, and it may come from a cache. So it counts only until a delivery tells the same state:
   * the delivery knows the time, and what was told after that time is later than what the listing showed.
   */
  tentative?: boolean
  /**
   * A listing that has fewer fields than a delivery showed it, and what was known completes it. It comes right after
   * what it completes: a delivery of a later time has all fields and wins, though the listing may be newer.
   */
  lean?: boolean
}

/** Times in ms since the epoch. */
export type Sighting = {
  emission: string | null
  rank: number
  hash: string
  first: number
  last: number
  /** The first delivery that told it. */
  source: string | null
  /** As in `Write`. */
  tentative?: boolean
  lean?: boolean
}

/** A record as merged so far. */
export type Merged<Content> = Watermark & {
  content: Content
  sightings: readonly Sighting[]
  /** Latest sighting that was not a deletion, null where none was seen (gap 6). */
  aliveAt: number | null
  /**
   * Nobody knows from the deliveries whether the winner is right, so the record is read again: two different changes
   * carry its time (gap 3), or a re-send may be an old state or a new one (gap 2).
   */
  doubtful: boolean
  /** The winner, where its content is not at hand: see `withContent`. The record shows what it showed, and is doubtful. */
  lacking: Sighting | null
}

/** Sightings that a record keeps, the latest ones. More changes than this between two re-sends do not happen. */
const MAX_SIGHTINGS = 16

export const isDeleted = (write: { rank: number }): boolean => write.rank === DELETED

/**
 * Merges a write into a record.
 *
 * @returns the very same `record` when the write tells nothing new
 */
export function applyWrite<Content>(
  record: Merged<Content> | null,
  write: Write<Content>,
): Merged<Content> {
  const sightings = withSighting(record?.sightings ?? [], write)
  if (record && sightings === record.sightings) return record

  const { winner, doubtful, aliveAt } = judge(sightings)
  // Equal hashes are the same state, with a later picture perhaps. The write's content is at hand.
  const isLater = !record || write.occurredAt >= record.occurredAt
  const [one, other] = isLater ? [write, record] : [record, write]
  const shown = [one, other].find((told) => told?.hash === winner.hash)
  if (shown)
    return {
      ...placed(winner),
      content: shown.content,
      sightings,
      aliveAt,
      doubtful,
      lacking: null,
    }
  const kept = record ?? write
  const { occurredAt, rank, hash, content } = kept
  return { occurredAt, rank, hash, content, sightings, aliveAt, doubtful: true, lacking: winner }
}

/** Gives a record the content of the winner that it lacks. */
export function withContent<Content>(record: Merged<Content>, content: Content): Merged<Content> {
  const { winner, doubtful } = judge(record.sightings)
  return { ...record, ...placed(winner), content, doubtful, lacking: null }
}

const placed = ({ at: occurredAt, rank, hash }: Placed): Watermark => ({
  occurredAt,
  rank,
  hash,
})

type Identity = { emission: string | null; rank: number; hash: string; tentative?: boolean }
const isSame = (one: Identity, other: Identity): boolean =>
  one.emission === other.emission &&
  one.rank === other.rank &&
  one.hash === other.hash &&
  isTentative(one) === isTentative(other)

const isTentative = ({ tentative = false }: { tentative?: boolean }): boolean => tentative
export const isLean = ({ lean = false }: { lean?: boolean }): boolean => lean

/** @returns the very same list when it has the sighting already */
function withSighting(sightings: readonly Sighting[], write: Write<unknown>): readonly Sighting[] {
  if (isLean(write)) return withLean(sightings, write)
  const { emission, rank, hash, occurredAt, earliest = occurredAt, source } = write
  const known = sightings.find((sighting) => !isLean(sighting) && isSame(sighting, write))
  const last = Math.max(known?.last ?? occurredAt, occurredAt)
  // A re-send says nothing new, whatever its time. A later listing does: that the state is still, or again, so.
  const first = emission === null ? Math.max : Math.min
  const seen: Sighting = {
    emission,
    rank,
    hash,
    first: first(known?.first ?? earliest, earliest),
    last,
    source: known?.source ?? source,
    ...(isTentative(write) ? { tentative: true } : {}),
  }
  if (known && known.first === seen.first && known.last === seen.last) return sightings
  return latestOf([...sightings.filter((sighting) => sighting !== known), seen])
}

const latestOf = (sightings: Sighting[]): Sighting[] =>
  sightings
    .sort((a, b) => b.last - a.last || byState(b, a) || byText(a.emission ?? "", b.emission ?? ""))
    .slice(0, MAX_SIGHTINGS)

/** Of what listings with fewer fields showed only the latest is kept: each completes the same that was told. */
function withLean(sightings: readonly Sighting[], write: Write<unknown>): readonly Sighting[] {
  const { emission, rank, hash, occurredAt: last, earliest: first = last, source } = write
  const tentative = isTentative(write) ? { tentative: true } : {}
  const seen: Sighting = { emission, rank, hash, first, last, source, ...tentative, lean: true }
  const known = sightings.find(isLean)
  if (known && byTime(known, seen) >= 0) return sightings
  return latestOf([...sightings.filter((sighting) => sighting !== known), seen])
}

const byTime = (a: Sighting, b: Sighting): number =>
  a.last - b.last ||
  a.first - b.first ||
  byState(a, b) ||
  Number(isTentative(a)) - Number(isTentative(b))

/**
 * Whether nobody can tell from the deliveries which of two topic families shows a record now (gap 6): neither showed it
 * alive at a moment that is surely later than all of the other's.
 */
export function familiesContradict(one: Merged<unknown>, other: Merged<unknown>): boolean {
  const [here, there] = [aliveBetween(one), aliveBetween(other)]
  if (!here || !there) return false
  const isLater = (a: AliveBetween, b: AliveBetween) => a.at >= b.at && a.since > b.until
  return !isLater(here, there) && !isLater(there, here)
}

/** When a record was alive last: by what it shows, and at the earliest and latest as its sightings may be read. */
type AliveBetween = { at: number; since: number; until: number }

function aliveBetween({ aliveAt, sightings }: Merged<unknown>): AliveBetween | null {
  if (aliveAt === null) return null
  const alive = sightings.filter((sighting) => !isDeleted(sighting))
  return {
    at: aliveAt,
    since: surelySince(alive),
    until: Math.max(...alive.map(({ last }) => last)),
  }
}

/** What a set of sightings says of the record. */
function judge(sightings: readonly Sighting[]): {
  winner: Placed
  doubtful: boolean
  aliveAt: number | null
} {
  const placed = placedOf(sightings)
  const winner = placed.reduce((best, candidate) => {
    const order = candidate.at - best.at || byState(candidate, best)
    // Stryker disable next-line EqualityOperator: equal order is the same state at the same moment
    return order > 0 ? candidate : best
  })
  // Another state may be as late: they tie, one of them came again later, or nobody knows of which moment a listing was.
  const since = surelySince(sightings)
  const doubtful = sightings.some((other) => other.last >= since && !isSameState(other, winner))
  const alive = placed.filter((sighting) => !isDeleted(sighting)).map(({ at }) => at)
  return { winner, doubtful, aliveAt: alive.length > 0 ? Math.max(...alive) : null }
}

/**
 * The latest moment at which something surely happened. It is the winner's: where it is another's, that one may be as
 * late as the winner, and the record is doubtful.
 */
const surelySince = (sightings: readonly Sighting[]): number =>
  Math.max(...sightings.map(({ first }) => first))

type Placed = Sighting & { at: number }

/** The sightings that count, each with the one moment that decides between them. */
function placedOf(sightings: readonly Sighting[]): Placed[] {
  return sightings
    .filter((sighting) => !isExplained(sighting, sightings))
    .map((sighting) => ({ ...sighting, at: placeOf(sighting, sightings) }))
}

/**
 * Of an emission that came again with a later `occurredAt` the first time is the true one (gap 2). Where one `eventUid`
 * names several states it names the record, as §6.2 rule 2 can be read, and only the time tells them apart. A listing
 * has no id: what it shows is so at the latest moment that it can speak of; with fewer fields than a delivery, right
 * after what it completes.
 */
function placeOf(sighting: Sighting, sightings: readonly Sighting[]): number {
  const { emission, first, last } = sighting
  if (isLean(sighting)) return first
  const ofSeveral = sightings.some(
    (other) => other.emission === emission && byState(other, sighting) !== 0,
  )
  return emission === null || ofSeveral ? last : first
}

/** Whether what a listing showed is a state of which others say better when it was. */
const isExplained = (sighting: Sighting, sightings: readonly Sighting[]): boolean =>
  isTentative(sighting) &&
  sightings.some((other) => !isTentative(other) && isSameState(other, sighting))

/** Whether two sightings show people the same: a creation and an update with equal data do. */
const isSameState = (
  one: { rank: number; hash: string },
  other: { rank: number; hash: string },
): boolean => one.hash === other.hash && isDeleted(one) === isDeleted(other)

/** Orders by kind of change, then by data: zero for the same state. */
const byState = (a: { rank: number; hash: string }, b: { rank: number; hash: string }): number =>
  a.rank - b.rank || byText(a.hash, b.hash)

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Whether the record shows what this write says. */
export const shows = (record: Watermark, write: Watermark): boolean => byState(record, write) === 0

/**
 * Whether a delivery repeats an emission that the record knows, only with another `occurredAt` (gap 2). Asked before
 * the write is merged.
 */
export const isResend = (record: Merged<unknown> | null, write: Write<unknown>): boolean =>
  write.emission !== null &&
  (record?.sightings.some(
    (sighting) =>
      isSame(sighting, write) &&
      (write.occurredAt < sighting.first || write.occurredAt > sighting.last),
  ) ??
    false)
