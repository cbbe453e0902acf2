import { isDeepStrictEqual } from "node:util"
import { completeListedEvent, type Family, type Json, readShownEvent } from "../../../contract"
import { groupBy } from "../shared/group-by"
import type { Announcement } from "./announcements"
import { noteMissed } from "./connection-work"
import {
  judgeListed,
  judgeMissing,
  LISTING_AGE_MS,
  type ListedRecord,
  type ListingTime,
  mostAreMissing,
  wasHeard,
} from "./listing"
import { isDeleted } from "./merge"
import {
  EVENTS,
  type EventRow,
  newRow,
  readRows,
  type ShowsTransaction,
  storeRows,
} from "./projection-rows"
import { askedRow, type ProjectionWriter } from "./projection-writer"
import { type EventContent, type EventWrite, readListedEvent } from "./read-write"

/** What became of one family's listing. */
export type Corrected = {
  /** Names of the shows of which it told what no delivery had. */
  told: string[]
  announcements: Announcement[]
  /** Something has to be seen in another listing before it is believed. */
  isOpen: boolean
  /** And was not seen before. */
  isNew: boolean
}

/** A listing that was read to its end, whether it said how many events there are, and how many could not be read. */
export type Whole = { counted: boolean; unreadable: number }

export type Known = ListedRecord<EventRow>

/** Lets a listing of events correct our copy, as far as `listing.ts` believes it. */
export class ListingWriter {
  constructor(private readonly projection: ProjectionWriter) {}

  /**
   * @param whole whether the listing was read to its end, such that what it lacks is missing at the service
   * @returns null where the connection is gone
   */
  correct(
    connectionId: string,
    kind: Family,
    entries: EventWrite[],
    listing: ListingTime & { whole: Whole | null },
  ): Promise<Corrected | null> {
    return this.projection.write(connectionId, async (trx) => {
      const ids = new Set(entries.map(({ eventId }) => eventId))
      const known = await recordsOf(trx, kind, [...ids])
      const rows = [...known.values()].flatMap((record) => record.rows)
      const before = rows.map((row) => ({ ...row }))
      const found: Found = {
        told: [],
        isOpen: false,
        isNew: false,
        changed: new Set(),
        contents: new Map(),
      }
      for (const entry of await completed(trx, entries, known)) {
        takeListed(found, known.get(entry.write.eventId) ?? null, entry, listing)
      }
      if (listing.whole) endMissing(found, known, ids, listing, listing.whole)
      const { told, isOpen, isNew, changed, contents } = found
      if (told.length > 0) await noteMissed(trx, connectionId)
      const announcements = await storeRows(trx, EVENTS, {
        before,
        after: [...new Set([...rows, ...changed])],
        changed: new Set([...changed].map(({ id }) => id)),
        contents,
      })
      return { told, isOpen, isNew, announcements }
    })
  }
}

/** What a listing told, and the rows that it changes. */
export type Found = Pick<Corrected, "told" | "isOpen" | "isNew"> & {
  changed: Set<EventRow>
  contents: Map<string, EventContent>
}

/**
 * @property isLean it lacked fields, which what is known has filled in
 * @property looksOther something differs that is only shown, which makes no other state
 */
type Entry = { write: EventWrite; isLean: boolean; looksOther: boolean }

/** Decides about one entry. Pure but for what it writes into the rows and `found`. */
export function takeListed(
  found: Found,
  record: Known | null,
  { write, isLean, looksOther }: Entry,
  listing: ListingTime,
): void {
  const { kind, hash, content } = write
  const own = record?.own ?? null
  const verdict = judgeListed(record, { kind, hash, isLean, content }, listing)
  if (own && (own.unlistedAt !== null || own.absentAt !== null)) {
    if (own.absentAt !== null) found.told.push(content.name)
    // One listing alone may be an old one that has it in a family that it had left.
    const doubtful = own.doubtful || (own.absentAt !== null && own !== record?.shown)
    Object.assign(own, { doubtful, unlistedAt: null, absentAt: null })
    found.changed.add(own)
  }
  const holder = own ?? record?.shown ?? null
  if (verdict.kind === "known" && own) {
    // A listing that agrees with us: an earlier one that did not was old.
    const isNew = looksOther && !wasHeard([own], listing, LISTING_AGE_MS)
    if (isNew) {
      found.contents.set(own.id, content)
      found.changed.add(Object.assign(own, { content }))
    }
    if (own.doubt) found.changed.add(Object.assign(own, { doubt: null }))
  } else if (verdict.kind === "take") {
    const isNews = own !== record?.shown || own?.hash !== hash || isDeleted(own)
    if (!own || isNews) found.told.push(content.name)
    const placed = { ...write, occurredAt: verdict.occurredAt }
    const taken = askedRow(own ?? newRow(EVENTS, write), placed, verdict.doubt)
    found.contents.set(taken.id, content)
    found.changed.add(own ? Object.assign(own, taken) : taken)
    if (verdict.doubt) found.isOpen = found.isNew = true
  } else if (verdict.kind === "doubt" && holder) {
    found.isOpen = true
    if (holder.doubt === verdict.doubt) return
    found.isNew = true
    holder.doubt = verdict.doubt
    found.changed.add(holder)
  }
}

