import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { HELD_BY_SERVICE } from "../catalog/pace-rows"
import type { Connection } from "../models"
import type { Reason } from "../shared/reason"
import { lockShows } from "../shared/shows-lock"
import type { Breaker } from "./breaker"
import { type LastCheck, NOT_CHECKED, UNDECLARED } from "./connection-state"

/**
 * Products, then payloads, then imports, as a worker that settles locks them. Deliveries before their subscriber, as the
 * receiver locks them.
 */
const FORGOTTEN = [
  "svc_catalog_item",
  "svc_catalog_payload",
  "svc_catalog_import",
  "svc_catalog_pace",
  "svc_delivery",
  "svc_webhook",
  "svc_event_product",
] as const

/**
 * Whom a call asked: the address, and the token that went with it. A person may enter another while the call is under way,
 * and what the old one answers says nothing about the new one.
 */
export type Asked = Pick<Connection, "base_url" | "api_token_fingerprint">

/** Whom a call asks that is made with this row of the connection. */
export const askedOf = ({ base_url, api_token_fingerprint }: Connection): Asked => ({
  base_url,
  api_token_fingerprint,
})

/** What calls of the service change of a connection: its breaker, its status and its last error. */
export class ConnectionRows {
  constructor(private readonly knex: Knex) {}

  /** A connection as its row is now; null where it was deleted. */
  async find(id: string): Promise<Connection | null> {
    const { rows } = await this.knex.raw<{ rows: Connection[] }>(
      "SELECT * FROM svc_connection WHERE id = :id AND deleted_at IS NULL",
      { id },
    )
    return rows[0] ?? null
  }

  /** Takes the one probe of an open breaker; false when another process took it first. */
  async takeProbe(id: string, openUntil: Date, probeMs: number): Promise<boolean> {
    const taken = await this.knex("svc_connection")
      .where({ id, breaker_open_until: openUntil })
      .update({ breaker_open_until: new Date(Date.now() + probeMs) })
    return taken === 1
  }

  /**
   * The service answered as it should, so it has accepted the token. Written only where it changes something: calls on a
   * healthy connection write nothing.
   */
  async recordSuccess(id: string, asked: Asked): Promise<void> {
    await this.knex("svc_connection")
      .where({ id, ...asked })
      .andWhere((row) =>
        row
          .where("breaker_failures", ">", 0)
          .orWhereNotNull("breaker_open_until")
          .orWhereNotNull("last_error")
          .orWhere("status", "broken")
          .orWhereNull("token_accepted_at"),
      )
      .update({
        token_accepted_at: this.knex.raw("COALESCE(token_accepted_at, now())"),
        breaker_failures: 0,
        breaker_open_until: null,
        last_error: null,
        status: "active",
        updated_at: new Date(),
      })
  }

  /**
   * Somebody answered and refused only this request, with an answer that does not show that the token was accepted
   * (`tokenVerdict`): failures in a row end here, and what is known of the token stays as it is. A breaker that a refused
   * token opened stays open, or everything that waits would be sent to whoever answers.
   */
  async recordAnswer(id: string, asked: Asked): Promise<void> {
    await this.knex("svc_connection")
      .where({ id, status: "active", ...asked })
      .andWhere((row) => row.where("breaker_failures", ">", 0).orWhereNotNull("breaker_open_until"))
      .update({ breaker_failures: 0, breaker_open_until: null, updated_at: new Date() })
  }

  /** Shows a failure that does not count for the breaker; one that is there already stays. */
  async noteError(id: string, reason: Reason): Promise<void> {
    await this.knex("svc_connection")
      .where({ id })
      .whereNull("last_error")
      .update({ last_error: JSON.stringify({ ...reason, at: new Date().toISOString() }) })
  }

  /** Keeps what a check found. A service that refused the check itself is not well either, whoever it is. */
  async recordCheck(id: string, asked: Asked, check: LastCheck): Promise<void> {
    const kept = await this.knex("svc_connection")
      .where({ id, ...asked })
      .update({ last_check: JSON.stringify(check), updated_at: new Date() })
    if (kept === 1 && check.reason) await this.noteError(id, check.reason)
  }

  /**
   * Counts under the row's lock: without it, calls that fail at the same time would count as one.
   *
   * What a call met that was made with another address or token than the connection has by now is not counted. Nor is
   * that a connection without its declaration has no token: the reason for that is there already.
   */
  async recordFailure(
    id: string,
    input: {
      after: (breaker: Breaker) => Breaker
      broken: boolean
      reason: Reason
      asked: Asked
    },
  ): Promise<void> {
    await this.knex.transaction(async (trx) => {
      const row = await trx("svc_connection").where({ id }).forUpdate().first()
      const { base_url, api_token_fingerprint } = input.asked
      if (row?.base_url !== base_url || row?.api_token_fingerprint !== api_token_fingerprint) return
      if (row.status === "undeclared") return
      const { failures, openUntil } = input.after({
        failures: row.breaker_failures,
        openUntil: row.breaker_open_until?.getTime() ?? null,
      })
      await trx("svc_connection")
        .where({ id })
        .update({
          breaker_failures: failures,
          breaker_open_until: openUntil === null ? null : new Date(openUntil),
          last_error: JSON.stringify({ ...input.reason, at: new Date().toISOString() }),
          ...(input.broken ? { status: "broken" } : {}),
          updated_at: new Date(),
        })
    })
  }

