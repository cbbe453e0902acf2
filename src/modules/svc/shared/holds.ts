import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { Endpoint, SvcError } from "../../../client"
import type { StoredHold } from "../models"
import { type Reason, reasonColumns, reasonOfCall, reasonOfRow } from "./reason"

/** Failures in a row after which an endpoint is held, and told of. */
export const THRESHOLD = 5
const HOLD_MS = 30_000
/** A refused token: a person has to act, but a service that refused it by mistake is noticed within a minute. */
const TOKEN_MS = 45_000
/** An endpoint that is not open to us is asked less and less often. */
const CLOSED_MOST_MS = 15 * 60_000
const SLOW_DOWN_MS = 1_000
/** How long the one probe has before another may try: longer than any call. */
const PROBE_MS = 30_000

/** Reasons of a wait that the service has asked for. */
const ASKED = ["svc_rate_limited", "slow_down"]

/** The endpoint of a hold that concerns the token, and so everything. */
export const ALL = "all"

/**
 * For how long an endpoint is left alone after a failed call (gap 53); null where others may go on. Pure.
 *
 *   moment     after 5 failures in a row 30 s, then one probe; at once for as long as the service asks
 *   endpoint   at once 30 s, 60 s ... 15 min
 *   token      45 s at once, the whole connection
 *   this thing not at all
 *
 * @param failures in a row, this one included
 */
export function holdMs(error: SvcError, failures: number): number | null {
  if (error.failure === "dead") return null
  if (error.failure === "broken") return TOKEN_MS
  const asked = error.retryAfterMs ?? 0
  if (error.failure === "endpoint") {
    return Math.max(asked, Math.min(CLOSED_MOST_MS, HOLD_MS * 2 ** Math.min(failures - 1, 10)))
  }
  if (error.code === "svc_rate_limited") {
    return asked || Math.min(TOKEN_MS, SLOW_DOWN_MS * 2 ** Math.min(failures - 1, 10))
  }
  if (failures >= THRESHOLD) return Math.max(asked, HOLD_MS)
  return asked || null
}

/** A hold as people see it. */
export type Hold = {
  connection_id: string
  endpoint: Endpoint | typeof ALL
  reason: Reason
  failures: number
  /** Null while calls are made all the same. */
  until: Date | null
  /** Milliseconds until a call is made again; 0 for now. */
  ms: number
}

/** `probe`: the caller makes the one call that finds out whether it goes again. `reason`: of a hold of the whole connection. */
export type MayCall =
  | { kind: "go"; probe: boolean }
  | { kind: "held"; ms: number; endpoint: Hold["endpoint"]; reason: Reason | null }

type Row = StoredHold & { endpoint: Hold["endpoint"]; ms: number | null }

const COLUMNS = "hold.*, (extract(epoch FROM hold.until - now()) * 1000)::float8 AS ms"

/**
 * The one place that says whether background work may call an endpoint of a connection now. What is leased, queued or
 * edited meanwhile waits for it, because each call asks here first (`ServiceCalls`).
 */
export class Holds {
  constructor(private readonly knex: Knex) {}

  /** Asked right before a call. Once a hold is over, one caller is let through as the probe. */
  async ask(connectionId: string, endpoint: Endpoint): Promise<MayCall> {
    const { rows } = await this.knex.raw<{ rows: (Row & { probe: boolean })[] }>(
      `WITH found AS (
         SELECT id, until FROM svc_hold
         WHERE connection_id = :connectionId AND endpoint IN (:endpoint, '${ALL}')
           AND until IS NOT NULL AND deleted_at IS NULL
       ), probed AS (
         UPDATE svc_hold hold SET until = now() + ${PROBE_MS} * interval '1 millisecond'
         FROM found WHERE hold.id = found.id AND hold.until <= now()
           AND NOT EXISTS (SELECT 1 FROM found other WHERE other.until > now())
         RETURNING hold.id
       )
       SELECT ${COLUMNS}, probed.id IS NOT NULL AS probe
       FROM svc_hold hold JOIN found ON found.id = hold.id LEFT JOIN probed ON probed.id = hold.id`,
      { connectionId, endpoint },
    )
    if (rows.every(({ probe }) => probe)) return { kind: "go", probe: rows.length > 0 }
    const waiting = rows.filter(({ probe }) => !probe)
    // Of one that is not over by the statement's look, another caller has taken the probe.
    const ms = Math.max(...waiting.map((row) => ((row.ms ?? 0) > 0 ? (row.ms ?? 0) : PROBE_MS)))
    const token = waiting.find((row) => row.endpoint === ALL)
    const reason = token ? reasonOfRow(token) : null
    return { kind: "held", ms, endpoint: token ? ALL : endpoint, reason }
  }

  /**
   * A call failed. A token that is refused holds the connection, anything else its endpoint.
   *
   * @param on the transaction in which the connection is locked: a call that was made with an older token says nothing
   * @param probe the hold was for as long as this call took; what it met decides anew
   */
  async failed(
    on: Knex,
    call: { connectionId: string; endpoint: Endpoint; probe: boolean },
    error: SvcError,
  ): Promise<void> {
    const { connectionId, endpoint, probe } = call
    if (error.failure === "dead") return
    const held = error.failure === "broken" ? ALL : endpoint
    const { rows } = await on.raw<{ rows: { id: string; failures: number }[] }>(
      `INSERT INTO svc_hold AS hold (id, connection_id, endpoint, failures)
       VALUES (:id, :connectionId, :held, 1)
       ON CONFLICT (connection_id, endpoint) WHERE deleted_at IS NULL
       DO UPDATE SET failures = hold.failures + 1
       RETURNING id, failures`,
      { id: generateEntityId(undefined, "svchold"), connectionId, held },
    )
    const [row] = rows
    if (!row) return
    const ms = holdMs(error, row.failures)
    const until = ms === null ? null : on.raw("now() + ? * interval '1 millisecond'", [ms])
    await on("svc_hold")
      .where({ id: row.id })
      .update({
        ...reasonColumns(reasonOfCall(endpoint, error)),
        until: probe ? until : on.raw("greatest(until, ?)", [until]),
        updated_at: on.fn.now(),
      })
  }

