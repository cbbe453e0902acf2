import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * Requests at the receiver that were not taken, counted by connection and reason: the service drops most of them for
 * good and says nothing, so this is how a person learns why nothing arrives. The last one is kept without its body.
 */
export const SvcRefusedDelivery = model
  .define("svc_refused_delivery", {
    id: model.id({ prefix: "svcref" }).primaryKey(),
    connection_id: model.text(),
    /** See `REFUSAL_REASONS`. */
    reason: model.text(),
    count: model.number().default(0),
    first_at: model.dateTime(),
    last_at: model.dateTime(),
    /** The last one: see `RefusalSample`. */
    sample: model.json(),
  })
  .indexes([{ on: ["connection_id", "reason"], unique: true }])

export type RefusedDelivery = InferTypeOf<typeof SvcRefusedDelivery>
