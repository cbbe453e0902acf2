import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * Requests at the receiver that were not taken, counted by connection and reason: the service drops most of them for
 * good and says nothing, so this is how a person learns why nothing arrives.
 */
export const SvcRefusedDelivery = model
  .define("svc_refused_delivery", {
    id: model.id({ prefix: "svcref" }).primaryKey(),
    connection_id: model.text(),
    /** See `DELIVERY_REFUSALS`. */
    reason: model.text(),
    count: model.number().default(0),
    last_at: model.dateTime(),
    /** Of the last one: our clock less its time, in milliseconds; only of what is too old. */
    off_ms: model.number().nullable(),
  })
  .indexes([{ on: ["connection_id", "reason"], unique: true }])

export type RefusedDelivery = InferTypeOf<typeof SvcRefusedDelivery>