/** Notes events that a complete listing lacks, and ends those that were noted before (gap 20). */
export function endMissing(
  found: Found,
  known: Map<string, Known>,
  listed: Set<string>,
  listing: ListingTime,
  whole: Whole,
): void {
  for (const [id, { own }] of known) {
    if (!own?.doubtful || !isDeleted(own) || listed.has(id) || whole.unreadable > 0) continue
    // The listing says so too.
    if (!wasHeard([own], listing, LISTING_AGE_MS)) {
      found.changed.add(Object.assign(own, { doubtful: false }))
    }
  }
  const alive = [...known].flatMap(([id, record]) => {
    const { own } = record
    return own && !isDeleted(own) && own.absentAt === null ? { id, record, own } : []
  })
  const missing = alive.filter(({ id }) => !listed.has(id))
  // Those that could not be read may be the very ones that are missing.
  if (missing.length <= whole.unreadable) return
  const isWeak =
    !whole.counted || whole.unreadable > 0 || mostAreMissing(missing.length, alive.length)
  for (const { record, own } of missing) {
    const verdict = judgeMissing(own, record, listing, isWeak)
    if (verdict === "gone") {
      found.told.push(own.content.name)
      // The family that it had left stands in for it: that it is back there has to be said, and said again.
      for (const other of own === record.shown ? record.rows : []) {
        if (other === own || isDeleted(other) || other.absentAt !== null) continue
        found.changed.add(Object.assign(other, { doubtful: true, doubt: null }))
        found.isOpen = found.isNew = true
      }
    } else {
      // Also where a show was told of or sold lately, or most of what we know is missing: it is looked at again.
      found.isOpen = true
      found.isNew ||= verdict === "note"
    }
    if (verdict === "keep") continue
    const at = listing.startedAt
    found.changed.add(
      Object.assign(own, verdict === "gone" ? { absentAt: at, doubt: null } : { unlistedAt: at }),
    )
  }
}

/** The entries with what is known where they say nothing: a listing speaks of the fields that it has. */
async function completed(
  trx: ShowsTransaction,
  entries: EventWrite[],
  known: Map<string, Known>,
): Promise<Entry[]> {
  const basisOf = ({ eventId, hash }: EventWrite) => {
    const record = known.get(eventId)
    return (record?.own?.hash === hash ? record.own : record?.shown)?.id ?? ""
  }
  const ids = entries.map(basisOf)
  const rows: { id: string; data: Json }[] = ids.length
    ? await trx("svc_live_event").select("id", "data").whereRaw("id = ANY(?)", [ids])
    : []
  const told = new Map(rows.map(({ id, data }) => [id, data]))
  return entries.map((entry) => {
    const before = told.get(basisOf(entry)) ?? null
    const { data, lean } = completeListedEvent(entry.content.data, before)
    return {
      write: (before && readListedEvent(entry.kind, data)) ?? entry,
      isLean: lean,
      looksOther:
        before !== null && !isDeepStrictEqual(readShownEvent(data), readShownEvent(before)),
    }
  })
}

/** The events that this family's listing names or may lack, by their ids. */
async function recordsOf(
  trx: ShowsTransaction,
  kind: Family,
  ids: string[],
): Promise<Map<string, Known>> {
  const rows = await readRows(trx, EVENTS, (events) =>
    events.whereRaw(
      `event_id IN (SELECT event_id FROM svc_live_event WHERE connection_id = ? AND deleted_at IS NULL
         AND (event_id = ANY(?) OR (kind = ? AND absent_at IS NULL AND (deleted_in_svc_at IS NULL OR needs_reread))))`,
      [trx.connectionId, ids, kind],
    ),
  )
  const open = rows.filter(({ doubt, unlistedAt }) => doubt !== null || unlistedAt !== null)
  const warm = await warmthOf(trx, [...new Set(open.map(({ content }) => content.campaign_uid))])
  const known = new Map<string, Known>()
  for (const [id, families] of groupBy(rows, ({ key: [id = ""] }) => id)) {
    const shown = families.find(({ isShown }) => isShown)
    if (!shown) continue
    const own = families.find((row) => row.kind === kind) ?? null
    const warmAt = Math.max(...families.map(({ content }) => warm.get(content.campaign_uid) ?? 0))
    known.set(id, { rows: families, shown, own, warmAt })
  }
  return known
}

/** The last delivery of a product, or sale, of each campaign that a listing speaks against; in ms since the epoch. */
async function warmthOf(
  trx: ShowsTransaction,
  campaignUids: string[],
): Promise<Map<string, number>> {
  if (campaignUids.length === 0) return new Map()
  const { rows } = await trx.raw<{ rows: { uid: string; at: Date | null }[] }>(
    `SELECT uid, greatest(
       (SELECT max(heard_at) FROM svc_event_product WHERE connection_id = :id AND campaign_uid = uid AND deleted_at IS NULL),
       (SELECT max(placed_at) FROM svc_attribution WHERE connection_id = :id AND campaign_uid = uid AND deleted_at IS NULL)
     ) AS at FROM unnest(:campaignUids::text[]) uid`,
    { id: trx.connectionId, campaignUids },
  )
  return new Map(rows.flatMap(({ uid, at }) => (at ? [[uid, at.getTime()]] : [])))
}