  /**
   * Switches off connections that are not declared any more, and hands them to the admin. Nothing is deleted: a line that
   * is missing from a configuration by mistake must not cost the webhook's key, the inbox and the shows. The receiver
   * goes on answering with the key it has; declared again, the same row is taken over with its history.
   */
  async undeclare(ids: string[]): Promise<void> {
    await this.knex("svc_connection")
      .whereIn("id", ids)
      .update({
        ...NOT_CHECKED,
        managed_by: "admin",
        api_token: null,
        api_token_fingerprint: null,
        status: "undeclared",
        last_error: JSON.stringify({ ...UNDECLARED, at: new Date().toISOString() }),
        updated_at: new Date(),
      })
  }

  /** Takes back a deletion of the row itself; false where there is no such row. What `forget` deleted is gone. */
  async revive(id: string): Promise<boolean> {
    const revived = await this.knex("svc_connection")
      .where({ id })
      .whereNotNull("deleted_at")
      .update({ deleted_at: null })
    return revived === 1
  }

  /**
   * Disconnects: deletes the token and everything that was learned or is waiting, in one transaction. Attributions
   * stay, with the shows that they name: they are the merchant's bookkeeping.
   */
  async forget(ids: string[]): Promise<void> {
    await this.knex.transaction(async (trx) => {
      // Whoever writes shows of these connections ends first, and finds no connection after us.
      for (const id of [...ids].sort()) await lockShows(trx, id)
      // The connection before its products, as `resume` locks them.
      await trx("svc_connection").select("id").whereIn("id", ids).orderBy("id").forUpdate()
      await trx("svc_catalog_item")
        .select("id")
        .whereIn("connection_id", ids)
        .orderBy(["connection_id", "product_id"])
        .forUpdate()
      for (const table of FORGOTTEN) await trx(table).whereIn("connection_id", ids).delete()
      await trx("svc_live_event as event")
        .whereIn("event.connection_id", ids)
        .whereNotExists(
          trx("svc_attribution as sale").whereRaw(
            "sale.connection_id = event.connection_id AND sale.campaign_uid = event.campaign_uid",
          ),
        )
        .whereNotExists(
          trx("svc_show_order_line as line").whereRaw(
            "line.connection_id = event.connection_id AND line.campaign_uid = event.campaign_uid",
          ),
        )
        .delete()
      await trx("svc_connection")
        .whereIn("id", ids)
        .update({ api_token: null, deleted_at: trx.fn.now(), updated_at: trx.fn.now() })
    })
  }

  /**
   * Closes the breaker and makes everything due that waited for this connection. The 24 hours until a dead letter
   * start anew: rows that waited for a person for longer would otherwise be given up at the next failure.
   *
   * @param asked who answered that all is well; null where a person entered a token, whatever it is
   * @returns false where the connection has another address or token by now, or is deleted: nothing is changed
   */
  async resume(id: string, asked: Asked | null): Promise<boolean> {
    return this.knex.transaction(async (trx) => {
      const resumed = await trx("svc_connection")
        .where({ id, deleted_at: null, ...asked })
        .update({
          status: "active",
          last_error: null,
          breaker_failures: 0,
          breaker_open_until: null,
          updated_at: new Date(),
        })
      if (resumed === 0) return false
      // In the order in which every statement locks many of these rows.
      await trx.raw(
        `WITH waiting AS (
           SELECT id FROM svc_catalog_item
           WHERE connection_id = :id AND wanted > acknowledged
             AND (next_attempt_at > now() OR failing_since IS NOT NULL)
           ORDER BY connection_id, product_id FOR UPDATE
         )
         UPDATE svc_catalog_item item SET next_attempt_at = NULL, failing_since = NULL
         FROM waiting WHERE item.id = waiting.id`,
        { id },
      )
      await trx("svc_catalog_pace")
        .where({ connection_id: id })
        .update({ hold_until: trx.raw(HELD_BY_SERVICE), accepted: 0, refused: 0 })
      await trx("svc_attribution")
        .where({ connection_id: id, state: "waiting" })
        .whereNotNull("next_attempt_at")
        .update({ next_attempt_at: null, failing_since: null })
      return true
    })
  }
}
