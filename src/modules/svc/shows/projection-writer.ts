import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Family } from "../../../contract"
import { rawNumber } from "../shared/big-number"
import { groupBy } from "../shared/group-by"
import { lockShows } from "../shared/shows-lock"
import { newId } from "../shared/ulid"
import {
  type Announcement,
  announceEvent,
  announceProduct,
  type EventState,
  type ProductState,
  shownRow,
} from "./announcements"
import {
  applyWrite,
  familiesContradict,
  isDeleted,
  isResend,
  type Merged,
  type Sighting,
  shows,
  type Write,
  withContent,
} from "./merge"
import type { EventWrite, ProductVariant, ProductWrite } from "./read-write"

/** What a write did: the record shows it, something later was known already, or it repeated what was known (gap 2). */
export type WriteOutcome = "applied" | "stale" | "duplicate"

/** What became of each write, in the order given, and what has to be announced once everything is committed. */
export type Applied = { outcomes: WriteOutcome[]; announcements: Announcement[] }

/** The columns that the merge decides by; the driver hands times over as dates and JSON as values. */
export type RecordRow = {
  id: string
  kind: Family
  occurred_at: Date
  rank: number
  hash: string
  sightings: StoredSighting[]
  alive_at: Date | null
  needs_reread: boolean
  heard_at: Date | null
  deleted_in_svc_at: Date | null
  /** Events only. */
  absent_at?: Date | null
}

export const RECORD_COLUMNS = [
  "id",
  "kind",
  "occurred_at",
  "rank",
  "hash",
  "sightings",
  "alive_at",
  "needs_reread",
  "heard_at",
  "deleted_in_svc_at",
] as const

/** `Sighting` as a JSON column holds it: short, because each row has several. */
export type StoredSighting = [
  emission: string | null,
  rank: number,
  hash: string,
  first: number,
  last: number,
  source?: string | null,
  tentative?: boolean,
  lean?: boolean,
]

const readSightings = (stored: StoredSighting[]): Sighting[] =>
  stored.map(([emission, rank, hash, first, last, source = null, tentative, lean]) => ({
    emission,
    rank,
    hash,
    first,
    last,
    source,
    ...(tentative ? { tentative } : {}),
    ...(lean ? { lean } : {}),
  }))

/** The last that was told of a record, in ms since the epoch by the service's clock. */
export const latestOfSightings = (stored: StoredSighting[]): number =>
  Math.max(...readSightings(stored).map(({ last }) => last))

/** A record as its row has it. The content is left in the database: only a winning write brings content. */
export const mergedOf = (row: RecordRow): Merged<null> => ({
  occurredAt: row.occurred_at.getTime(),
  rank: row.rank,
  hash: row.hash,
  content: null,
  sightings: readSightings(row.sightings),
  aliveAt: row.alive_at?.getTime() ?? null,
  doubtful: row.needs_reread,
  // Looked for again with the next write, where it was not found.
  lacking: null,
})

/** The columns that a merge changes beside the content. */
const mergeColumns = (record: Merged<unknown>) => ({
  occurred_at: new Date(record.occurredAt),
  rank: record.rank,
  hash: record.hash,
  sightings: JSON.stringify(
    record.sightings.map(
      ({
        emission,
        rank,
        hash,
        first,
        last,
        source,
        tentative = false,
        lean = false,
      }): StoredSighting => [emission, rank, hash, first, last, source, tentative, lean],
    ),
  ),
  alive_at: record.aliveAt === null ? null : new Date(record.aliveAt),
  needs_reread: record.doubtful,
  deleted_in_svc_at: isDeleted(record) ? new Date(record.occurredAt) : null,
})

