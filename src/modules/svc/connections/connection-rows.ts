import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Endpoint } from "../../../client"
import type { Connection } from "../models"
import type { Holds } from "../shared/holds"
import { HOLDS_NUMBER } from "../shared/holds-number"
import { pageOf } from "../shared/page-of"
import type { Reason } from "../shared/reason"
import { lockShows } from "../shared/shows-lock"
import { askForWork } from "../shows/connection-work"
import { type LastCheck, NOT_CHECKED, UNDECLARED } from "./connection-state"

/**
 * What deliveries of a page told, as far as no order names it. Deliveries before their subscriber, and that before what was
 * refused, as the receiver locks them.
 */
const OF_PAGE = [
  "svc_delivery",
  "svc_webhook",
  "svc_refused_delivery",
  "svc_connection_work",
  "svc_event_product",
] as const

/** Products, then payloads, then imports, as a worker that settles locks them; then what its page told. */
const FORGOTTEN = [
  "svc_catalog_item",
  "svc_catalog_payload",
  "svc_catalog_import",
  "svc_catalog_pace",
  "svc_hold",
  ...OF_PAGE,
] as const

/** Each process says each minute what it has declared; ten that are missed are no hiccup. */
const DECLARED_FOR = "10 minutes"

async function forgetShows(trx: Knex.Transaction, connectionIds: string[]): Promise<void> {
  await trx("svc_live_event as event")
    .whereIn("event.connection_id", connectionIds)
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
}

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

/** SQL: the error that is written is of this endpoint, or of all, as a refused token is; or none is written. */
const CONCERNS = "coalesce(last_error->>'endpoint', '') IN ('', ?)"

/**
 * SQL: nobody has met the error again for two hours, and nobody will: its report has ended without a call, as that of an order
 * that is cancelled, or its show. A try that fails writes it anew, and reports are tried within an hour.
 */
const HAS_PASSED = `last_error->>'endpoint' IN ('orders', 'prices')
  AND CAST(last_error->>'at' AS timestamptz) < now() - interval '2 hours'`

/** SQL: the status without an error. Nobody has asked with a token that was just entered. */
const ONCE_ANSWERED = "CASE WHEN token_accepted_at IS NULL THEN 'unchecked' ELSE 'active' END"

/** What calls of the service change of a connection: its status and its last error. */
export class ConnectionRows {
  constructor(
    private readonly knex: Knex,
    private readonly holds: Holds,
  ) {}

  /** A connection as its row is now; null where it was deleted. */
  async find(id: string): Promise<Connection | null> {
    const { rows } = await this.knex.raw<{ rows: Connection[] }>(
      "SELECT * FROM svc_connection WHERE id = :id AND deleted_at IS NULL",
      { id },
    )
    return rows[0] ?? null
  }

  /** Says of connections which store they are connected by: of those that nobody said it of, or of this one anew. */
  async claim(host: string | null, id?: string): Promise<void> {
    await this.knex("svc_connection")
      .modify((rows) => (id === undefined ? rows.whereNull("store_host") : rows.where({ id })))
      .update({ store_host: host })
  }

  /**
   * The service answered as it should, so it has accepted the token. That another endpoint fails stays written until a
   * call there is answered, or nobody meets it any more. Written only where it changes something: calls on a healthy
   * connection write nothing.
   *
   * Only the list of webhooks shows that it is the service; another web server may say yes to whatever it is sent.
   */
  async recordSuccess(id: string, asked: Asked, endpoint: Endpoint): Promise<void> {
    const row = () => this.knex("svc_connection").where({ id, ...asked })
    if (endpoint === "webhooks") {
      await row().whereNull("token_accepted_at").update({ token_accepted_at: this.knex.fn.now() })
    }
    await row()
      .whereNotNull("token_accepted_at")
      .andWhere((one) => one.whereNotNull("last_error").orWhereNot("status", "active"))
      .andWhere((one) => one.whereRaw(CONCERNS, [endpoint]).orWhereRaw(HAS_PASSED))
      .update({ last_error: null, status: "active", token_refused: false, updated_at: new Date() })
  }

  /** An endpoint has answered, be it a price or a refusal of this one thing: for it alone, because that proves no token. */
  async endError(id: string, endpoint: Endpoint): Promise<void> {
    await this.knex("svc_connection")
      .where({ id, token_refused: false })
      .whereRaw("last_error->>'endpoint' = ?", [endpoint])
      .update({
        last_error: null,
        status: this.knex.raw(ONCE_ANSWERED),
        updated_at: new Date(),
      })
  }

