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

/** Within one millisecond a deletion is the last word, a creation the first: gap 3. */
export const RANK: Record<Change, number> = { created: 0, updated: 1, deleted: 2 }
const DELETED = RANK.deleted

export type Write<Content> = Watermark & { content: Content }

/** A record as merged so far. */
export type Merged<Content> = Write<Content> & {
  /** Latest write that was not a deletion, null where none was seen (gap 6). */
  aliveAt: number | null
  /** Two different writes carry the watermark's time: the winner is certain, but not that it is right (gap 3). */
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
export type ListedRecord = Watermark & { tied: boolean; writtenAt: number }

/** A listing as it was read: when by the database's clock, and of which moment of the service's at the earliest. */
export type ListingTime = { startedAt: number; asOf: number }

/** A listing may have been put together a moment before it was asked for. */
const LISTING_AGE_MS = 2_000
/** It has to be surer than that to bring back what a delivery said is gone. */
const LISTING_AGE_OVER_TOMBSTONE_MS = 5 * 60_000

/**
 * When a listed state is taken to have happened (gap 20); null where the listing must not touch the record.
 *
 * The service does not say. Just after the watermark, where the record was written before the listing was asked for:
 * then the listing knew of it and may correct it, and every later delivery still wins. A record written since then
 * stays: the listing may be older. `asOf` is the earliest that is right for a record that we did not know; by it an
 * older delivery that is still being retried is stale, as it should be.
 */
export function listedAt(record: ListedRecord | null, listing: ListingTime): number | null {
  if (!record) return listing.asOf
  const age = isDeleted(record) ? LISTING_AGE_OVER_TOMBSTONE_MS : LISTING_AGE_MS
  if (record.writtenAt > listing.startedAt - age) return null
  return Math.max(listing.asOf, record.occurredAt + 1)
}

const latest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b)