/** How one kind of record lies in its table. */
type Table<W extends Write<unknown>, Row extends RecordRow, State> = {
  name: string
  /** Columns of the unique key beside `connection_id` and `kind`. */
  key: readonly string[]
  keyOf: (write: W) => string[]
  contentColumns: readonly string[]
  content: (write: W) => Record<string, unknown>
  /** What is read of a row beside `RecordRow`, to see what changed for people. */
  stateColumns: readonly string[]
  stateOfRow: (row: Row) => State
  stateOfWrite: (write: W) => State
  announce: (connectionId: string, before: State | null, after: State) => Announcement[]
  idPrefix: string
}

/** Reads deliveries of the inbox again, as writes. */
type ToldBefore<W> = (deliveryIds: string[]) => Promise<W[]>

/** Written with every winning write: what a listing said against the record is settled by it. */
const NO_DOUBT = { doubt: null, unlisted_at: null, absent_at: null }

type EventRow = RecordRow & {
  event_id: string
  campaign_uid: string
  name: string
  status: string
  is_published: boolean
  cover_url: string | null
  absent_at: Date | null
}

const EVENTS: Table<EventWrite, EventRow, EventState> = {
  name: "svc_live_event",
  key: ["event_id"],
  keyOf: (write) => [write.eventId],
  contentColumns: [
    "campaign_uid",
    "name",
    "status",
    "is_published",
    "starts_at",
    "live_started_at",
    "live_ended_at",
    "deadline",
    "cover_url",
    "data",
    ...Object.keys(NO_DOUBT),
  ],
  content: ({ content }) => ({ ...content, data: JSON.stringify(content.data), ...NO_DOUBT }),
  stateColumns: ["campaign_uid", "name", "status", "is_published", "cover_url", "absent_at"],
  stateOfRow: (row) => ({
    event_id: row.event_id,
    kind: row.kind,
    campaign_uid: row.campaign_uid,
    name: row.name,
    status: row.status,
    is_published: row.is_published,
    cover_url: row.cover_url,
    deleted: row.deleted_in_svc_at !== null || row.absent_at !== null,
    hash: row.hash,
  }),
  stateOfWrite: ({ eventId, kind, rank, hash, content }) => ({
    event_id: eventId,
    kind,
    campaign_uid: content.campaign_uid,
    name: content.name,
    status: content.status,
    is_published: content.is_published,
    cover_url: content.cover_url,
    deleted: isDeleted({ rank }),
    hash,
  }),
  announce: announceEvent,
  idPrefix: "svcev",
}

type ProductRow = RecordRow & {
  uid: string
  campaign_uid: string
  external_id: string | null
  price: string | null
  available: boolean
  variants: ProductVariant[]
}

const PRODUCTS: Table<ProductWrite, ProductRow, ProductState> = {
  name: "svc_event_product",
  key: ["campaign_uid", "uid"],
  keyOf: (write) => [write.campaignUid, write.uid],
  contentColumns: [
    "sku",
    "external_id",
    "name",
    "price",
    "raw_price",
    "suggested_retail_price",
    "raw_suggested_retail_price",
    "available",
    "min_purchase_qty",
    "max_qty_per_customer",
    "variants",
    "data",
  ],
  content: ({ content }) => ({
    ...content,
    raw_price: rawNumber(content.price),
    raw_suggested_retail_price: rawNumber(content.suggested_retail_price),
    variants: JSON.stringify(content.variants),
    data: JSON.stringify(content.data),
  }),
  stateColumns: ["external_id", "price", "available", "variants"],
  stateOfRow: (row) => ({
    uid: row.uid,
    campaign_uid: row.campaign_uid,
    external_id: row.external_id,
    price: row.price === null ? null : Number(row.price),
    available: row.available,
    variants: row.variants,
    deleted: row.deleted_in_svc_at !== null,
    hash: row.hash,
  }),
  stateOfWrite: ({ uid, campaignUid, rank, hash, content }) => ({
    uid,
    campaign_uid: campaignUid,
    external_id: content.external_id,
    price: content.price,
    available: content.available,
    variants: content.variants,
    deleted: isDeleted({ rank }),
    hash,
  }),
  announce: announceProduct,
  idPrefix: "svcevp",
}

