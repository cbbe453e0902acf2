import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { Family } from "../../../contract"
import { rawNumber } from "../shared/big-number"
import {
  applyWrite,
  isDeleted,
  type ListingTime,
  listedAt,
  type Merged,
  RANK,
  shows,
  type Write,
} from "./merge"
import type { EventContent, EventWrite, ProductContent, ProductWrite } from "./read-write"

/** What a write did: the record shows it now, or it showed something later already. */
export type WriteOutcome = "applied" | "stale"

type RecordRow = {
  id: string
  occurred_at: Date
  rank: number
  hash: string
  alive_at: Date | null
  needs_reread: boolean
  updated_at: Date
}

/** Gives a write its place in the order of writes; null where it must not touch the record. */
type Place<W> = (row: RecordRow | null, write: W) => W | null
const asTold = <W>(_row: RecordRow | null, write: W): W => write

/** The columns of one kind of record. */
type Table<W extends Write<unknown>> = {
  name: string
  /** Columns of the unique key beside `connection_id`. */
  key: readonly string[]
  keyOf: (write: W) => string[]
  contentColumns: readonly string[]
  content: (write: W) => Record<string, unknown>
  idPrefix: string
}

const EVENTS: Table<EventWrite> = {
  name: "svc_live_event",
  key: ["event_id", "kind"],
  keyOf: (write) => [write.eventId, write.kind],
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
  ],
  content: ({ content }) => ({ ...content, data: JSON.stringify(content.data) }),
  idPrefix: "svcev",
}

const PRODUCTS: Table<ProductWrite> = {
  name: "svc_event_product",
  key: ["campaign_uid", "uid", "kind"],
  keyOf: (write) => [write.campaignUid, write.uid, write.kind],
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
  idPrefix: "svcevp",
}

/**
 * If more than this many events are missing, and more than half of those we know, the listing is taken to be
 * incomplete.
 */
const MANY_MISSING = 3

/**
 * A merge is repeated when another worker inserted the same record first. More than one repetition is not expected.
 */
const MAX_ROUNDS = 5

/** Writes our copy of live events and their products: reads what is there, lets `merge.ts` decide, writes the result. */
export class ProjectionWriter {
  constructor(private readonly knex: Knex) {}

  /** Merges event writes of one connection; outcomes in the order of the writes. */
  applyEvents(connectionId: string, writes: EventWrite[]): Promise<WriteOutcome[]> {
    return this.#apply<EventContent, EventWrite>(EVENTS, connectionId, writes, asTold)
  }

  /** Merges product writes of one connection; outcomes in the order of the writes. */
  applyProducts(connectionId: string, writes: ProductWrite[]): Promise<WriteOutcome[]> {
    return this.#apply<ProductContent, ProductWrite>(PRODUCTS, connectionId, writes, asTold)
  }

