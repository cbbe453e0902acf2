import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Family } from "../../../contract"
import { rawNumber } from "../shared/big-number"
import { groupBy } from "../shared/group-by"
import { newId } from "../shared/ulid"
import {
  type Announcement,
  announceEvent,
  announceProduct,
  type KnownEvent,
  type KnownProduct,
  shownRow,
} from "./announcements"
import { isDeleted, type Row } from "./merge"
import type { EventWrite, ProductWrite } from "./read-write"

/** A transaction in which nobody else writes the records of one connection. */
export type ShowsTransaction = Knex.Transaction & {
  readonly connectionId: string
  /** By the database's clock, in ms since the epoch. */
  readonly now: number
}

/** How one kind of record lies in its table. */
export type Table<W extends { kind: Family; content: unknown }, Content> = {
  name: string
  /** Columns of the unique key beside `connection_id` and `kind`. */
  key: readonly string[]
  keyOf: (write: W) => string[]
  /** Columns of the content that are read back, to see what changed for people. */
  columns: readonly string[]
  contentOf: (row: Record<string, unknown>) => Content
  /** Columns of the content as they are written, as JSON. */
  written: (content: W["content"]) => Record<string, unknown>
  /** Columns of a row, by its fields; `times` are times there, and ms since the epoch here. */
  plain: Readonly<Record<string, string>>
  times: Readonly<Record<string, string>>
  announce: (
    connectionId: string,
    before: Row<Content> | null,
    after: Row<Content>,
  ) => Announcement[]
  idPrefix: string
}

export type EventRow = Row<KnownEvent>
export type ProductRow = Row<KnownProduct>

/** What people see of an event. */
export const EVENT_FIELDS = [
  "campaign_uid",
  "name",
  "status",
  "is_published",
  "starts_at",
  "live_started_at",
  "live_ended_at",
  "deadline",
  "cover_url",
] as const satisfies readonly (keyof KnownEvent)[]

const PLAIN = {
  id: "id",
  kind: "kind",
  rank: "rank",
  hash: "hash",
  emission: "emission",
  asked: "asked",
  doubtful: "needs_reread",
  isShown: "shown",
} as const
const TIMES = {
  occurredAt: "occurred_at",
  toldAt: "told_at",
  aliveAt: "alive_at",
  heardAt: "heard_at",
} as const

export const EVENTS: Table<EventWrite, KnownEvent> = {
  name: "svc_live_event",
  key: ["event_id"],
  keyOf: (write) => [write.eventId],
  columns: EVENT_FIELDS,
  contentOf: (row) => row as KnownEvent,
  written: (content) => content,
  plain: { ...PLAIN, doubt: "doubt" },
  times: { ...TIMES, unlistedAt: "unlisted_at", absentAt: "absent_at" },
  announce: announceEvent,
  idPrefix: "svcev",
}

export const PRODUCTS: Table<ProductWrite, KnownProduct> = {
  name: "svc_event_product",
  key: ["campaign_uid", "uid"],
  keyOf: (write) => [write.campaignUid, write.uid],
  columns: ["external_id", "price", "available", "variants"],
  // The driver hands decimals over as text.
  contentOf: (row) => ({
    ...(row as KnownProduct),
    price: row.price === null ? null : Number(row.price),
  }),
  written: (content) => ({
    ...content,
    raw_price: rawNumber(content.price),
    raw_suggested_retail_price: rawNumber(content.suggested_retail_price),
  }),
  plain: PLAIN,
  times: TIMES,
  announce: announceProduct,
  idPrefix: "svcevp",
}

/** The rows of a connection's records, as `restrict` narrows them. What was told in full is left in the database. */
export async function readRows<W extends { kind: Family; content: unknown }, Content>(
  trx: ShowsTransaction,
  table: Table<W, Content>,
  restrict: (rows: Knex.QueryBuilder) => unknown,
): Promise<Row<Content>[]> {
  const rows: (Omit<Row<Content>, "key" | "content"> & Record<string, unknown>)[] = await trx(
    table.name,
  )
    .select(table.plain)
    .select(
      Object.entries(table.times).map(([name, column]) =>
        trx.raw("(extract(epoch FROM ??) * 1000)::float8 AS ??", [column, name]),
      ),
    )
    .select([...new Set([...table.key, ...table.columns])])
    .where({ connection_id: trx.connectionId })
    .whereNull("deleted_at")
    .modify(restrict)
  return rows.map((row) => ({
    ...SETTLED,
    ...row,
    key: table.key.map((name) => String(row[name])),
    content: table.contentOf(Object.fromEntries(table.columns.map((name) => [name, row[name]]))),
  }))
}