  /**
   * Writes columns, JSON as a whole. Medusa's own update merges JSON with what stands there: a rule that was taken out would
   * stay, and one that nobody can read could never be mended. A connection that was deleted meanwhile is given nothing: a
   * token that was just entered would stay in its row.
   *
   * @param merged JSON of which only some settings are changed: those beside them stay as they are when it is written, also
   *   where somebody else has just changed one. What was never set has the value in `base`
   */
  async write(
    id: string,
    columns: Partial<Connection>,
    merged: Partial<Record<"catalog" | "report_settings", { base: object; changes: object }>> = {},
  ): Promise<void> {
    const isJson = (value: unknown) =>
      typeof value === "object" && value !== null && !(value instanceof Date)
    await this.knex("svc_connection")
      .where({ id, deleted_at: null })
      .update({
        ...Object.fromEntries(
          Object.entries(columns).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, isJson(value) ? JSON.stringify(value) : value]],
          ),
        ),
        ...Object.fromEntries(
          Object.entries(merged).map(([name, { base, changes }]) => [
            name,
            this.knex.raw(
              "CAST(? AS jsonb) || CASE jsonb_typeof(??) WHEN 'object' THEN ?? ELSE '{}' END || CAST(? AS jsonb)",
              [JSON.stringify(base), name, name, JSON.stringify(changes)],
            ),
          ]),
        ),
        updated_at: new Date(),
      })
  }

  /**
   * Lets a token open the feed.
   *
   * @param replace also where another one does
   * @returns false where another one does already
   */
  async openFeed(
    id: string,
    columns: Pick<Connection, "feed_token_hash" | "feed_token_created_at">,
    replace: boolean,
  ): Promise<boolean> {
    const opened = await this.knex("svc_connection")
      .where({ id, deleted_at: null })
      .modify((rows) => (replace ? rows : rows.whereNull("feed_token_hash")))
      .update({ ...columns, updated_at: new Date() })
    return opened === 1
  }

  /**
   * Shows a failure that holds nothing. One that is there already stays, but where baskets get no prices: people are told of
   * that at once. A refused token always stays.
   */
  async noteError(id: string, reason: Reason, endpoint: Endpoint): Promise<void> {
    await this.knex("svc_connection")
      .where({ id, token_refused: false })
      .whereNot("status", "undeclared")
      .modify((one) => reason.code !== "lookups_failing" && one.whereNull("last_error"))
      .update({
        last_error: JSON.stringify({ ...reason, endpoint, at: new Date().toISOString() }),
        status: "broken",
      })
  }

  /** Keeps what a check found. A service that refused the check itself is not well either, whoever it is. */
  async recordCheck(id: string, asked: Asked, check: LastCheck): Promise<void> {
    const kept = await this.knex("svc_connection")
      .where({ id, ...asked })
      .update({ last_check: JSON.stringify(check), updated_at: new Date() })
    if (kept === 1 && check.reason) await this.noteError(id, check.reason, "webhooks")
  }

  /**
   * Records a failed call and what it holds, under the row's lock. A failure of another endpoint that is there already stays,
   * and so does a refused token: the success that ends this one would hide it. So does what baskets have met, which is told.
   *
   * What a call met that was made with another address or token than the connection has by now is not counted. That a
   * connection without its declaration has no token holds its calls, and is written no second time.
   *
   * @param input.reason shown on the connection; null where the failure says nothing about it
   */
  async recordFailure(
    id: string,
    input: {
      endpoint: Endpoint
      refused: boolean
      reason: Reason | null
      asked: Asked
      hold: (on: Knex) => Promise<void>
    },
  ): Promise<void> {
    await this.knex.transaction(async (trx) => {
      const row = await trx("svc_connection").where({ id }).forUpdate().first()
      const { base_url, api_token_fingerprint } = input.asked
      if (row?.base_url !== base_url || row?.api_token_fingerprint !== api_token_fingerprint) return
      await input.hold(trx)
      const { reason, refused, endpoint } = input
      if (!reason || row.status === "undeclared") return
      await trx("svc_connection")
        .where({ id })
        .modify((one) => {
          if (refused) return
          one
            .where({ token_refused: false })
            .whereRaw(CONCERNS, [endpoint])
            .whereRaw("coalesce(last_error->>'code', '') <> 'lookups_failing'")
        })
        .update({
          last_error: JSON.stringify({
            ...reason,
            ...(refused ? {} : { endpoint }),
            at: new Date().toISOString(),
          }),
          status: "broken",
          ...(refused ? { token_refused: true } : {}),
          updated_at: new Date(),
        })
    })
  }

  /** The ids of those that were declared, and that no process has declared for a while as they are. */
  abandoned(): Promise<string[]> {
    return this.#abandoned().pluck("id")
  }

  #abandoned() {
    return this.knex("svc_connection")
      .where({ managed_by: "environment", deleted_at: null })
      .whereRaw("coalesce(declared_at < now() - CAST(? AS interval), true)", [DECLARED_FOR])
  }

  /**
   * Notes that connections are declared in this process, and switches off those that no process has declared for a while:
   * one with an older list, as a rolling deploy starts some, must not take a connection from those that have it. Nothing is
   * deleted: a line that is missing from a configuration by mistake must not cost the webhook's key, the inbox and the
   * shows. The receiver goes on answering with the key it has; declared again, the same row is taken over with its history.
   */
  async undeclareAllBut(ids: string[]): Promise<void> {
    await this.knex("svc_connection").whereIn("id", ids).update({ declared_at: this.knex.fn.now() })
    await this.#abandoned()
      .whereNotIn("id", ids)
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

  /**
   * Takes back a deletion of the row itself, at the page where it is now: the one that it had may be another's by now. What
   * `forget` deleted is gone.
   *
   * @returns false where there is no such row
   */
  async revive(
    id: string,
    { page_uid, base_url }: Pick<Connection, "page_uid" | "base_url">,
  ): Promise<boolean> {
    const revived = await this.knex("svc_connection")
      .where({ id })
      .whereNotNull("deleted_at")
      .update({ page_uid, base_url, store_host: null, deleted_at: null })
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
      // Each lets go of an order number that nobody was told.
      await trx("svc_attribution")
        .whereIn("connection_id", ids)
        .where({ state: "waiting" })
        .update({ next_attempt_at: null })
      await forgetShows(trx, ids)
      await trx("svc_connection").whereIn("id", ids).update({
        api_token: null,
        left_page: null,
        deleted_at: trx.fn.now(),
        updated_at: trx.fn.now(),
      })
    })
  }

  /**
   * Forgets what another page or service told, because the connection has moved: its deliveries, its shows and the
   * webhook there. Shows that sold something keep their names, and are not shown any more.
   */
  async forgetPage(id: string): Promise<void> {
    await this.knex.transaction(async (trx) => {
      await lockShows(trx, id)
      // A delivery that is just being kept is kept before this, or judged by the page that the connection has then.
      await trx("svc_connection").select("id").where({ id }).forUpdate()
      for (const table of OF_PAGE) await trx(table).where({ connection_id: id }).delete()
      await forgetShows(trx, [id])
      await trx("svc_live_event")
        .where({ connection_id: id })
        .update({ absent_at: trx.fn.now(), needs_reread: false, updated_at: trx.fn.now() })
      await trx("svc_connection").where({ id }).update({ left_page: null })
      // Whoever is killed right after this leaves the lists of the page that it has now to the next worker.
      await askForWork(trx, "listings", [id], "requested")
    })
  }

  /**
   * Ends what holds calls back and makes everything due that waited for this connection.
   *
   * @param asked who answered that all is well; null where a person entered a token, whatever it is
   * @returns false where the connection has another address or token by now, or is deleted: nothing is changed
   */
  async resume(id: string, asked: Asked | null): Promise<boolean> {
    return this.knex.transaction(async (trx) => {
      const [resumed] = await trx<Connection>("svc_connection")
        .where({ id, deleted_at: null, ...asked })
        .update({
          status: trx.raw(ONCE_ANSWERED),
          token_refused: false,
          last_error: null,
          updated_at: new Date(),
        })
        .returning(["base_url", "page_uid"])
      if (!resumed) return false
      await this.holds.resume(id, { on: trx })
      // In the order in which every statement locks many of these rows.
      await trx.raw(
        `WITH waiting AS (
           SELECT id FROM svc_catalog_item
           WHERE connection_id = :id AND wanted > acknowledged AND next_attempt_at > now()
           ORDER BY connection_id, product_id FOR UPDATE
         )
         UPDATE svc_catalog_item item SET next_attempt_at = NULL
         FROM waiting WHERE item.id = waiting.id`,
        { id },
      )
      // Beside what waits: reports that failed at a page which was left, to be ended, and those of one that is back.
      await trx.raw(
        `UPDATE svc_attribution SET state = 'waiting', next_attempt_at = NULL
         WHERE connection_id = :id AND deleted_at IS NULL AND (
           state = 'waiting' AND next_attempt_at IS NOT NULL
           OR state = 'failed' AND page <> :page AND ${HOLDS_NUMBER}
           OR state = 'excluded' AND reason_code = 'page_left' AND page = :page)`,
        { id, page: pageOf(resumed) },
      )
      // Listings that could not be read, and the like; what has no reason is to be done later.
      await trx("svc_connection_work")
        .where({ connection_id: id })
        .whereNotNull("reason_code")
        .update({ next_attempt_at: null })
      return true
    })
  }
}