  /** Merges events as a listing shows them, each at the time that `listedAt` gives it. */
  applyListing(
    connectionId: string,
    writes: EventWrite[],
    listing: ListingTime,
  ): Promise<WriteOutcome[]> {
    return this.#apply<EventContent, EventWrite>(EVENTS, connectionId, writes, (row, write) => {
      const record = row && { ...watermarkOf(row), writtenAt: row.updated_at.getTime() }
      // A state that the record shows already is no news. Only a tie is settled by seeing it again (gap 3).
      if (record && record.hash === write.hash && !record.tied && !isDeleted(record)) return null
      const occurredAt = listedAt(record, listing)
      return occurredAt === null ? null : { ...write, occurredAt }
    })
  }

  /** The database's clock, in ms since the epoch: what `updated_at` is compared with. */
  async now(): Promise<number> {
    const { rows } = await this.knex.raw<{ rows: { now: Date }[] }>("SELECT now() AS now")
    return rows[0]?.now.getTime() ?? Date.now()
  }

  /**
   * Marks events of a family as deleted that a complete listing does not show: their deletion was missed (gap 20).
   *
   * @returns how many; null, with nothing marked, where so many are missing that the listing looks incomplete: an
   * incomplete listing must not end all shows
   */
  async markUnlisted(
    connectionId: string,
    kind: Family,
    listedIds: string[],
    listing: ListingTime,
  ): Promise<number | null> {
    return this.knex.transaction(async (trx) => {
      const rows = await trx("svc_live_event")
        .select<(RecordRow & { event_id: string })[]>("event_id", ...RECORD_COLUMNS)
        .where({ connection_id: connectionId, kind })
        .whereNull("deleted_at")
        .whereNull("deleted_in_svc_at")
        .orderBy("id")
        .forUpdate()
      const listed = new Set(listedIds)
      const missing = rows.filter((row) => !listed.has(row.event_id))
      if (missing.length > MANY_MISSING && missing.length > rows.length / 2) return null
      let marked = 0
      for (const row of missing) {
        const record = { ...watermarkOf(row), writtenAt: row.updated_at.getTime() }
        const occurredAt = listedAt(record, listing)
        if (occurredAt === null) continue
        const tombstone = { ...record, occurredAt, rank: RANK.deleted, tied: false, content: null }
        await trx("svc_live_event")
          .where({ id: row.id })
          .update({ ...watermarkColumns(tombstone), updated_at: trx.fn.now() })
        marked += 1
      }
      return marked
    })
  }

  /**
   * Locks the records that exist, merges in memory, and writes what changed in one statement. Where another worker
   * inserted the same record first, its row has another id, our upsert does not touch it, and the merge is repeated.
   * Keys are locked and inserted in one order, so that two workers wait for each other and never deadlock.
   */
  async #apply<Content, W extends Write<Content>>(
    table: Table<W>,
    connectionId: string,
    writes: W[],
    place: Place<W>,
  ): Promise<WriteOutcome[]> {
    const outcomes = new Map<W, WriteOutcome>()
    let open = writes
    for (let round = 0; open.length > 0; round += 1) {
      if (round === MAX_ROUNDS) throw new Error(`${table.name}: too many concurrent writers.`)
      const missed = await this.knex.transaction((trx) =>
        this.#fold(trx, table, connectionId, open, place, outcomes),
      )
      open = open.filter((write) => missed.has(keyText(table.keyOf(write))))
    }
    return writes.map((write) => outcomes.get(write) ?? "stale")
  }

  async #fold<Content, W extends Write<Content>>(
    trx: Knex.Transaction,
    table: Table<W>,
    connectionId: string,
    writes: W[],
    place: Place<W>,
    outcomes: Map<W, WriteOutcome>,
  ): Promise<Set<string>> {
    const keys = new Map(writes.map((write) => [keyText(table.keyOf(write)), table.keyOf(write)]))
    const sorted = [...keys.keys()].sort()
    const rows = await trx(table.name)
      .select<(RecordRow & Record<string, unknown>)[]>([...table.key, ...RECORD_COLUMNS])
      .where({ connection_id: connectionId })
      .whereNull("deleted_at")
      .whereIn([...table.key], [...keys.values()])
      .orderBy("id")
      .forUpdate()
    const known = new Map(rows.map((row) => [keyText(table.key.map((name) => row[name])), row]))

    const changed: Record<string, unknown>[] = []
    const keyOfId = new Map<string, string>()
    for (const key of sorted) {
      const row = known.get(key)
      // The stored content is not read: only a write that wins brings content.
      let record: Merged<W | null> | null = row ? { ...watermarkOf(row), content: null } : null
      const before = record
      for (const write of writes) {
        if (keyText(table.keyOf(write)) !== key) continue
        const placed = place(row ?? null, write)
        if (placed) record = applyWrite<W | null>(record, { ...placed, content: placed })
        // Decided write by write: a creation that a later update of the same batch replaces was applied all the same.
        outcomes.set(write, placed && record && shows(record, placed) ? "applied" : "stale")
      }
      if (!record || record === before) continue
      const id = row?.id ?? generateEntityId(undefined, table.idPrefix)
      keyOfId.set(id, key)
      changed.push({
        id,
        connection_id: connectionId,
        ...Object.fromEntries(table.key.map((name, index) => [name, keys.get(key)?.[index]])),
        ...(record.content ? table.content(record.content) : {}),
        ...watermarkColumns(record),
        updated_at: trx.fn.now(),
      })
    }
    const missed = new Set(keyOfId.values())
    const complete = changed.filter((row) => "data" in row)
    if (complete.length > 0) {
      const written = await trx(table.name)
        .insert(complete)
        .onConflict(
          trx.raw(`(${["connection_id", ...table.key].join(", ")}) WHERE deleted_at IS NULL`),
        )
        .merge([...table.contentColumns, ...WATERMARK_COLUMNS, "updated_at"])
        .where(`${table.name}.id`, trx.raw("EXCLUDED.id"))
        .returning<{ id: string }[]>("id")
      for (const { id } of written) missed.delete(keyOfId.get(id) ?? "")
    }
    // Records whose content stays: only the tie or the last sign of life changed. We hold the lock of their rows.
    for (const { id, alive_at, needs_reread } of changed.filter((row) => !("data" in row))) {
      await trx(table.name).where({ id }).update({ alive_at, needs_reread })
      missed.delete(keyOfId.get(String(id)) ?? "")
    }
    return missed
  }
}

const RECORD_COLUMNS = [
  "id",
  "occurred_at",
  "rank",
  "hash",
  "alive_at",
  "needs_reread",
  "updated_at",
]

const WATERMARK_COLUMNS = [
  "occurred_at",
  "rank",
  "hash",
  "alive_at",
  "needs_reread",
  "deleted_in_svc_at",
]

const watermarkColumns = (record: Merged<unknown>) => ({
  occurred_at: new Date(record.occurredAt),
  rank: record.rank,
  hash: record.hash,
  alive_at: record.aliveAt === null ? null : new Date(record.aliveAt),
  needs_reread: record.tied,
  deleted_in_svc_at: isDeleted(record) ? new Date(record.occurredAt) : null,
})

const watermarkOf = (row: RecordRow) => ({
  occurredAt: row.occurred_at.getTime(),
  rank: row.rank,
  hash: row.hash,
  aliveAt: row.alive_at?.getTime() ?? null,
  tied: row.needs_reread,
})

/** Ids come from the service and may contain any separator; a JSON list of them is unambiguous. */
const keyText = (key: unknown[]): string => JSON.stringify(key)
