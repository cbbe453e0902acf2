import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { HEADERS } from "../../../contract"
import type { Reason } from "../shared/reason"
import type { ToldBefore } from "../shows/projection-writer"

/** What a delivery is kept as; the rest of the outcomes is what applying it says. */
export type InboxOutcome = "received" | "quarantined" | "unknown" | "test"
export type Outcome = InboxOutcome | "applied" | "stale" | "duplicate" | "failed"

/** What applying reads of a delivery. */
export type DueDelivery = {
  id: string
  topic: string
  body: string
  bytes: number
  attempts: number
  /** What its signature says of when it was sent, in ms since the epoch. */
  sent_at: string | null
}

/** How a delivery ended. */
export type Completion = {
  id: string
  outcome: Exclude<Outcome, "received">
  reason: Reason | null
  /** What it told, where it belongs to a record. */
  record?: string
  state_hash?: string
}

/** Which deliveries are replayed; all of what is given has to hold. */
export type ReplayFilters = {
  connection_id?: string[]
  topic?: string[]
  outcome?: string[]
  event_uid?: string[]
  /** Received from, and received before, as the list is narrowed. */
  from?: Date
  to?: Date
}

/** Older ones were left as they are: they are in the inbox, but nobody is told of them any more. */
const NEEDING_DAYS = 7

/** Done, and of no interest but as proof. */
const DONE = "'applied', 'stale', 'duplicate', 'test'"
/** Those that a person may have to look at are kept longer by this factor. */
const KEPT_FOR_PEOPLE = 3

/** Deliveries that wait to be applied; served by `IDX_svc_delivery_due`. */
const WAITING = "d.outcome = 'received' AND d.deleted_at IS NULL"
const READ = `d.id, d.topic, d.body, d.bytes, d.attempts, d.headers->>'${HEADERS.timestamp}' AS sent_at`

/** The inbox, as the applier and people use it; `DeliveryWriter` writes it. */
export class InboxRows {
  constructor(private readonly knex: Knex) {}

  /**
   * Takes due deliveries of a connection, oldest first, for the rest of the transaction. They are completed in the same
   * transaction, so that a process that is killed leaves them as they were: a lease would cost each batch two more writes
   * of its rows.
   *
   * @param limit.bytes at least one is taken, whatever its size
   * @param id only this one, due or not
   */
  async take(
    trx: Knex.Transaction,
    connectionId: string,
    limit: { count: number; bytes: number },
    id?: string,
  ): Promise<DueDelivery[]> {
    const which =
      id === undefined ? "(d.next_attempt_at IS NULL OR d.next_attempt_at <= now())" : "d.id = :id"
    const due = `d.connection_id = :connectionId AND ${WAITING} AND ${which}`
    const { rows } = await trx.raw<{ rows: DueDelivery[] }>(
      `WITH first AS (
         SELECT d.id, d.received_at, d.bytes FROM svc_delivery d
         WHERE ${due} ORDER BY d.received_at, d.id LIMIT :count
       ), sized AS (
         SELECT id, sum(bytes) OVER (ORDER BY received_at, id) - bytes AS before FROM first
       )
       SELECT ${READ} FROM svc_delivery d JOIN sized ON sized.id = d.id
       WHERE sized.before < :bytes AND ${due}
       ORDER BY d.received_at, d.id FOR UPDATE OF d SKIP LOCKED`,
      { connectionId, ...limit, id: id ?? null },
    )
    return rows
  }

  /** What was told under these ids; served by `IDX_svc_delivery_told`. */
  async told(
    trx: Knex.Transaction,
    connectionId: string,
    eventUids: string[],
  ): Promise<ToldBefore[]> {
    if (eventUids.length === 0) return []
    return trx("svc_delivery")
      .select<ToldBefore[]>("event_uid", "record", "state_hash", "occurred_at")
      .select(trx.raw("split_part(topic, '.', 2) AS change"))
      .where({ connection_id: connectionId })
      .whereIn("event_uid", eventUids)
      .whereNotNull("record")
      .whereNull("deleted_at")
  }

  async complete(trx: Knex.Transaction, completions: Completion[]): Promise<void> {
    if (completions.length === 0) return
    await trx.raw(
      `UPDATE svc_delivery d
       SET outcome = done.outcome, reason = done.reason, record = done.record, state_hash = done.state_hash, attempts = d.attempts + 1,
         next_attempt_at = NULL, updated_at = now()
       FROM jsonb_to_recordset(?::jsonb) AS done (id text, outcome text, reason jsonb, record text, state_hash text)
       WHERE d.id = done.id`,
      [JSON.stringify(completions)],
    )
  }

  /** Milliseconds until deliveries fall due, by connection, 0 or less for now. */
  async dueInMs(connectionId?: string): Promise<Map<string, number>> {
    const { rows } = await this.knex.raw<{ rows: { connection_id: string; ms: number }[] }>(
      `SELECT d.connection_id,
         (extract(epoch FROM min(coalesce(d.next_attempt_at, now())) - now()) * 1000)::float8 AS ms
       FROM svc_delivery d
       WHERE ${WAITING} ${connectionId === undefined ? "" : "AND d.connection_id = ?"}
       GROUP BY d.connection_id`,
      connectionId === undefined ? [] : [connectionId],
    )
    return new Map(rows.map((row) => [row.connection_id, row.ms]))
  }

