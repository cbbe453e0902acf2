import { completeListedEvent, type Family, type Json } from "../../../contract"
import { groupBy } from "../shared/group-by"
import type { Announcement } from "./announcements"
import { announceEvent, shownRow } from "./announcements"
import {
  type Doubt,
  doubtedState,
  judgeListed,
  judgeMissing,
  type ListedRecord,
  type ListingTime,
  lessensBy,
  mostAreMissing,
  type OwnRecord,
  stageOf,
} from "./listing"
import { isDeleted, isLean } from "./merge"
import {
  mergedOf,
  type ProjectionWriter,
  RECORD_COLUMNS,
  type RecordRow,
  type ShowsTransaction,
} from "./projection-writer"
import { type EventContent, type EventWrite, readListedEvent } from "./read-write"

/** One thing that a listing told and no delivery had. */
export type Difference = {
  event_id: string
  kind: Family
  name: string
  change: "added" | "changed" | "gone" | "returned" | "doubted"
  /** What was known, and what the listing shows, of the fields that differ. */
  fields: Record<string, { before: unknown; after: unknown }>
}

/** What became of one family's listing. */
export type Corrected = {
  differences: Difference[]
  announcements: Announcement[]
  /** Something has to be seen in another listing before it is believed: seen for the first time, or only what was seen. */
  toConfirm: "new" | "again" | null
}

/** A listing that was read to its end, whether it said how many events there are, and how many could not be read. */
export type Whole = { counted: boolean; unreadable: number }

type Row = RecordRow &
  Omit<EventContent, "data"> & {
    event_id: string
    doubt: Doubt | null
    unlisted_at: Date | null
    absent_at: Date | null
    products_heard_at: Date | null
    sold_at: Date | null
  }

/** The rows of an event: the one that people see, and that of the family whose listing is read, where it has one. */
type Known = { families: Row[]; shown: Row; own: Row | null }

/** What people see of an event, as differences name it. */
const COMPARED = [
  "campaign_uid",
  "name",
  "status",
  "is_published",
  "starts_at",
  "live_started_at",
  "live_ended_at",
  "deadline",
] as const satisfies readonly (keyof EventContent)[]

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
      const known = await recordsOf(trx, kind)
      const shown = await this.#takeListed(trx, known, entries, listing)
      const ids = new Set(entries.map(({ eventId }) => eventId))
      const missing = listing.whole
        ? await endMissing(trx, known, ids, listing, listing.whole)
        : NOTHING
      const found = {
        differences: [...shown.differences, ...missing.differences],
        toConfirm: moreUrgent(shown.toConfirm, missing.toConfirm),
      }
      if (found.differences.length === 0) return { ...found, announcements: [] }
      return { ...found, announcements: announce(trx, known, await recordsOf(trx, kind)) }
    })
  }

  async #takeListed(
    trx: ShowsTransaction,
    known: Map<string, Known>,
    entries: EventWrite[],
    listing: ListingTime,
  ): Promise<Found> {
    const differences: Difference[] = []
    const taken: EventWrite[] = []
    const listedAgain: string[] = []
    const agreed: string[] = []
    let toConfirm: Found["toConfirm"] = null
    const shownData = await dataOf(
      trx,
      entries.flatMap(({ eventId }) => known.get(eventId)?.shown.id ?? []),
    )
    for (const listedEntry of entries) {
      const record = known.get(listedEntry.eventId)
      const row = record?.own ?? record?.shown
      const { entry, lean } = completed(listedEntry, shownData.get(record?.shown.id ?? "") ?? null)
      const listed = {
        kind: entry.kind,
        hash: entry.hash,
        stage: stageOf(entry.content),
        lean,
        lessens: record ? lessensBy(record.shown, entry.content) : null,
      }
      const verdict = judgeListed(record ? listedRecord(record) : null, listed, listing)
      const own = record?.own
      if (own && (own.unlisted_at !== null || own.absent_at !== null)) {
        listedAgain.push(own.id)
        if (own.absent_at !== null) differences.push(differenceOf("returned", own, entry))
      }
      // A listing that agrees with us: an earlier one that did not was old.
      if (verdict.kind === "known" && own?.doubt) agreed.push(own.id)
      if (verdict.kind === "known" && own && entry.content.cover_url !== own.cover_url) {
        const { cover_url, data } = entry.content
        await trx("svc_live_event")
          .where({ id: own.id })
          .update({ cover_url, data: JSON.stringify(data) })
      }
      if (verdict.kind === "take") {
        const { occurredAt, earliest, tentative } = verdict
        taken.push({ ...entry, occurredAt, earliest, tentative, lean })
        if (!own || own.id !== record?.shown.id || own.hash !== entry.hash || isDeleted(own)) {
          differences.push(differenceOf(row ? "changed" : "added", row, entry))
        }
      } else if (verdict.kind === "doubt" && row) {
        const state = doubtedState(listed)
        const isNew = row.doubt?.state !== state
        toConfirm = moreUrgent(toConfirm, isNew ? "new" : "again")
        if (isNew) {
          differences.push(differenceOf("doubted", row, entry))
          const doubt: Doubt = { state, since: listing.startedAt }
          await trx("svc_live_event")
            .where({ id: row.id })
            .update({ doubt: JSON.stringify(doubt) })
        }
      }
    }
    if (listedAgain.length > 0) {
      await trx("svc_live_event")
        .whereIn("id", listedAgain)
        .update({ unlisted_at: null, absent_at: null, updated_at: trx.fn.now() })
    }
    if (agreed.length > 0) await trx("svc_live_event").whereIn("id", agreed).update({ doubt: null })
    await this.projection.applyListed(trx, taken)
    return { differences, toConfirm }
  }
}

