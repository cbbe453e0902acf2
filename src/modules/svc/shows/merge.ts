/**
 * How deliveries become the projection (gaps 1-6): each record has one watermark per topic family, and what the inbox
 * holds under the same `eventUid` says how a delivery is read. Pure; `projection-writer.ts` reads, locks and writes.
 *
 *   one state at several times       an emission that was sent again: its first time is true (gap 2)
 *   several states under one id      the id names the record (§6.2 rule 2): the latest counts; a state that comes at two
 *                                    times may be a re-send or have come back, so the record is flagged
 *   two states at one time           rank, then hash decides, and the record is flagged (gap 3)
 *   against what we asked for        a listing or a price lookup said otherwise: flagged, and asked again
 */
import type { Change, Family } from "../../../contract"

/** Place of a write in the one order of all writes to a record. `occurredAt` in ms since the epoch. */
export type Watermark = { occurredAt: number; rank: number; hash: string }

/** Within one millisecond a deletion counts as the last change and a creation as the first (gap 3). */
export const RANK: Record<Change, number> = { created: 0, updated: 1, deleted: 2 }

/** A change as a delivery told it. */
export type Told = Watermark & {
  /** `metadata.eventUid`; null where there is none. */
  emission: string | null
}

export type Write<Content> = Told & { content: Content }

/** What is known of a record in one topic family, but for its content. Times in ms since the epoch. */
export type Known = Told & {
  /** A listing or a price lookup showed it, so nobody knows since when it is so: the delivery that tells it does. */
  asked: boolean
  /** The latest that a delivery told, in its time or not; null where none did. */
  toldAt: number | null
  /** Latest change that was not a deletion, null where none was told (gap 6). */
  aliveAt: number | null
  /** Nobody knows from what was told whether it is right, so it is read again. */
  doubtful: boolean
}

/** What a listing said against a record, to be seen again: `state` is the family and hash, `since` in ms. */
export type Doubt = { state: string; since: number }

/** A record as it lies in the table of one kind, one row for each topic family. Times in ms since the epoch. */
export type Row<Content> = Known & {
  id: string
  kind: Family
  /** What names the record beside its connection and family. */
  key: string[]
  /** When a delivery last told of it, by the database's clock; null where none did. */
  heardAt: number | null
  /** Events only, as `absentAt` is: what a listing said against it. */
  doubt: Doubt | null
  /** When a complete listing of the family first lacked it, and when that was believed. */
  unlistedAt: number | null
  absentAt: number | null
  /** It is the one of its record's rows that people see (`shownRow`). */
  isShown: boolean
  content: Content
}

export const isDeleted = ({ rank }: { rank: number }): boolean => rank === RANK.deleted

type State = { rank: number; hash: string }

/** Whether two changes show people the same: a creation and an update with equal data do. */
export const isSameState = (one: State, other: State): boolean =>
  one.hash === other.hash && isDeleted(one) === isDeleted(other)

/** Above zero where the first is the later one. */
export const inOrder = (a: Watermark, b: Watermark): number =>
  a.occurredAt - b.occurredAt || a.rank - b.rank || (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)

export type Merged = {
  known: Known
  /** It is later than what the record showed. */
  isLater: boolean
  /** The inbox has the same change, told with an earlier time. */
  isResend: boolean
}

/**
 * Merges a delivery into what is known of its record.
 *
 * @param told what the inbox has of this record and family under the same `eventUid`, this delivery among it or not
 */
export function merge(known: Known | null, write: Told, told: readonly Told[]): Merged {
  // The inbox forgets after a month; what the record shows it has told in any case.
  const ofRow = known && write.emission !== null && known.emission === write.emission ? [known] : []
  const all = [...told, ...ofRow, write]
  const isSeveral = all.some((other) => !isSameState(other, write))
  const best = all.reduce((a, b) =>
    (isSeveral ? inOrder(b, a) > 0 : b.occurredAt < a.occurredAt) ? b : a,
  )
  const isOpen =
    isSeveral &&
    all.some((other) => isSameState(other, best) !== (other.occurredAt === best.occurredAt))
  const isResend = !isSeveral && best.occurredAt < write.occurredAt
  const { occurredAt, rank, hash, emission } = best
  const counted = isSeveral ? all : [best]
  const alive = counted.filter((one) => !isDeleted(one)).map((one) => one.occurredAt)
  const next = {
    toldAt: Math.max(known?.toldAt ?? Number.NEGATIVE_INFINITY, write.occurredAt),
    aliveAt: latest([...alive, ...(known?.aliveAt == null ? [] : [known.aliveAt])]),
  }
  const taken = { ...next, occurredAt, rank, hash, emission, asked: false }
  if (!known) return { known: { ...taken, doubtful: isOpen }, isLater: true, isResend }

  const isSame = isSameState(known, best)
  // What made it doubtful is over once something later than all of that is told.
  const still = known.doubtful && occurredAt <= (known.toldAt ?? Number.NEGATIVE_INFINITY)
  const order = inOrder(best, known)
  // What a list told is confirmed by a delivery: that ends what lists alone had said of its end. One that is older than what
  // was told before the question is replayed: with its time, those behind it would count again.
  if (known.asked && isSame && occurredAt >= (known.toldAt ?? Number.NEGATIVE_INFINITY)) {
    // When it was alive is known now, and not as the list was read, after everything that had been told.
    const aliveAt = latest(alive)
    return { known: { ...taken, aliveAt, doubtful: still }, isLater: order > 0, isResend }
  }
  const isTie = occurredAt === known.occurredAt && !isSame
  if (order > 0)
    return { known: { ...taken, doubtful: still || isOpen || isTie }, isLater: true, isResend }
  const isEarlierOfSame =
    emission !== null && emission === known.emission && isSame && occurredAt < known.occurredAt
  const contradicts = (isOpen && order === 0) || isTie || (known.asked && !isSame)
  return {
    known: {
      ...known,
      ...next,
      ...(isEarlierOfSame ? { occurredAt } : {}),
      doubtful: known.doubtful || isEarlierOfSame || contradicts,
    },
    isLater: false,
    isResend,
  }
}

/**
 * Whether nobody can tell which of two topic families shows a record now (gap 6): both showed it alive at one moment, only
 * a listing told of the other, or what the one that it left repeats may be that it came back.
 *
 * @param one what a delivery just told
 */
export const familiesContradict = (one: Known, other: Known): boolean =>
  other.asked ||
  (other.aliveAt !== null && other.aliveAt === one.aliveAt) ||
  mayBeBack(one, other) ||
  mayBeBack(other, one)

const mayBeBack = (left: Known, shown: Known): boolean =>
  !isDeleted(left) &&
  shown.aliveAt !== null &&
  (left.aliveAt ?? 0) < shown.aliveAt &&
  (left.toldAt ?? 0) >= shown.aliveAt

const latest = (times: number[]): number | null => (times.length > 0 ? Math.max(...times) : null)
