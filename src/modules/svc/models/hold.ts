import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * An endpoint of a connection at which calls fail, and until when it is left alone; for all processes together. There is a
 * row only while calls fail: the first one that succeeds deletes it.
 */
export const SvcHold = model
  .define("svc_hold", {
    id: model.id({ prefix: "svchold" }).primaryKey(),
    connection_id: model.text(),
    /** `Endpoint` of the client; `all` where it concerns the token, and so every endpoint. */
    endpoint: model.text(),
    /** Failed calls in a row. */
    failures: model.number().default(0),
    /** No call before this; after it one call finds out. Null while there were too few failures. */
    until: model.dateTime().nullable(),
    reason_code: model.text().nullable(),
    reason_message: model.text().nullable(),
    reason_fix: model.text().nullable(),
    reason_params: model.json().nullable(),
  })
  .indexes([{ on: ["connection_id", "endpoint"], unique: true }])

export type StoredHold = InferTypeOf<typeof SvcHold>