  /** It could not be applied. @param inMs when it is tried again; null for never */
  async failed(id: string, inMs: number | null, reason: Reason): Promise<void> {
    await this.knex("svc_delivery")
      .where({ id, outcome: "received" })
      .update({
        outcome: inMs === null ? "failed" : "received",
        reason: JSON.stringify(reason),
        attempts: this.knex.raw("attempts + 1"),
        next_attempt_at: this.knex.raw("now() + ?::float8 * interval '1 millisecond'", [inMs]),
        updated_at: this.knex.fn.now(),
      })
  }

  /**
   * Makes deliveries due again, so that they are read and judged as if they had just come. Applying what was applied
   * before changes nothing. In the order of their ids, each once: a worker may have applied the first of them, so that they
   * match again, before the last of them is reached. A test has nothing to apply.
   *
   * @returns how many
   */
  async reopen(filters: ReplayFilters | { id: string[] }, batch: number): Promise<number> {
    const matching = this.knex("svc_delivery")
      .select("id")
      .whereNull("deleted_at")
      .whereNot("outcome", "test")
      .orderBy("id")
      .limit(batch)
      .modify((rows) => {
        const { from, to, ...equal } = { from: undefined, to: undefined, ...filters }
        for (const [name, values] of Object.entries(equal)) if (values) rows.whereIn(name, values)
        if (from) rows.where("received_at", ">=", from)
        if (to) rows.where("received_at", "<", to)
      })
    let reopened = 0
    for (let after = ""; ; ) {
      const page: { id: string }[] = await matching.clone().where("id", ">", after)
      reopened += await this.knex("svc_delivery")
        .whereIn(
          "id",
          page.map(({ id }) => id),
        )
        .whereNot("outcome", "test")
        .update({
          outcome: "received",
          reason: null,
          attempts: 0,
          next_attempt_at: null,
          updated_at: this.knex.fn.now(),
        })
      const last = page.at(-1)
      if (!last || page.length < batch) return reopened
      after = last.id
    }
  }

  /** Deliveries of the last days that need somebody, by connection; served by `IDX_svc_delivery_problem`. */
  async needingSomebody(): Promise<
    Map<string, Record<"quarantined" | "unknown" | "failed", number>>
  > {
    const { rows } = await this.knex.raw<{
      rows: { connection_id: string; quarantined: number; unknown: number; failed: number }[]
    }>(
      `SELECT connection_id,
         count(*) FILTER (WHERE outcome = 'quarantined')::int AS quarantined,
         count(*) FILTER (WHERE outcome = 'unknown')::int AS unknown,
         count(*) FILTER (WHERE outcome = 'failed')::int AS failed
       FROM svc_delivery
       WHERE outcome IN ('quarantined', 'unknown', 'failed') AND deleted_at IS NULL
         AND received_at > now() - interval '${NEEDING_DAYS} days'
       GROUP BY connection_id`,
    )
    return new Map(rows.map(({ connection_id, ...counts }) => [connection_id, counts]))
  }

  /**
   * Removes old deliveries, a batch at a time: those that are done after `days`, the others after three times that; and
   * the oldest of those that are done while all bodies together are larger than `megabytes` (0: no limit). What waits to
   * be applied stays. The projection keeps its tombstones.
   */
  async trim(limits: { days: number; megabytes: number; batch: number }): Promise<number> {
    const { days, megabytes, batch } = limits
    let removed = await this.#removeAll(
      `SELECT id FROM svc_delivery
       WHERE (outcome IN (${DONE}) AND received_at < now() - :days * interval '1 day')
         OR (outcome <> 'received' AND received_at < now() - :days * interval '${KEPT_FOR_PEOPLE} days')
       LIMIT :batch`,
      { days, batch },
      batch,
    )
    // All rows are only sorted where there is something to remove. The table's own size would not tell: bodies are compressed.
    if (megabytes > 0 && (await this.#takesMoreThan(megabytes))) {
      // As text: a date of JavaScript's has no microseconds, and the oldest rows would stay.
      const { rows } = await this.knex.raw<{ rows: { received_at: string | null }[] }>(
        `SELECT max(received_at)::text AS received_at FROM (
           SELECT received_at, sum(bytes) OVER (ORDER BY received_at DESC, id DESC) AS up_to_here
           FROM svc_delivery) sizes
         WHERE up_to_here > :megabytes::bigint * 1024 * 1024`,
        { megabytes },
      )
      const before = rows[0]?.received_at
      if (before) {
        removed += await this.#removeAll(
          `SELECT id FROM svc_delivery
           WHERE outcome IN (${DONE}) AND received_at <= :before ORDER BY received_at LIMIT :batch`,
          { before, batch },
          batch,
        )
      }
    }
    return removed
  }

  async #takesMoreThan(megabytes: number): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: { large: boolean }[] }>(
      "SELECT sum(bytes) > :megabytes::bigint * 1024 * 1024 AS large FROM svc_delivery",
      { megabytes },
    )
    return rows[0]?.large === true
  }

  async #removeAll(
    ids: string,
    bindings: Record<string, string | number>,
    batch: number,
  ): Promise<number> {
    let removed = 0
    for (;;) {
      const { rowCount } = await this.knex.raw<{ rowCount: number }>(
        `DELETE FROM svc_delivery WHERE id = ANY(ARRAY(${ids}))`,
        bindings,
      )
      removed += rowCount
      if (rowCount < batch) return removed
    }
  }
}