/** `heard_at` of a record that a delivery did not change is for telling hours apart: it need not be written each time. */
const HEARD_EVERY = "5 minutes"

/** A transaction in which nobody else writes the records of one connection. */
export type ShowsTransaction = Knex.Transaction & { readonly connectionId: string }

/**
 * Takes the records of a connection for the rest of the transaction: two writers of one connection wait for each other,
 * so neither has to mind rows that the other inserts.
 *
 * @returns null where the connection is gone
 */
async function takeShows(
  trx: Knex.Transaction,
  connectionId: string,
): Promise<ShowsTransaction | null> {
  await lockShows(trx, connectionId)
  const connection = await trx("svc_connection")
    .where({ id: connectionId })
    .whereNull("deleted_at")
    .first("id")
  return connection ? Object.assign(trx, { connectionId }) : null
}

/** Writes our copy of live events and their products: reads what is there, lets `merge.ts` decide, writes the result. */
export class ProjectionWriter {
  constructor(private readonly knex: Knex) {}

  /** Runs in a transaction that has the connection's records; null where the connection is gone. */
  write<T>(connectionId: string, run: (trx: ShowsTransaction) => Promise<T>): Promise<T | null> {
    return this.knex.transaction(async (trx) => {
      const taken = await takeShows(trx, connectionId)
      return taken && (await run(taken))
    })
  }

  /** Merges what deliveries told of events. */
  applyEvents(
    trx: ShowsTransaction,
    writes: EventWrite[],
    toldBefore: ToldBefore<EventWrite>,
  ): Promise<Applied> {
    return apply(trx, EVENTS, writes, toldBefore)
  }

  /** Merges what deliveries told of products. */
  applyProducts(
    trx: ShowsTransaction,
    writes: ProductWrite[],
    toldBefore: ToldBefore<ProductWrite>,
  ): Promise<Applied> {
    return apply(trx, PRODUCTS, writes, toldBefore)
  }

  /** Merges what a listing shows; the times of the writes are those that `judgeListed` gave them. */
  applyListed(trx: ShowsTransaction, writes: EventWrite[]): Promise<Applied> {
    return apply(trx, EVENTS, writes, null)
  }

  /** Merges what price lookups told of products. */
  applyLookedUp(trx: ShowsTransaction, writes: ProductWrite[]): Promise<Applied> {
    return apply(trx, PRODUCTS, writes, null)
  }

  /** Marks products that a lookup did not settle. */
  async markUnsettled(trx: ShowsTransaction, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await trx("svc_event_product")
      .whereIn("id", ids)
      .where({ needs_reread: false })
      .update({ needs_reread: true, updated_at: trx.fn.now() })
  }

  /** The database's clock, in ms since the epoch: what the times of rows are compared with. */
  async now(): Promise<number> {
    const { rows } = await this.knex.raw<{ rows: { now: Date }[] }>("SELECT now() AS now")
    const [row] = rows
    if (!row) throw new Error("The database did not tell its time.")
    return row.now.getTime()
  }
}