/** What is known of events, by the ids of their rows, as deliveries or listings told it. */
async function dataOf(trx: ShowsTransaction, ids: string[]): Promise<Map<string, Json>> {
  if (ids.length === 0) return new Map()
  const rows: { id: string; data: Json }[] = await trx("svc_live_event")
    .select("id", "data")
    .whereIn("id", ids)
  return new Map(rows.map(({ id, data }) => [id, data]))
}

/** The entry with what is known where it says nothing: a listing speaks of the fields that it has. */
function completed(entry: EventWrite, known: Json | null): { entry: EventWrite; lean: boolean } {
  const { data, lean } = completeListedEvent(entry.content.data, known)
  return { entry: (known && readListedEvent(entry.kind, data)) ?? entry, lean }
}

type Found = Pick<Corrected, "differences" | "toConfirm">

/** What is seen for the first time is looked at again within seconds. */
export const moreUrgent = (
  one: Corrected["toConfirm"],
  other: Corrected["toConfirm"],
): Corrected["toConfirm"] => (one === "new" || other === "new" ? "new" : (one ?? other))

/** What is different for people after a listing than before it, over both families. */
function announce(
  trx: ShowsTransaction,
  before: Map<string, Known>,
  after: Map<string, Known>,
): Announcement[] {
  return [...after].flatMap(([id, { shown }]) => {
    const was = before.get(id)?.shown
    return announceEvent(trx.connectionId, was ? stateOf(was) : null, stateOf(shown))
  })
}

const NOTHING: Found = { differences: [], toConfirm: null }

/** Notes events that a complete listing lacks, and ends those that were noted before (gap 20). */
async function endMissing(
  trx: ShowsTransaction,
  known: Map<string, Known>,
  listed: Set<string>,
  listing: ListingTime,
  whole: Whole,
): Promise<Found> {
  const alive = [...known.values()].flatMap((record) => {
    const { own } = record
    return own && !isDeleted(own) && own.absent_at === null ? { record, row: own } : []
  })
  const missing = alive.filter(({ row }) => !listed.has(row.event_id))
  // Those that could not be read may be the very ones that are missing.
  if (missing.length <= whole.unreadable) return NOTHING
  const isWeak =
    !whole.counted || whole.unreadable > 0 || mostAreMissing(missing.length, alive.length)
  const verdicts = missing.map(({ record, row }) => ({
    row,
    verdict: judgeMissing(ownRecord(row, record.shown), listedRecord(record), listing, isWeak),
  }))
  const noted = verdicts.filter(({ verdict }) => verdict === "note").map(({ row }) => row)
  const gone = verdicts.filter(({ verdict }) => verdict === "gone").map(({ row }) => row)
  const at = new Date(listing.startedAt)
  const mark = (marked: Row[], columns: object) =>
    trx("svc_live_event")
      .whereIn(
        "id",
        marked.map(({ id }) => id),
      )
      .update(columns)
  if (noted.length > 0) await mark(noted, { unlisted_at: at })
  if (gone.length > 0) await mark(gone, { absent_at: at, updated_at: trx.fn.now() })
  return {
    differences: gone.map((row) => ({
      event_id: row.event_id,
      kind: row.kind,
      name: row.name,
      change: "gone",
      fields: {},
    })),
    // Also where a show was told of or sold lately, or most of what we know is missing: it is looked at again.
    toConfirm: noted.length > 0 ? "new" : verdicts.length > gone.length ? "again" : null,
  }
}

