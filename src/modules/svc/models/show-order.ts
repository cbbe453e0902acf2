import { model } from "@medusajs/framework/utils"

/**
 * An order that came from a show, with how far its ledger is: one row per order, whatever order numbers it has. Written
 * in the same transaction as its attributions and its lines.
 */
export const SvcShowOrder = model
  .define("svc_show_order", {
    id: model.id({ prefix: "svcord" }).primaryKey(),
    order_id: model.text(),
    cart_id: model.text().nullable(),
    display_id: model.number().nullable(),
    currency_code: model.text(),
    placed_at: model.dateTime(),
    /** Version of the order that the ledger was made from; null before the first time. */
    version: model.number().nullable(),
    canceled_at: model.dateTime().nullable(),
    /** Nobody has authorised or paid it yet: it is shown beside the results, and not among them. */
    unpaid: model.boolean().default(false),
    /** Code of the rule by which the order does not count among the results (`orders/reasons.ts`). */
    left_out: model.text().nullable(),
    /** A person said that it counts, whatever rule would leave it out. */
    admitted: model.boolean().default(false),
    /** The ledger has to be made again; a worker does it. */
    dirty: model.boolean().default(true),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    lease_token: model.text().nullable(),
    lease_until: model.dateTime().nullable(),
    /** When the ledger was made last. */
    made_at: model.dateTime().nullable(),
    /** Why the ledger could not be made, the last time that it was tried. */
    reason_code: model.text().nullable(),
    reason_message: model.text().nullable(),
    reason_fix: model.text().nullable(),
    reason_params: model.json().nullable(),
  })
  .indexes([
    { on: ["order_id"], unique: true },
    {
      name: "IDX_svc_show_order_dirty",
      on: ["next_attempt_at", "order_id"],
      where: "dirty AND deleted_at IS NULL",
    },
    { on: ["cart_id"] },
    { on: ["placed_at"] },
    // Beside the results stand the few orders that are not among them.
    {
      name: "IDX_svc_show_order_beside",
      on: ["order_id"],
      where: "(unpaid OR canceled_at IS NOT NULL) AND deleted_at IS NULL",
    },
  ])
