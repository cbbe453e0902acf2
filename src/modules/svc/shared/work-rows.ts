import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { ProcessLeases } from "./process-leases"
import { type Reason, reasonColumns } from "./reason"

/**
 * A table whose rows are work. It has the columns `attempts`, `next_attempt_at`, `lease_token`, `lease_until` and those of
 * a reason (`reasonColumns`), and where a row can be wanted again while somebody works on it, `wanted` and `acknowledged`.
 * Conditions may name the row `work`.
 */
export type WorkTable = {
  name: string
  /** SQL: the row is work. The table's partial index serves it. */
  open: string
  /** SQL: whose turn it is first. */
  order: string
  /** It has `wanted` and `acknowledged`: a row is acknowledged up to what was wanted when it was claimed. */
  generations?: boolean
  /** SQL: what a claim changes beside the lease. */
  claimed?: string
  /** SQL: what a claim answers; every column by default. */
  answers?: string
}

/** What every claimed row has. */
export type WorkRow = {
  id: string
  /** Counted at the claim: 1 for the first. One that was claimed by a process that died counts as well. */
  attempts: number
  lease_token: string
  wanted?: number
}

type Columns = Record<string, unknown>

/** Narrows a claim or a question; named bindings only. */
type Narrowed = { where?: string; bindings?: Record<string, string | number | boolean | null> }

const IS_DUE = "(work.next_attempt_at IS NULL OR work.next_attempt_at <= now())"
const IS_FREE = "(work.lease_until IS NULL OR work.lease_until <= now())"
const after = (knex: Knex, ms: number) =>
  knex.raw("now() + ? * interval '1 millisecond'", [Math.round(ms)])

/**
 * Rows that are worked off, by any number of workers of any number of processes:
 *
 *   claim    a lease for one worker, in one short statement; nobody waits for a row that another one has
 *   settle   done, up to the generation that was claimed: a row that was wanted again meanwhile stays due
 *   retry    failed; due again later
 *   wait     not tried: the attempt is given back, and the row is due later
 *   release  not tried: as it was before the claim, due now
 *   giveUp   ended with a reason; a person may have it tried again
 *
 * Leases run on the database's clock. A worker that dies leaves rows that are due again when their leases end. HTTP
 * happens between claim and the rest, outside any transaction; the rest changes a row only while its lease is ours: if
 * another worker has taken it over, that one decides.
 */
export class WorkRows<Row extends WorkRow> {
  readonly #open: string

  constructor(
    private readonly knex: Knex,
    private readonly leases: ProcessLeases,
    private readonly table: WorkTable,
  ) {
    this.#open = `(${table.open}) AND work.deleted_at IS NULL`
  }

  /**
   * Claims rows that are due; none once the process was asked to end.
   *
   * @param input.token of several claims whose rows are written together; a claim has its own by default
   * @param input.order whose turn it is first, where that is another order than the table's
   */
  async claim(
    input: Narrowed & { limit: number; leaseMs: number; token?: string; order?: string },
  ): Promise<Row[]> {
    if (this.leases.closed) return []
    this.leases.covers({ table: this.table.name, open: this.#open })
    const { claimed, answers = "work.*" } = this.table
    // As an array the rows are chosen once; as a joined table Postgres might choose them again for each row.
    const { rows } = await this.knex.raw<{ rows: Row[] }>(
      `UPDATE ${this.table.name} work SET attempts = work.attempts + 1, ${claimed ? `${claimed},` : ""}
         lease_token = :token, lease_until = now() + :leaseMs * interval '1 millisecond'
       WHERE work.id = ANY(ARRAY(${this.#due(input.where, input.order)} FOR UPDATE OF work SKIP LOCKED))
       RETURNING ${answers}`,
      {
        ...input.bindings,
        token: input.token ?? this.leases.newToken(),
        leaseMs: input.leaseMs,
        limit: input.limit,
      },
    )
    return rows
  }

  /**
   * Takes rows that are due for the length of a transaction, without a lease: for work that calls nobody. A process that
   * dies leaves them as they were. The attempt is not counted; `settle` and `retry` end it within the transaction.
   */
  async lock(trx: Knex.Transaction, input: Narrowed & { limit: number }): Promise<Row[]> {
    const { rows } = await trx.raw<{ rows: { id: string }[] }>(
      `${this.#due(input.where)} FOR UPDATE OF work SKIP LOCKED`,
      { ...input.bindings, limit: input.limit },
    )
    return trx(this.table.name).whereIn(
      "id",
      rows.map(({ id }) => id),
    )
  }

  /** The row whose turn it is, unclaimed: whoever claims next may decide by it how much. */
  async head({
    where,
    bindings,
    order = this.table.order,
  }: Narrowed & { order?: string }): Promise<Row | null> {
    const { rows } = await this.knex.raw<{ rows: Row[] }>(this.#due(where, order, "work.*"), {
      ...bindings,
      limit: 1,
    })
    return rows[0] ?? null
  }

  #due(where = "true", order = this.table.order, columns = "work.id"): string {
    return `SELECT ${columns} FROM ${this.table.name} work
      WHERE ${this.#open} AND (${where}) AND ${IS_DUE} AND ${IS_FREE}
      ORDER BY ${order} LIMIT :limit`
  }

