import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/** What one reading of the listings found that no delivery had told (gap 20). */
export const SvcReconciliation = model
  .define("svc_reconciliation", {
    id: model.id({ prefix: "svcrec" }).primaryKey(),
    connection_id: model.text(),
    /** Why the listings were read: see `PULL_CAUSES`. */
    cause: model.text().searchable(),
    started_at: model.dateTime(),
    finished_at: model.dateTime(),
    /** Events in the listings. */
    listed: model.number(),
    /** Whether each listing was whole: only then does it count what it lacks. */
    complete: model.boolean(),
    /** How many differences there were; `differences` has the first of them. */
    found: model.number(),
    /** See `Difference`. */
    differences: model.json(),
  })
  .indexes([{ on: ["connection_id", "started_at"] }])

export type Reconciliation = InferTypeOf<typeof SvcReconciliation>