/** @param toldBefore null for what no delivery told: it is no sign of life, and brings its content itself */
async function apply<W extends Write<unknown> & { kind: Family }, Row extends RecordRow, State>(
  trx: ShowsTransaction,
  table: Table<W, Row, State>,
  writes: W[],
  toldBefore: ToldBefore<W> | null,
): Promise<Applied> {
  if (writes.length === 0) return { outcomes: [], announcements: [] }
  const { connectionId } = trx
  const keys = new Map(writes.map((write) => [keyText(table.keyOf(write)), table.keyOf(write)]))
  const rows: (Row & Record<string, unknown>)[] = await trx(table.name)
    .select([...new Set([...table.key, ...RECORD_COLUMNS, ...table.stateColumns])])
    .where({ connection_id: connectionId })
    .whereNull("deleted_at")
    .whereIn([...table.key], [...keys.values()])

  const known = groupBy(rows, (row) => keyText(table.key.map((name) => row[name])))
  const outcomes = new Map<W, WriteOutcome>()
  const folded = [
    ...groupBy(writes, (write) => keyText([table.keyOf(write), write.kind])).values(),
  ].map((own) => foldOne(table, known, own, outcomes))
  const complete = await withLackingContents(
    folded,
    new Map(writes.map((write) => [write.hash, write])),
    toldBefore,
  )
  const records = complete.map((folded) => ({
    ...folded,
    record: withFamilies(folded, complete, known.get(folded.key) ?? []),
  }))

  const announcements: Announcement[] = []
  for (const [key, changed] of groupBy(records, (record) => record.key)) {
    const before = (known.get(key) ?? []).map((row) => shownBy(table, row))
    const after = new Map(before.map((shown) => [shown.kind, shown]))
    for (const { kind, record } of changed) {
      const state = record.content ? table.stateOfWrite(record.content) : after.get(kind)?.state
      if (state !== undefined) after.set(kind, shownAfter(kind, record, state))
    }
    const [was, is] = [shownRow(before), shownRow([...after.values()])]
    if (is) announcements.push(...table.announce(connectionId, was?.state ?? null, is.state))
  }

  const heard = toldBefore === null ? {} : { heard_at: trx.fn.now() }
  await insertOrUpdate(
    trx,
    table,
    records
      .filter(({ isChanged }) => isChanged)
      .map(({ id, key, kind, record }) => ({
        id,
        connection_id: connectionId,
        kind,
        ...Object.fromEntries(table.key.map((name, index) => [name, keys.get(key)?.[index]])),
        ...(record.content ? table.content(record.content) : {}),
        ...mergeColumns(record),
        ...heard,
        updated_at: trx.fn.now(),
      })),
  )
  const unchanged = records.filter(({ isChanged }) => !isChanged).map(({ id }) => id)
  if (toldBefore !== null && unchanged.length > 0) {
    await trx(table.name)
      .whereIn("id", unchanged)
      .whereRaw(`(heard_at IS NULL OR heard_at < now() - interval '${HEARD_EVERY}')`)
      .update(heard)
  }
  return { outcomes: writes.map((write) => outcomes.get(write) ?? "stale"), announcements }
}

/** A record after the writes of a batch. Its content is the write that brought it, null where the row has it. */
type Folded<W> = {
  id: string
  key: string
  kind: Family
  record: Merged<W | null>
  isChanged: boolean
}

/** Merges writes of one record, one after the other; a write that another one of the same batch replaces was applied. */
function foldOne<W extends Write<unknown> & { kind: Family }, Row extends RecordRow, State>(
  table: Table<W, Row, State>,
  known: Map<string, Row[]>,
  [first, ...more]: W[],
  outcomes: Map<W, WriteOutcome>,
): Folded<W> {
  if (!first) throw new Error("A record without writes is not folded.")
  const key = keyText(table.keyOf(first))
  const row = known.get(key)?.find(({ kind }) => kind === first.kind)
  const before: Merged<W | null> | null = row ? mergedOf(row) : null
  const merge = (record: Merged<W | null> | null, write: W): Merged<W | null> => {
    const repeats = isResend(record, write)
    const merged = applyWrite<W | null>(record, { ...write, content: write })
    outcomes.set(write, repeats ? "duplicate" : shows(merged, write) ? "applied" : "stale")
    return merged
  }
  const record = more.reduce(merge, merge(before, first))
  return {
    id: row?.id ?? newId(table.idPrefix),
    key,
    kind: first.kind,
    record,
    isChanged: record !== before,
  }
}

/**
 * Completes records whose winner is a change that was told before and had lost: a re-send with another time can make it
 * the latest after all. Its content is in this batch, or in the delivery that told it.
 */
