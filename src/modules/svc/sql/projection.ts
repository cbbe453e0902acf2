import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { Family } from "../../../contract"
import {
  applyWrite,
  type EventContent,
  type EventWrite,
  isDeleted,
  type ListingTime,
  listedAt,
  type Merged,
  type ProductContent,
  type ProductVariant,
  type ProductWrite,
  RANK,
  shows,
  type Write,
} from "../apply"

/** An event as it stands over both families (gap 6). */
export type KnownEvent = {
  id: string
  connection_id: string
  event_id: string
  kind: Family
  campaign_uid: string
  name: string
  status: string
  is_published: boolean
  starts_at: Date | null
  live_started_at: Date | null
  live_ended_at: Date | null
  deadline: Date | null
  cover_url: string | null
  deleted_at: Date | null
  occurred_at: Date
  needs_reread: boolean
}

/** A product in a campaign as it stands over both families. Prices in major units of the campaign's currency. */
export type KnownEventProduct = {
  id: string
  connection_id: string
  uid: string
  kind: Family
  sku: string | null
  external_id: string | null
  campaign_uid: string
  name: string
  price: number | null
  suggested_retail_price: number | null
  available: boolean
  min_purchase_qty: number | null
  max_qty_per_customer: number | null
  variants: ProductVariant[]
  deleted_at: Date | null
  occurred_at: Date
}

/** What a write did: it is what the record shows, or something later was known already. */
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

/** How one kind of record lies in its table. */
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

/** Medusa's companion column of a big number. */
const rawNumber = (amount: number | null): string | null =>
  amount === null ? null : JSON.stringify({ value: String(amount), precision: 20 })

/** More missing than this, and more than half of what is known, and a listing is taken for a part of one. */
const MANY_MISSING = 3

/** A fold is repeated when another worker inserted the same record meanwhile; it never happens twice in practice. */
const MAX_ROUNDS = 5

/** Our copy of live events and their products: written by `apply.ts`, read merged over both families. */
export class ProjectionRows {
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
      // What the record shows already is not news; only a tie is settled by seeing it again (gap 3).
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
   * Marks events of a family as gone that a complete listing does not show (gap 20): their deletion was missed.
   *
   * @returns how many; or `null`, and nothing is marked, where so many are missing that the listing is not to be
   *   believed: one that shows only a part must not end all shows
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
   * Locks the records that are there, merges in memory, writes what changed in one statement. A record that
   * another worker inserted in between keeps its own id, so our upsert does not touch it and it is done again.
   * Keys are locked and inserted in one order, so that two workers wait for each other but never in a circle.
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
      // The content of a record that stays is never read: only a winning write brings content.
      let record: Merged<W | null> | null = row ? { ...watermarkOf(row), content: null } : null
      const before = record
      for (const write of writes) {
        if (keyText(table.keyOf(write)) !== key) continue
        const placed = place(row ?? null, write)
        if (placed) record = applyWrite<W | null>(record, { ...placed, content: placed })
        // Told at its turn: a creation that an update of the same batch replaces was applied all the same.
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
    // What only learned of a tie or of an earlier sign of life keeps its content; its row is locked by us.
    for (const { id, alive_at, needs_reread } of changed.filter((row) => !("data" in row))) {
      await trx(table.name).where({ id }).update({ alive_at, needs_reread })
      missed.delete(keyOfId.get(String(id)) ?? "")
    }
    return missed
  }

