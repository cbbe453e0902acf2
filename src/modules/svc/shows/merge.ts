/**
 * How deliveries become the projection: a merge that ends the same whatever the order, however often a delivery
 * comes and whoever applies it (gaps 1-6). Pure; `projection-writer.ts` reads, locks and writes.
 *
 * A row keeps the greatest write it has seen, by `occurredAt`, then kind of change, then hash. Taking the greatest
 * is commutative, associative and idempotent, so retries, duplicates, re-sends and two workers cannot disagree.
 */
import type { Change } from "../../../contract"

/** Place of a write in the one order of all writes to a record. `occurredAt` in ms since the epoch. */
export type Watermark = { occurredAt: number; rank: number; hash: string }

/** Within one millisecond a deletion counts as the last change and a creation as the first (gap 3). */
export const RANK: Record<Change, number> = { created: 0, updated: 1, deleted: 2 }
const DELETED = RANK.deleted

export type Write<Content> = Watermark & { content: Content }

/** A record as merged so far. */
export type Merged<Content> = Write<Content> & {
  /** Latest write that was not a deletion, null where none was seen (gap 6). */
  aliveAt: number | null
  /**
   * Two different writes carry the same time: which one wins is fixed, but nobody knows whether it is the later one
   * (gap 3).
   */
  tied: boolean
}

export const isDeleted = (write: Watermark): boolean => write.rank === DELETED

function compare(a: Watermark, b: Watermark): number {
  if (a.occurredAt !== b.occurredAt) return a.occurredAt - b.occurredAt
  if (a.rank !== b.rank) return a.rank - b.rank
  return a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0
}

/**
 * Merges a write into a record.
 *
 * @returns the very same `record` when the write tells nothing new
 */
export function applyWrite<Content>(
  record: Merged<Content> | null,
  write: Write<Content>,
): Merged<Content> {
  const alive = isDeleted(write) ? null : write.occurredAt
  if (!record) return { ...write, aliveAt: alive, tied: false }

  const aliveAt = latest(record.aliveAt, alive)
  const order = compare(write, record)
  if (order > 0) {
    return { ...write, aliveAt, tied: write.occurredAt === record.occurredAt }
  }
  const tied = record.tied || (order !== 0 && write.occurredAt === record.occurredAt)
  return aliveAt === record.aliveAt && tied === record.tied ? record : { ...record, aliveAt, tied }
}

/** Whether the record shows this write: it won now, or it had won before. */
export const shows = (record: Watermark, write: Watermark): boolean => compare(record, write) === 0

/** A record as a listing meets it. `writtenAt` is when it was last written, by the database's clock, in ms. */
type ListedRecord = Watermark & { tied: boolean; writtenAt: number }

/** A listing as it was read: when by the database's clock, and of which moment of the service's at the earliest. */
export type ListingTime = { startedAt: number; asOf: number }

/** A listing may have been put together a moment before we asked for it. */
const LISTING_AGE_MS = 2_000
/** To bring back what a delivery reported as deleted, a listing has to be newer than the deletion by this much. */
const LISTING_AGE_OVER_TOMBSTONE_MS = 5 * 60_000

/**
 * When a listed state is taken to have happened (gap 20); null where the listing must not change the record.
 *
 * The service does not tell. For a record that was written before we asked for the listing: just after its watermark,
 * because the listing knew of it and may correct it, and every later delivery still wins. For a record written since
 * then: null, because the listing may be older. For a record that we did not know: `asOf`, the earliest moment that
 * can be right, so that an older delivery that is still being retried counts as stale.
 */
export function listedAt(record: ListedRecord | null, listing: ListingTime): number | null {
  if (!record) return listing.asOf
  const age = isDeleted(record) ? LISTING_AGE_OVER_TOMBSTONE_MS : LISTING_AGE_MS
  if (record.writtenAt > listing.startedAt - age) return null
  return Math.max(listing.asOf, record.occurredAt + 1)
}

const latest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b)