async function withLackingContents<W extends Write<unknown>>(
  records: Folded<W>[],
  ofBatch: Map<string, W>,
  toldBefore: ToldBefore<W> | null,
): Promise<Folded<W>[]> {
  const lacking = records.flatMap(({ record }) => record.lacking ?? [])
  if (lacking.length === 0) return records
  const sources = lacking
    .filter(({ hash }) => !ofBatch.has(hash))
    .flatMap(({ source }) => source ?? [])
  const fetched = toldBefore ? await toldBefore(sources) : []
  const contents = new Map([...fetched.map((write) => [write.hash, write] as const), ...ofBatch])
  return records.map((folded) => {
    const { record } = folded
    const content = record.lacking && contents.get(record.lacking.hash)
    // One that was trimmed stays lacking: the record shows what it showed, and is read again.
    return content ? { ...folded, record: withContent<W | null>(record, content) } : folded
  })
}

/** The record, flagged where the other topic family may have shown it alive as late (gap 6). */
function withFamilies<W>(
  { key, kind, record, isChanged }: Folded<W>,
  batch: Folded<W>[],
  rows: RecordRow[],
): Merged<W | null> {
  if (!isChanged || record.doubtful) return record
  const inBatch = batch.filter((other) => other.key === key && other.kind !== kind)
  const stored = rows.filter(
    (row) =>
      row.kind !== kind &&
      row.absent_at == null &&
      !inBatch.some((other) => other.kind === row.kind),
  )
  const others = [...inBatch.map((other) => other.record), ...stored.map((row) => mergedOf(row))]
  const doubtful = others.some((other) => familiesContradict(record, other))
  return doubtful ? { ...record, doubtful } : record
}

type Shown<State> = {
  kind: Family
  alive_at: Date | null
  occurred_at: Date
  absent: boolean
  deleted: boolean
  state: State
}

const shownBy = <Row extends RecordRow, State>(
  table: Pick<Table<never, Row, State>, "stateOfRow">,
  row: Row,
): Shown<State> => ({
  kind: row.kind,
  alive_at: row.alive_at,
  occurred_at: row.occurred_at,
  absent: row.absent_at != null,
  deleted: row.deleted_in_svc_at !== null,
  state: table.stateOfRow(row),
})

const shownAfter = <State>(kind: Family, record: Merged<unknown>, state: State): Shown<State> => ({
  kind,
  alive_at: record.aliveAt === null ? null : new Date(record.aliveAt),
  occurred_at: new Date(record.occurredAt),
  // Whatever brings new content says that it is there again.
  absent: false,
  deleted: isDeleted(record),
  state,
})

async function insertOrUpdate(
  trx: ShowsTransaction,
  table: { name: string; key: readonly string[]; contentColumns: readonly string[] },
  changed: Record<string, unknown>[],
): Promise<void> {
  const complete = changed.filter((row) => "data" in row)
  if (complete.length > 0) {
    const columns = Object.keys(complete[0] ?? {}).filter(
      (name) => !["id", "connection_id", "kind", ...table.key].includes(name),
    )
    await trx(table.name)
      .insert(complete)
      .onConflict(
        trx.raw(`(${["connection_id", ...table.key, "kind"].join(", ")}) WHERE deleted_at IS NULL`),
      )
      .merge(columns)
  }
  // A record that learned of another sighting and still shows what it showed keeps its content.
  for (const { id, connection_id, kind, ...columns } of changed.filter((row) => !("data" in row))) {
    await trx(table.name)
      .where({ id: String(id) })
      .update(
        Object.fromEntries(Object.entries(columns).filter(([name]) => !table.key.includes(name))),
      )
  }
}

/** Ids are the service's and may hold anything: a JSON list of them is unmistakable. */
const keyText = (key: unknown[]): string => JSON.stringify(key)