  /** Events merged over both families, those of deleted connections left out. */
  async listEvents(query: EventQuery): Promise<{ events: KnownEvent[]; count: number }> {
    const merged = this.#mergedEvents((rows) => {
      const { connection_id } = query.filters
      if (connection_id) rows.whereIn("e.connection_id", connection_id)
    })
    return this.#page(this.knex.from(merged.as("merged")), query)
  }

  async #page(
    found: Knex.QueryBuilder,
    { filters, order, limit, offset }: EventQuery,
  ): Promise<{ events: KnownEvent[]; count: number }> {
    found.where((where) => {
      for (const name of EVENT_FILTERS) {
        if (filters[name]) where.whereRaw("??::text = ANY(?)", [name, filters[name]])
      }
      if (filters.q) where.whereILike("name", `%${filters.q}%`)
    })
    const [column, direction] = Object.entries(order)[0] ?? []
    const [events, counted] = await Promise.all([
      found
        .clone()
        .select<KnownEvent[]>("*")
        .modify((rows) => {
          if (column)
            rows.orderByRaw(`?? ${direction === "ASC" ? "ASC" : "DESC"} NULLS LAST`, column)
        })
        .orderByRaw(
          "CASE status WHEN 'live' THEN 0 WHEN 'planned' THEN 1 ELSE 2 END, starts_at NULLS LAST, id",
        )
        .limit(limit)
        .offset(offset),
      found.clone().count<{ count: string }[]>("* as count"),
    ])
    return { events, count: Number(counted[0]?.count ?? 0) }
  }

  /** @param id our id of one of its rows, whichever family it came in, or the service's event id */
  async event(id: string): Promise<KnownEvent | null> {
    const merged = this.#mergedEvents((rows) =>
      rows.whereIn(
        ["e.connection_id", "e.event_id"],
        this.knex("svc_live_event")
          .select("connection_id", "event_id")
          .where({ id })
          .orWhere({ event_id: id }),
      ),
    )
    return (await merged)[0] ?? null
  }

  /** Published events that are coming, running, or open shoppables (`clip`), running ones first. */
  async announcedEvents(
    connectionIds: string[],
    query: EventQuery,
  ): Promise<{ events: KnownEvent[]; count: number }> {
    const merged = this.#mergedEvents((rows) => rows.whereIn("e.connection_id", connectionIds))
    const announced = this.knex
      .from(merged.as("merged"))
      .where({ is_published: true })
      .whereNull("deleted_at")
      .whereIn("status", ["live", "planned", "clip"])
      .where((open) => open.whereNull("deadline").orWhere("deadline", ">", this.knex.fn.now()))
    return this.#page(announced, query)
  }

  /**
   * What is known of a campaign: its event as the latest delivery or listing told it (interface §6.2 rule 2).
   * `null` where nothing was told yet, which says nothing about the campaign. `isOnSale()` reads it.
   */
  async campaign(connectionId: string, campaignUid: string): Promise<KnownEvent | null> {
    const merged = this.#mergedEvents((rows) =>
      rows
        .where("e.connection_id", connectionId)
        .whereIn(
          "e.event_id",
          this.knex("svc_live_event")
            .select("event_id")
            .where({ connection_id: connectionId, campaign_uid: campaignUid }),
        ),
    )
    const [event] = await this.knex
      .select<KnownEvent[]>("*")
      .from(merged.as("merged"))
      .where({ campaign_uid: campaignUid })
      .orderByRaw("deleted_at IS NULL DESC, occurred_at DESC")
      .limit(1)
    return event ?? null
  }

  /** The show of a campaign for the books: one that was deleted, or whose connection was, still has its name. */
  async showOf(
    connectionId: string,
    campaignUid: string,
  ): Promise<{ event_id: string; name: string } | null> {
    const show = await this.knex("svc_live_event")
      .where({ connection_id: connectionId, campaign_uid: campaignUid })
      .whereNull("deleted_at")
      .orderByRaw("deleted_in_svc_at IS NULL DESC, occurred_at DESC")
      .first<{ event_id: string; name: string } | undefined>("event_id", "name")
    return show ?? null
  }

  /** Products of campaigns, merged over both families, in the show's order. Deleted ones too: see `deleted_at`. */
  async productsOf(connectionId: string, campaignUids: string[]): Promise<KnownEventProduct[]> {
    if (campaignUids.length === 0) return []
    const rows = await this.knex
      .select<ProductRow[]>("*")
      .from(
        this.#mergedProducts((products) =>
          products.where({ connection_id: connectionId }).whereIn("campaign_uid", campaignUids),
        ).as("merged"),
      )
      .orderByRaw("sorting NULLS LAST, name, uid")
    return rows.map(knownProduct)
  }

  /** How many products each event's campaign has now, by `connection_id` and `campaign_uid`. */
  async countProducts(events: KnownEvent[]): Promise<Map<KnownEvent, number>> {
    const pairs = events.map((event) => [event.connection_id, event.campaign_uid])
    if (pairs.length === 0) return new Map()
    const rows = await this.knex
      .select<{ connection_id: string; campaign_uid: string; count: string }[]>(
        "connection_id",
        "campaign_uid",
        this.knex.raw("count(*) AS count"),
      )
      .from(
        this.#mergedProducts((products) =>
          products.whereIn(["connection_id", "campaign_uid"], pairs),
        ).as("merged"),
      )
      .whereNull("deleted_at")
      .groupBy("connection_id", "campaign_uid")
    const counts = new Map(
      rows.map((row) => [keyText([row.connection_id, row.campaign_uid]), Number(row.count)]),
    )
    return new Map(
      events.map((event) => [
        event,
        counts.get(keyText([event.connection_id, event.campaign_uid])) ?? 0,
      ]),
    )
  }

  /**
   * Products of a campaign that bear one of the shop's ids: as product, as one of its variants, or as sku.
   * Empty where none was told, which does not mean that it is not in the campaign: ask the price lookup.
   */
  async eventProducts(
    connectionId: string,
    campaignUid: string,
    externalIds: string[],
  ): Promise<KnownEventProduct[]> {
    const ids = new Set(externalIds)
    const products = await this.productsOf(connectionId, [campaignUid])
    return products.filter(({ external_id, sku, variants }) =>
      [external_id, sku, ...variants.flatMap((variant) => [variant.external_id, variant.sku])].some(
        (id) => id !== null && ids.has(id),
      ),
    )
  }

  /**
   * Gap 6: the event is in the family that showed it alive last, and gone when that family says so. A late
   * deletion in the family it left does not hide it, and one that left without a deletion does not haunt.
   */
  #mergedEvents(restrict: (rows: Knex.QueryBuilder) => unknown) {
    return this.knex
      .select<KnownEvent[]>(this.knex.raw("DISTINCT ON (e.connection_id, e.event_id) e.id"))
      .select(
        [
          "connection_id",
          "event_id",
          "kind",
          "campaign_uid",
          "name",
          "status",
          "is_published",
          "starts_at",
          "live_started_at",
          "live_ended_at",
          "deadline",
          "cover_url",
          "occurred_at",
          "needs_reread",
        ].map((column) => `e.${column}`),
      )
      .select(this.knex.raw("e.deleted_in_svc_at AS deleted_at"))
      .from("svc_live_event AS e")
      .join("svc_connection AS c", "c.id", "e.connection_id")
      .whereNull("c.deleted_at")
      .whereNull("e.deleted_at")
      .modify(restrict)
      .orderByRaw(
        "e.connection_id, e.event_id, e.alive_at DESC NULLS LAST, e.occurred_at DESC, e.kind",
      )
  }

  #mergedProducts(restrict: (rows: Knex.QueryBuilder) => unknown) {
    return this.knex
      .select(
        this.knex.raw("DISTINCT ON (connection_id, campaign_uid, uid) id"),
        "connection_id",
        "uid",
        "kind",
        "sku",
        "external_id",
        "campaign_uid",
        "name",
        "price",
        "suggested_retail_price",
        "available",
        "min_purchase_qty",
        "max_qty_per_customer",
        "variants",
        this.knex.raw("deleted_in_svc_at AS deleted_at"),
        "occurred_at",
        this.knex.raw("data->'sorting' AS sorting"),
      )
      .from("svc_event_product")
      .whereNull("deleted_at")
      .modify(restrict)
      .orderByRaw(
        "connection_id, campaign_uid, uid, alive_at DESC NULLS LAST, occurred_at DESC, kind",
      )
  }
}

