import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { SvcError } from "../../../client"
import type { ReportAttempt } from "../models"
import type { AttributionRow } from "./attribution-rows"

const SHOWN = 50
const ERASED = "What was said about this report was erased with the customer."
/** Reasons of ours that repeat the service's answer, or what the store's own code or database said. */
const REPEATING = ["order_conflict", "report_fields_failed", "report_store_error"]

/** Calls of `POST /processOrders`, each written before it is made. */
export class ReportAttempts {
  constructor(private readonly knex: Knex) {}

  /**
   * Writes that a call begins.
   *
   * @returns its id, and whether the service may have been told this number before: by a call that it accepted, or by one
   *   that has no known end, because its answer was lost or the process that made it died
   */
  async begin(row: AttributionRow): Promise<{ id: string; mayHaveTold: boolean }> {
    const { connection_id, svc_order_no } = row
    const earlier = await this.knex("svc_report_attempt")
      .where({ connection_id, svc_order_no })
      .whereIn("outcome", ["unknown", "accepted"])
      .whereNull("deleted_at")
      .first("id")
    const id = generateEntityId(undefined, "svcrep")
    await this.knex("svc_report_attempt").insert({
      id,
      attribution_id: row.id,
      connection_id,
      svc_order_no,
      started_at: this.knex.raw("clock_timestamp()"),
    })
    return { id, mayHaveTold: earlier !== undefined }
  }

  /**
   * What earlier calls of this attribution came to: told for sure, perhaps (no answer came, or the process died), or not at
   * all.
   */
  async toldSoFar(attributionId: string): Promise<"accepted" | "unknown" | "no"> {
    const calls = await this.knex("svc_report_attempt")
      .where({ attribution_id: attributionId })
      .where((call) =>
        call.where({ outcome: "accepted" }).orWhere({ outcome: "unknown", status: null }),
      )
      .whereNull("deleted_at")
      .distinct("outcome")
    if (calls.length === 0) return "no"
    return calls.some(({ outcome }) => outcome === "accepted") ? "accepted" : "unknown"
  }

  async accepted(id: string): Promise<void> {
    await this.#end(id, { outcome: "accepted" })
  }

  async failed(id: string, error: SvcError): Promise<void> {
    await this.#end(id, {
      outcome: error.notCarriedOut ? "refused" : "unknown",
      status: error.status,
      code: error.code,
      message: error.message,
      excerpt: error.excerpt,
    })
  }

  /** Attempts of an attribution, the latest first. */
  async of(attributionId: string): Promise<ReportAttempt[]> {
    return this.knex<ReportAttempt>("svc_report_attempt")
      .where({ attribution_id: attributionId })
      .whereNull("deleted_at")
      .orderBy("started_at", "desc")
      .limit(SHOWN)
  }

  /** Forgets what the service answered about these orders. */
  async eraseAnswers(orderIds: string[]): Promise<void> {
    if (orderIds.length === 0) return
    await this.knex("svc_report_attempt")
      .whereIn(
        "attribution_id",
        this.knex("svc_attribution")
          .whereIn("order_id", orderIds)
          .whereNull("deleted_at")
          .select("id"),
      )
      .whereNull("deleted_at")
      .update({ excerpt: null })
    await this.knex("svc_attribution")
      .whereIn("order_id", orderIds)
      .whereNull("deleted_at")
      .where((reason) =>
        reason.whereLike("reason_code", "svc_%").orWhereIn("reason_code", REPEATING),
      )
      .update({ reason_message: ERASED, reason_params: null })
  }

  /**
   * Forgets calls that began before a moment, a batch. Those of an attribution that still waits are kept: they say whether
   * the service may have been told.
   *
   * @returns how many
   */
  async prune(before: Date, limit: number): Promise<number> {
    return this.knex("svc_report_attempt")
      .whereIn(
        "id",
        this.knex("svc_report_attempt AS attempt")
          .where("attempt.started_at", "<", before)
          .whereNull("attempt.deleted_at")
          .whereNotExists(
            this.knex("svc_attribution AS report")
              .whereRaw("report.id = attempt.attribution_id AND report.deleted_at IS NULL")
              .where("report.state", "waiting"),
          )
          .select("attempt.id")
          .limit(limit),
      )
      .delete()
  }

  async #end(id: string, columns: Record<string, unknown>): Promise<void> {
    await this.knex("svc_report_attempt")
      .where({ id })
      .update({
        ...columns,
        finished_at: this.knex.raw("clock_timestamp()"),
        updated_at: this.knex.fn.now(),
      })
  }
}
