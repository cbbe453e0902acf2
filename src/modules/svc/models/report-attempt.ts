import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * One call of `POST /processOrders`. Written before the call and completed after it: one that has no end was made by a
 * process that died, and the service may have carried it out.
 *
 * `unknown` (no answer, or one that says nothing) -> `accepted` | `refused`
 */
export const SvcReportAttempt = model
  .define("svc_report_attempt", {
    id: model.id({ prefix: "svcrep" }).primaryKey(),
    attribution_id: model.text(),
    started_at: model.dateTime(),
    finished_at: model.dateTime().nullable(),
    outcome: model.enum(["unknown", "accepted", "refused"]).default("unknown"),
    /** HTTP status of the answer; null where there was none. */
    status: model.number().nullable(),
    code: model.text().nullable(),
    message: model.text().nullable(),
    /** The beginning of the answer's body. */
    excerpt: model.text().nullable(),
  })
  .indexes([{ on: ["attribution_id", "started_at"] }, { on: ["started_at"] }])

export type ReportAttempt = InferTypeOf<typeof SvcReportAttempt>
