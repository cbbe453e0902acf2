import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Family } from "../../../contract"
import { lockShows } from "../shared/shows-lock"
import type { Announcement } from "./announcements"
import { LISTING_AGE_MS, type ListingTime, wasHeard } from "./listing"
import {
  type Doubt,
  familiesContradict,
  inOrder,
  isDeleted,
  isSameState,
  merge,
  RANK,
  type Row,
  type Told,
} from "./merge"
import {
  EVENTS,
  keyText,
  newRow,
  PRODUCTS,
  readRows,
  SETTLED,
  type ShowsTransaction,
  storeRows,
  type Table,
} from "./projection-rows"
import type { EventWrite, ProductWrite } from "./read-write"

/** What a write did: the record shows it, something later was known already, or it repeated what was known (gap 2). */
type WriteOutcome = "applied" | "stale" | "duplicate"

/** What became of each write, in the order given, and what has to be announced once everything is committed. */
type Applied = { outcomes: WriteOutcome[]; announcements: Announcement[] }

/** A delivery of the inbox that was applied: what it told, and of which record (`recordOf`). */
export type ToldBefore = {
  event_uid: string
  record: string
  /** The last part of its topic. */
  change: string
  state_hash: string
  occurred_at: Date
}

/** What the inbox has under these `eventUid`s, which says how a delivery is read. */
type ReadTold = (eventUids: string[]) => Promise<ToldBefore[]>

type AnyWrite = EventWrite | ProductWrite
const isOfEvent = (write: AnyWrite): write is EventWrite => "eventId" in write
const isOfProduct = (write: AnyWrite): write is ProductWrite => "uid" in write

/** Names the record of a write in its family, unmistakably. */
export const recordOf = (write: AnyWrite): string =>
  JSON.stringify([
    write.kind,
    ...(isOfEvent(write) ? [write.eventId] : [write.campaignUid, write.uid]),
  ])

/** Writes our copy of live events and their products: reads what is there, lets `merge.ts` decide, writes the result. */
export class ProjectionWriter {
  constructor(private readonly knex: Knex) {}

  /**
   * Runs in a transaction in which nobody else writes the records of the connection, so that a writer need not mind rows
   * that another one inserts.
   *
   * @returns null where the connection is gone
   */
  write<T>(connectionId: string, run: (trx: ShowsTransaction) => Promise<T>): Promise<T | null> {
    return this.knex.transaction(async (trx) => {
      await lockShows(trx, connectionId)
      const connection = await trx("svc_connection")
        .where({ id: connectionId })
        .whereNull("deleted_at")
        .first<{ now: Date } | undefined>(trx.raw("clock_timestamp() AS now"))
      if (!connection) return null
      return run(Object.assign(trx, { connectionId, now: connection.now.getTime() }))
    })
  }

  /** Merges what deliveries told. */
  async apply(trx: ShowsTransaction, writes: AnyWrite[], told: ReadTold): Promise<Applied> {
    const ofEvents = await apply(trx, EVENTS, writes.filter(isOfEvent), told)
    const ofProducts = await apply(trx, PRODUCTS, writes.filter(isOfProduct), told)
    return {
      outcomes: writes.map(
        (write) => (isOfEvent(write) ? ofEvents : ofProducts).outcomes.shift() ?? "stale",
      ),
      announcements: [...ofEvents.announcements, ...ofProducts.announcements],
    }
  }

  /**
   * Writes what price lookups told of products, where no delivery came in between. One that was told of otherwise just
   * before stays as it was told, and is asked for again: the answer may be from a cache, and older.
   */
  async applyLookedUp(
    trx: ShowsTransaction,
    writes: ProductWrite[],
    asked: ListingTime,
  ): Promise<Announcement[]> {
    const before = await rowsOf(trx, PRODUCTS, writes)
    const after = [...before]
    const changed = new Set<string>()
    const contents = new Map<string, ProductWrite["content"]>()
    for (const write of writes) {
      const key = JSON.stringify(PRODUCTS.keyOf(write))
      const index = after.findIndex((row) => keyText(row) === key && row.kind === write.kind)
      const row = after[index]
      if (!row || inOrder(write, row) <= 0) continue
      if (wasHeard([row], asked, LISTING_AGE_MS)) {
        // That it is gone was told: a doubtful one would be sold where the service answers a price.
        if (isSameState(row, write) || isDeleted(row) || !row.content.available) continue
        after[index] = { ...row, doubtful: true }
      } else {
        // The answer says nothing of the topic family: the one that people see stays that one (gap 6).
        after[index] = { ...askedRow(row, write, null), aliveAt: row.aliveAt }
        contents.set(row.id, write.content)
      }
      changed.add(row.id)
    }
    return storeRows(trx, PRODUCTS, { before, after, changed, contents })
  }

  /**
   * Marks products that a lookup did not settle. Not one that was told to be gone meanwhile: a doubtful one would be sold
   * where the service answers a price.
   */
  async markUnsettled(trx: ShowsTransaction, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await trx("svc_event_product")
      .whereIn("id", ids)
      .where({ needs_reread: false, available: true })
      .whereNull("deleted_in_svc_at")
      .update({ needs_reread: true, updated_at: trx.fn.now() })
  }

