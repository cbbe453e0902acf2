import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { SvcError } from "../../../client"
import type { ReportAttempt } from "../models"

const SHOWN = 50

/** Calls of `POST /processOrders`, each written before it is made. */
export class ReportAttempts {
  constructor(private readonly knex: Knex) {}

  /** Writes that a call begins. @returns its id */
  async begin(attributionId: string): Promise<string> {
    const id = generateEntityId(undefined, "svcrep")
    await this.knex("svc_report_attempt").insert({
      id,
      attribution_id: attributionId,
      started_at: this.knex.raw("clock_timestamp()"),
    })
    return id
  }

  /** Whether an earlier call of this attribution was accepted, and whether one was or may have been. */
  async toldSoFar(attributionId: string): Promise<{ told: boolean; mayHaveTold: boolean }> {
    const outcomes: string[] = await this.knex("svc_report_attempt")
      .where({ attribution_id: attributionId })
      .whereNull("deleted_at")
      .distinct()
      .pluck("outcome")
    return {
      told: outcomes.includes("accepted"),
      mayHaveTold: outcomes.some((outcome) => outcome !== "refused"),
    }
  }

  /**
   * How many answers of this kind to this report were followed by another report of the connection that was taken: then the
   * answer is about this one, and not about the endpoint.
   */
  async passedBetween(
    { id, connection_id }: { id: string; connection_id: string },
    statuses: number[],
  ): Promise<number> {
    const { rows } = await this.knex.raw<{ rows: [{ passed: number }] }>(
      `SELECT count(DISTINCT refused.id)::int AS passed
         FROM svc_report_attempt refused
         JOIN svc_report_attempt taken ON taken.started_at > refused.finished_at
         JOIN svc_attribution other ON other.id = taken.attribution_id
         WHERE refused.attribution_id = :id AND refused.status = ANY(:statuses) AND refused.deleted_at IS NULL
           AND taken.outcome = 'accepted' AND taken.deleted_at IS NULL
           AND other.connection_id = :connection_id AND other.deleted_at IS NULL`,
      { id, connection_id, statuses },
    )
    return rows[0].passed
  }

  async accepted(id: string): Promise<void> {
    await this.#end(id, { outcome: "accepted" })
  }

  async failed(id: string, error: SvcError): Promise<void> {
    await this.#end(id, {
      outcome: error.mayHaveBeenCarriedOut ? "unknown" : "refused",
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