/** The events of the connection, by their ids, as the listing of this family meets them. */
async function recordsOf(trx: ShowsTransaction, kind: Family): Promise<Map<string, Known>> {
  const columns = [
    ...RECORD_COLUMNS,
    "event_id",
    ...COMPARED,
    "cover_url",
    "doubt",
    "unlisted_at",
    "absent_at",
  ].map((name) => `event.${name}`)
  const rows: Row[] = await trx("svc_live_event AS event")
    .select(columns)
    .select(
      trx.raw(`(SELECT max(product.heard_at) FROM svc_event_product product
        WHERE product.connection_id = event.connection_id
          AND product.campaign_uid = event.campaign_uid AND product.deleted_at IS NULL)
        AS products_heard_at`),
      trx.raw(`(SELECT max(sale.placed_at) FROM svc_attribution sale
        WHERE sale.connection_id = event.connection_id
          AND sale.campaign_uid = event.campaign_uid AND sale.deleted_at IS NULL) AS sold_at`),
    )
    .where({ "event.connection_id": trx.connectionId })
    .whereNull("event.deleted_at")
  const known = new Map<string, Known>()
  for (const [id, families] of groupBy(rows, (row) => row.event_id)) {
    const placed = families.map((row) => ({
      ...row,
      absent: row.absent_at !== null,
      deleted: isDeleted(row),
    }))
    const shown = shownRow(placed)
    if (shown) {
      const own = placed.find((row) => row.kind === kind) ?? null
      known.set(id, { families: placed, shown, own })
    }
  }
  return known
}

const listedRecord = ({ families, shown, own }: Known): ListedRecord => ({
  own: own && ownRecord(own, shown),
  isGone: isDeleted(shown),
  stage: stageOf(shown),
  latest: Math.max(...families.flatMap((row) => mergedOf(row).sightings.map(({ last }) => last))),
  told: latestTold(families),
  writtenAt: Math.max(...families.map(writtenAt)),
  heardAt: latest(...families.flatMap((row) => [row.heard_at, row.products_heard_at])),
  soldAt: latest(...families.map((row) => row.sold_at)),
  doubt: (own ?? shown).doubt,
})

function latestTold(families: Row[]): number | null {
  const sightings = families.flatMap((row) => mergedOf(row).sightings)
  const times = sightings.flatMap((sighting) => (isLean(sighting) ? [] : sighting.last))
  return times.length > 0 ? Math.max(...times) : null
}

const ownRecord = (row: Row, shown: Row): OwnRecord => {
  const { occurredAt, rank, hash, sightings, doubtful } = mergedOf(row)
  return {
    occurredAt,
    rank,
    hash,
    sightings,
    doubtful,
    isShown: row.id === shown.id,
    writtenAt: writtenAt(row),
    unlistedAt: row.unlisted_at?.getTime() ?? null,
  }
}

const writtenAt = (row: Row): number => row.heard_at?.getTime() ?? Number.NEGATIVE_INFINITY

const latest = (...dates: (Date | null)[]): number | null => {
  const times = dates.flatMap((date) => (date ? [date.getTime()] : []))
  return times.length > 0 ? Math.max(...times) : null
}

const stateOf = (row: Row) => ({
  event_id: row.event_id,
  kind: row.kind,
  campaign_uid: row.campaign_uid,
  name: row.name,
  status: row.status,
  is_published: row.is_published,
  cover_url: row.cover_url,
  deleted: isDeleted(row) || row.absent_at !== null,
  hash: row.hash,
})

function differenceOf(
  change: Difference["change"],
  row: Row | undefined,
  entry: EventWrite,
): Difference {
  const fields: Difference["fields"] = {}
  for (const name of COMPARED) {
    const [before, after] = [plain(row?.[name] ?? null), plain(entry.content[name])]
    if (before !== after) fields[name] = { before, after }
  }
  if (row && isDeleted(row)) fields.deleted = { before: true, after: false }
  return { event_id: entry.eventId, kind: entry.kind, name: entry.content.name, change, fields }
}

const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)