const columnsOf = (
  row: Record<string, unknown>,
  columns: Readonly<Record<string, string>>,
  written = (value: unknown) => value,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [column, written(row[name])]))

const timeOf = (ms: unknown) => (typeof ms === "number" ? new Date(ms) : null)

/** A row that is not stored yet. */
export const newRow = <W extends { kind: Family; content: Content }, Content>(
  table: Table<W, Content>,
  write: W,
) => ({
  id: newId(table.idPrefix),
  kind: write.kind,
  key: table.keyOf(write),
  toldAt: null,
  heardAt: null,
  isShown: true,
  ...SETTLED,
  content: write.content,
})

/** What a listing said against a record is settled by whatever is later. */
export const SETTLED = { doubt: null, unlistedAt: null, absentAt: null } as const

/** Ids are the service's and may hold anything: a JSON list of them is unmistakable. */
export const keyText = ({ key }: { key: string[] }): string => JSON.stringify(key)

/** How records of a connection change, with the rows of both families of each. */
type RowsChange<W extends { content: unknown }, Content> = {
  before: readonly Row<Content>[]
  after: readonly Row<Content>[]
  /** Ids of those in `after` that differ. */
  changed: ReadonlySet<string>
  /** Of those whose content changes, by the row's id. */
  contents: ReadonlyMap<string, W["content"]>
}

/**
 * Writes rows, and which row of each record people see now.
 *
 * @returns what is different for people, over both families
 */
export async function storeRows<W extends { kind: Family; content: unknown }, Content>(
  trx: ShowsTransaction,
  table: Table<W, Content>,
  { before, after, changed, contents }: RowsChange<W, Content>,
): Promise<Announcement[]> {
  const known = groupBy(before, keyText)
  const isShown = new Map(before.map((row) => [row.id, row.isShown]))
  const announcements: Announcement[] = []
  const stored: Row<Content>[] = []
  for (const [key, rows] of groupBy(after, keyText)) {
    const shown = shownRow(rows)
    for (const row of rows) {
      const marked = { ...row, isShown: row === shown }
      if (changed.has(row.id) || marked.isShown !== isShown.get(row.id)) stored.push(marked)
    }
    const was = known.get(key)?.find((row) => row.isShown) ?? null
    if (shown) announcements.push(...table.announce(trx.connectionId, was, shown))
  }
  await writeRows(trx, table, stored, contents)
  return announcements
}

/** One statement has room for 65,535 parameters, and a list may have many thousand events: rows are written as JSON, some at a time. */
const ROWS_AT_ONCE = 500

async function writeRows<W extends { kind: Family; content: unknown }, Content>(
  trx: ShowsTransaction,
  table: Table<W, Content>,
  rows: readonly Row<Content>[],
  contents: ReadonlyMap<string, W["content"]>,
): Promise<void> {
  const written = rows.map((row) => {
    const content = contents.get(row.id)
    return {
      ...columnsOf(row, table.plain),
      id: row.id,
      connection_id: trx.connectionId,
      ...columnsOf(row, table.times, timeOf),
      ...Object.fromEntries(table.key.map((name, index) => [name, row.key[index]])),
      deleted_in_svc_at: isDeleted(row) ? new Date(row.occurredAt) : null,
      ...(content === undefined ? {} : table.written(content)),
    }
  })
  const names = ["id", "connection_id", "kind", ...table.key]
  for (const [isComplete, alike] of groupBy(written, ({ id }) => contents.has(id))) {
    for (let from = 0; from < alike.length; from += ROWS_AT_ONCE) {
      const some = alike.slice(from, from + ROWS_AT_ONCE)
      const columns = Object.keys(some[0] ?? {})
      const changing = columns.filter((column) => !names.includes(column))
      const set = (source: string) => changing.map((column) => `${column} = ${source}.${column}`)
      const given = `jsonb_populate_recordset(NULL::${table.name}, ?::jsonb) given`
      await trx.raw(
        isComplete
          ? `INSERT INTO ${table.name} (${columns.join()}) SELECT ${columns.join()} FROM ${given}
             ON CONFLICT (${["connection_id", ...table.key, "kind"].join()}) WHERE deleted_at IS NULL
             DO UPDATE SET updated_at = now(), ${set("EXCLUDED").join()}`
          : `UPDATE ${table.name} r SET updated_at = now(), ${set("given").join()} FROM ${given} WHERE given.id = r.id`,
        [JSON.stringify(some)],
      )
    }
  }
}