  /**
   * Forgets what tombstones of shows were, which keep their watermark: so long after, nobody looks at a deleted show any
   * more. Not those of products: one that is back while its show goes on is sold as it was told.
   */
  async trim(days: number): Promise<void> {
    await this.knex(EVENTS.name)
      .whereRaw("deleted_in_svc_at < now() - ? * interval '1 day' AND data <> '{}'", [days])
      .update({ data: "{}" })
  }

  /** The database's clock, in ms since the epoch: what the times of rows are compared with. */
  async now(): Promise<number> {
    const { rows } = await this.knex.raw<{ rows: { now: Date }[] }>("SELECT now() AS now")
    const [row] = rows
    if (!row) throw new Error("The database did not tell its time.")
    return row.now.getTime()
  }
}

/** A row as the service showed it when it was asked; `doubt`: it has to be said again. */
export const askedRow = <Content>(
  row: Omit<Row<Content>, keyof Told | "asked" | "aliveAt" | "doubtful">,
  write: Told & { content: Content },
  doubt: Doubt | null,
): Row<Content> => ({
  ...row,
  ...SETTLED,
  doubt,
  occurredAt: write.occurredAt,
  rank: write.rank,
  hash: write.hash,
  emission: null,
  asked: true,
  aliveAt: write.occurredAt,
  doubtful: doubt !== null,
  content: write.content,
})

const rowsOf = <W extends Told & { kind: Family; content: unknown }, Content>(
  trx: ShowsTransaction,
  table: Table<W, Content>,
  writes: W[],
) => readRows(trx, table, (rows) => rows.whereIn([...table.key], writes.map(table.keyOf)))

async function apply<W extends AnyWrite & { content: Content }, Content>(
  trx: ShowsTransaction,
  table: Table<W, Content>,
  writes: W[],
  readTold: ReadTold,
): Promise<Applied> {
  if (writes.length === 0) return { outcomes: [], announcements: [] }
  const before = await rowsOf(trx, table, writes)
  const rows = new Map(before.map((row) => [nameOf(row), row]))
  const told = await readTold([...new Set(writes.flatMap(({ emission }) => emission ?? []))])
  const byEmission = new Map<string, Told[]>()
  const sameAs = ({ emission }: Told, record: string) => {
    const name = JSON.stringify([emission, record])
    const known = byEmission.get(name) ?? []
    byEmission.set(name, known)
    // Without an id nothing says that it is the same.
    return emission === null ? [] : known
  }
  for (const { event_uid: emission, record, change, state_hash: hash, occurred_at } of told) {
    const rank = RANK[change as keyof typeof RANK]
    const one = { emission, rank, hash, occurredAt: occurred_at.getTime() }
    sameAs(one, record).push(one)
  }

  const touched = new Map<string, { row: Row<Content>; own: W[] }>()
  const outcomes = writes.map((write): WriteOutcome => {
    const record = recordOf(write)
    const known = rows.get(record) ?? null
    const same = sameAs(write, record)
    const { known: merged, isLater, isResend } = merge(known, write, same)
    same.push(write)
    const row = {
      ...(known ?? newRow(table, write)),
      ...(isLater ? SETTLED : {}),
      ...merged,
      heardAt: trx.now,
    }
    const other = rows.get(otherFamily(row))
    if (other && other.absentAt === null && familiesContradict(row, other)) row.doubtful = true
    rows.set(record, row)
    touched.set(record, { row, own: [...(touched.get(record)?.own ?? []), write] })
    return isResend ? "duplicate" : isSameState(row, write) ? "applied" : "stale"
  })

  const contents = new Map<string, W["content"]>()
  const stored = new Map(before.map((row) => [row.id, row]))
  for (const [record, { row, own }] of touched) {
    const was = stored.get(row.id)
    const brought = own.filter(({ hash }) => hash === row.hash)
    const [latest] = brought.sort((a, b) => b.occurredAt - a.occurredAt)
    // A state has the time at which it was first told: what is only shown may have been told anew since then.
    const shownSince = Math.max(row.occurredAt, was?.toldAt ?? row.occurredAt)
    if (latest && (was?.hash !== row.hash || latest.occurredAt >= shownSince)) {
      contents.set(row.id, latest.content)
    } else if (was?.hash !== row.hash) {
      // What is under one id is read otherwise now, and the latest of it is none of these: nobody knows (gap 2).
      const { heardAt, toldAt } = row
      const [last] = own.sort((a, b) => inOrder(b, a))
      if (!was && last) contents.set(row.id, last.content)
      Object.assign(row, was ?? last, { heardAt, toldAt, doubtful: true })
    }
    const content = contents.get(row.id)
    rows.set(record, content === undefined ? row : { ...row, content: content as Content })
  }
  const after = [...rows.values()]
  const changed = new Set([...touched.values()].map(({ row }) => row.id))
  return {
    outcomes,
    announcements: await storeRows(trx, table, { before, after, changed, contents }),
  }
}

const nameOf = ({ kind, key }: Pick<Row<unknown>, "kind" | "key">): string =>
  JSON.stringify([kind, ...key])
const otherFamily = ({ kind, key }: Pick<Row<unknown>, "kind" | "key">): string =>
  nameOf({ kind: kind === "live" ? "shoppable" : "live", key })