  /**
   * A call succeeded, so the endpoint takes calls and the token is good.
   *
   * @param surely it was the probe, or a person's call. Any other may have been under way when the service asked for
   *   patience, and does not end the wait
   */
  async wentWell(connectionId: string, endpoint: Endpoint, surely: boolean): Promise<void> {
    await this.#end(connectionId, [endpoint, ALL], surely)
  }

  async #end(connectionId: string, endpoints: string[], surely: boolean): Promise<void> {
    await this.knex("svc_hold")
      .where({ connection_id: connectionId })
      .andWhere((rows) =>
        rows
          .where((ended) => {
            ended.whereIn("endpoint", endpoints)
            if (!surely) ended.whereRaw("(until IS NULL OR until <= now())")
          })
          // No report is left that would find out: each is tried within an hour.
          .orWhereRaw("endpoint = 'orders' AND until < now() - interval '2 hours'"),
      )
      .delete()
  }

  /**
   * The service answered, and refused this one thing only: failures in a row end here. That does not show that the token
   * was accepted, so a hold because of the token stays, or everything that waits would be sent to whoever
   * answers.
   */
  async answered(connectionId: string, endpoint: Endpoint, surely: boolean): Promise<void> {
    await this.#end(connectionId, [endpoint], surely)
  }

  /**
   * Leaves an endpoint alone for a while: for who judges failed calls by itself, as the sending of products does.
   *
   * @param input.counts it is one more in a row, however many calls met it
   */
  async hold(
    connectionId: string,
    endpoint: Endpoint,
    input: { ms: number; reason: Reason; counts: boolean },
  ): Promise<void> {
    const counts = input.counts ? 1 : 0
    await this.knex.raw(
      `INSERT INTO svc_hold AS hold
         (id, connection_id, endpoint, failures, until, reason_code, reason_message, reason_fix, reason_params)
       VALUES (:id, :connectionId, :endpoint, :counts, now() + :ms * interval '1 millisecond',
         :reason_code, :reason_message, :reason_fix, CAST(:reason_params AS jsonb))
       ON CONFLICT (connection_id, endpoint) WHERE deleted_at IS NULL DO UPDATE SET
         failures = hold.failures + CASE WHEN hold.until > now() THEN 0 ELSE EXCLUDED.failures END,
         until = GREATEST(hold.until, EXCLUDED.until), updated_at = now(),
         reason_code = EXCLUDED.reason_code, reason_message = EXCLUDED.reason_message,
         reason_fix = EXCLUDED.reason_fix, reason_params = EXCLUDED.reason_params`,
      {
        id: generateEntityId(undefined, "svchold"),
        connectionId,
        endpoint,
        counts,
        ms: Math.round(input.ms),
        ...reasonColumns(input.reason),
      },
    )
  }

  /** Why an endpoint is left alone, by connection; also where that is over and no call has succeeded since (`ms` 0). */
  async of(endpoint: Endpoint, connectionIds?: string[]): Promise<Map<string, Hold>> {
    const found = new Map<string, Hold>()
    // Those that wait longest come first.
    for (const hold of await this.list(connectionIds)) {
      const concerns = hold.endpoint === endpoint || hold.endpoint === ALL
      if (concerns && !found.has(hold.connection_id)) found.set(hold.connection_id, hold)
    }
    return found
  }

  /** Milliseconds for which background work leaves an endpoint alone, by connection: only where it does. */
  async heldForMs(endpoint: Endpoint, connectionId?: string): Promise<Map<string, number>> {
    const held = await this.of(endpoint, connectionId === undefined ? undefined : [connectionId])
    return new Map([...held].flatMap(([id, { ms }]) => (ms > 0 ? [[id, ms] as const] : [])))
  }

  /** Endpoints at which calls are held back, those that wait longest first. */
  async list(connectionIds?: string[]): Promise<Hold[]> {
    const { rows } = await this.knex.raw<{ rows: Row[] }>(
      `SELECT ${COLUMNS} FROM svc_hold hold
       WHERE hold.until IS NOT NULL AND hold.deleted_at IS NULL
         -- A wait of products that is over is told of while one is there to find out whether they are taken again.
         AND (hold.endpoint <> 'products' OR hold.until > now() OR EXISTS (
           SELECT 1 FROM svc_catalog_item item
           WHERE item.connection_id = hold.connection_id AND item.wanted > item.acknowledged AND item.deleted_at IS NULL))
         ${connectionIds ? "AND hold.connection_id = ANY(:connectionIds)" : ""}
       ORDER BY hold.until DESC`,
      connectionIds ? { connectionIds } : {},
    )
    return rows.flatMap((row) => {
      const reason = reasonOfRow(row)
      const { connection_id, endpoint, failures, until } = row
      const ms = Math.max(0, row.ms ?? 0)
      return reason
        ? [{ connection_id, endpoint, failures, reason, until: ms > 0 ? until : null, ms }]
        : []
    })
  }

  /**
   * A person acted: what was held is tried anew at once. The patience that the service asked for is kept, unless it is
   * another service now.
   */
  async resume(connectionId: string, { moved = false, on = this.knex } = {}): Promise<void> {
    await on("svc_hold")
      .where({ connection_id: connectionId })
      .modify((rows) => !moved && rows.whereNotIn("reason_code", ASKED))
      .delete()
  }
}
