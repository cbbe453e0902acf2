import type { Family } from "../../../contract"
import { groupBy } from "../shared/group-by"
import type { Announcement } from "./announcements"
import { announceEvent, shownRow } from "./announcements"
import {
  judgeListed,
  judgeMissing,
  type ListedRecord,
  type ListingTime,
  mostAreMissing,
  stageOf,
} from "./listing"
import { isDeleted } from "./merge"
import {
  mergedOf,
  type ProjectionWriter,
  RECORD_COLUMNS,
  type RecordRow,
  type ShowsTransaction,
} from "./projection-writer"
import type { EventContent, EventWrite } from "./read-write"

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
  /** Something has to be seen in another listing before it is believed. */
  toConfirm: boolean
}

/** A listing that was read to its end, and whether it said how many events there are. */
export type Whole = { counted: boolean }

type Row = RecordRow & {
  isShown: boolean
  event_id: string
  campaign_uid: string
  name: string
  status: string
  is_published: boolean
  starts_at: Date | null
  live_started_at: Date | null
  live_ended_at: Date | null
  deadline: Date | null
  doubt: { hash: string; since: number } | null
  unlisted_at: Date | null
  absent_at: Date | null
  products_heard_at: Date | null
  sold_at: Date | null
}

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
      const rows = await recordsOf(trx, kind)
      const shown = await this.#takeListed(trx, rows, entries, listing)
      const ids = new Set(entries.map(({ eventId }) => eventId))
      const missing = listing.whole
        ? await endMissing(trx, rows, ids, listing, listing.whole)
        : NOTHING
      return {
        differences: [...shown.differences, ...missing.differences],
        announcements: [...shown.announcements, ...missing.announcements],
        toConfirm: shown.toConfirm || missing.toConfirm,
      }
    })
  }

  async #takeListed(
    trx: ShowsTransaction,
    rows: Map<string, Row>,
    entries: EventWrite[],
    listing: ListingTime,
  ): Promise<Corrected> {
    const differences: Difference[] = []
    const taken: EventWrite[] = []
    const listedAgain: string[] = []
    let toConfirm = false
    for (const entry of entries) {
      const row = rows.get(entry.eventId)
      const verdict = judgeListed(
        row ? listedRecord(row) : null,
        { hash: entry.hash, stage: stageOf(entry.content) },
        listing,
      )
      if (row && (row.unlisted_at !== null || row.absent_at !== null)) {
        listedAgain.push(row.id)
        if (row.absent_at !== null) differences.push(differenceOf("returned", row, entry))
      }
      if (verdict.kind === "take") {
        taken.push({ ...entry, occurredAt: verdict.occurredAt })
        if (!row || row.hash !== entry.hash || isDeleted(row)) {
          differences.push(differenceOf(row ? "changed" : "added", row, entry))
        }
      } else if (verdict.kind === "doubt" && row) {
        toConfirm = true
        if (row.doubt?.hash !== entry.hash) {
          differences.push(differenceOf("doubted", row, entry))
          await trx("svc_live_event")
            .where({ id: row.id })
            .update({ doubt: JSON.stringify({ hash: entry.hash, since: listing.startedAt }) })
        }
      }
    }
    if (listedAgain.length > 0) {
      await trx("svc_live_event")
        .whereIn("id", listedAgain)
        .update({ unlisted_at: null, absent_at: null, updated_at: trx.fn.now() })
    }
    const { announcements } = await this.projection.applyListed(trx, taken)
    return { differences, announcements, toConfirm }
  }
}

const NOTHING: Corrected = { differences: [], announcements: [], toConfirm: false }

/** Notes events that a complete listing lacks, and ends those that were noted before (gap 20). */
async function endMissing(
  trx: ShowsTransaction,
  rows: Map<string, Row>,
  listed: Set<string>,
  listing: ListingTime,
  whole: Whole,
): Promise<Corrected> {
  const alive = [...rows.values()].filter((row) => !isDeleted(row) && row.absent_at === null)
  const missing = alive.filter((row) => !listed.has(row.event_id))
  const isWeak = !whole.counted || mostAreMissing(missing.length, alive.length)
  const verdicts = missing.map((row) => ({
    row,
    verdict: judgeMissing(listedRecord(row), listing, isWeak),
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
    announcements: gone.flatMap((row) => {
      const before = { ...stateOf(row), deleted: false }
      return announceEvent(trx.connectionId, before, { ...before, deleted: true })
    }),
    // Also where a show was told of or sold lately, or most of what we know is missing: it is looked at again.
    toConfirm: verdicts.length > gone.length,
  }
}

async function recordsOf(trx: ShowsTransaction, kind: Family): Promise<Map<string, Row>> {
  const columns = [
    ...RECORD_COLUMNS,
    "event_id",
    ...COMPARED,
    "doubt",
    "unlisted_at",
    "absent_at",
  ].map((name) => `event.${name}`)
  const rows: Omit<Row, "isShown">[] = await trx("svc_live_event AS event")
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
  const shown = new Set(
    [...groupBy(rows, (row) => row.event_id).values()].map(
      (families) =>
        shownRow(
          families.map((row) => ({
            ...row,
            absent: row.absent_at !== null,
            deleted: isDeleted(row),
          })),
        )?.id,
    ),
  )
  return new Map(
    rows
      .filter((row) => row.kind === kind)
      .map((row) => [row.event_id, { ...row, isShown: shown.has(row.id) }]),
  )
}

const listedRecord = (row: Row): ListedRecord => {
  const { occurredAt, rank, hash, sightings, doubtful } = mergedOf(row)
  return {
    occurredAt,
    rank,
    hash,
    sightings,
    doubtful,
    isShown: row.isShown,
    stage: stageOf(row),
    writtenAt: row.heard_at?.getTime() ?? Number.NEGATIVE_INFINITY,
    heardAt: latest(row.heard_at, row.products_heard_at),
    soldAt: row.sold_at?.getTime() ?? null,
    doubt: row.doubt,
    unlistedAt: row.unlisted_at?.getTime() ?? null,
  }
}

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