/** What lists of events can be sorted by. */
export const EVENT_COLUMNS = [
  "starts_at",
  "live_started_at",
  "live_ended_at",
  "deadline",
  "occurred_at",
  "name",
  "status",
  "kind",
  "event_id",
  "campaign_uid",
  "id",
] as const

/** What lists of events can be narrowed by. */
export const EVENT_FILTERS = [
  "id",
  "connection_id",
  "event_id",
  "campaign_uid",
  "kind",
  "status",
  "is_published",
] as const

export type EventQuery = {
  /** `q` is a `LIKE` pattern's inside: part of the name. */
  filters: Partial<Record<(typeof EVENT_FILTERS)[number], string[]>> & { q?: string }
  /** One of `EVENT_COLUMNS`; empty: running ones first. */
  order: Record<string, "ASC" | "DESC">
  limit: number
  offset: number
}

/** The driver hands decimals over as text. */
type ProductRow = Omit<KnownEventProduct, "price" | "suggested_retail_price"> & {
  price: string | null
  suggested_retail_price: string | null
  sorting: unknown
}

const knownProduct = ({ sorting, ...row }: ProductRow): KnownEventProduct => ({
  ...row,
  price: row.price === null ? null : Number(row.price),
  suggested_retail_price:
    row.suggested_retail_price === null ? null : Number(row.suggested_retail_price),
})

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

/** Ids are the service's and may hold anything: a JSON list of them is unmistakable. */
const keyText = (key: unknown[]): string => JSON.stringify(key)