  /** @returns false where another worker has it by now, as after everything below */
  async renew(row: WorkRow, leaseMs: number): Promise<boolean> {
    return this.#mine(row, { lease_until: after(this.knex, leaseMs) })
  }

  /** The same for all that a connection's worker has under one token; not once the process was asked to end. */
  async renewAll(connectionId: string, token: string, leaseMs: number): Promise<void> {
    if (this.leases.closed) return
    await this.knex.raw(
      `UPDATE ${this.table.name} work SET lease_until = now() + :leaseMs * interval '1 millisecond'
       WHERE work.id = ANY(ARRAY(
         SELECT work.id FROM ${this.table.name} work
         WHERE ${this.#open} AND work.connection_id = :connectionId AND work.lease_token = :token
         FOR UPDATE OF work SKIP LOCKED))`,
      { connectionId, token, leaseMs },
    )
  }

  async settle(row: WorkRow, columns: Columns = {}, on?: Knex): Promise<boolean> {
    return this.#end(
      row,
      {
        attempts: 0,
        next_attempt_at: null,
        ...reasonColumns(null),
        ...(this.table.generations ? { acknowledged: row.wanted } : {}),
        ...columns,
      },
      on,
    )
  }

  async retry(
    row: WorkRow,
    again: { inMs: number; reason?: Reason },
    columns: Columns = {},
    on?: Knex,
  ): Promise<boolean> {
    return this.#end(
      row,
      {
        next_attempt_at: after(this.knex, again.inMs),
        ...(again.reason ? reasonColumns(again.reason) : {}),
        ...columns,
      },
      on,
    )
  }

  async wait(
    row: WorkRow,
    again: { inMs: number; reason: Reason },
    columns: Columns = {},
  ): Promise<boolean> {
    return this.retry(row, again, { attempts: Math.max(row.attempts - 1, 0), ...columns })
  }

  async release(row: WorkRow, columns: Columns = {}): Promise<boolean> {
    return this.#end(row, { attempts: Math.max(row.attempts - 1, 0), ...columns })
  }

  /** @param columns what takes the row out of `open` */
  async giveUp(row: WorkRow, reason: Reason, columns: Columns): Promise<boolean> {
    return this.#end(row, { next_attempt_at: null, ...reasonColumns(reason), ...columns })
  }

  async #end(row: WorkRow, columns: Columns, on?: Knex): Promise<boolean> {
    return this.#mine(row, { lease_token: null, lease_until: null, ...columns }, on)
  }

  async #mine(row: WorkRow, columns: Columns, on: Knex = this.knex): Promise<boolean> {
    const changed = await on(this.table.name)
      .where({ id: row.id, lease_token: row.lease_token })
      .update({ ...columns, updated_at: on.fn.now() })
    return changed === 1
  }

  /** Milliseconds until a row is due, by connection; 0 or less for now. Connections without work are left out. */
  async dueInMs(connectionId?: string, where = "true"): Promise<Map<string, number>> {
    const { rows } = await this.knex.raw<{ rows: { connection_id: string; ms: number }[] }>(
      `SELECT work.connection_id, ${DUE_IN_MS} AS ms FROM ${this.table.name} work
       WHERE ${this.#open} AND (${where}) ${connectionId === undefined ? "" : "AND work.connection_id = :connectionId"}
       GROUP BY work.connection_id`,
      connectionId === undefined ? {} : { connectionId },
    )
    return new Map(rows.map((row) => [row.connection_id, row.ms]))
  }

  /**
   * The same for a table whose rows belong to no connection; null where there is no work. All may be due at once, and then one
   * of them says so.
   */
  async nextInMs(): Promise<number | null> {
    const { rows } = await this.knex.raw<{ rows: { ms: number | null }[] }>(
      `SELECT coalesce((SELECT 0 FROM ${this.table.name} work WHERE ${this.#open} AND ${IS_DUE} AND ${IS_FREE} LIMIT 1),
         (SELECT ${DUE_IN_MS} FROM ${this.table.name} work WHERE ${this.#open})) AS ms`,
    )
    return rows[0]?.ms ?? null
  }
}

const DUE_IN_MS = `(extract(epoch FROM min(
  greatest(work.next_attempt_at, work.lease_until, 'epoch')) - now()) * 1000)::float8`
