import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { type Reason, reasonColumns } from "../shared/reason"
import { EXCLUDED } from "./reasons"

/**
 * Ends the freeze of carts whose order is gone: core deletes an order whose payment failed, and the shopper goes on with
 * the same cart. What was to be reported of it is not, and its numbers are free for the order that comes; but one that the
 * service has been told, or may have been, keeps its number, or the same number would be reported twice.
 *
 * In the caller's transaction: nobody finds an order again that counts as looked at and was not forgotten.
 */
export async function forgetDeleted(trx: Knex.Transaction, orderIds: string[]): Promise<void> {
  await trx("svc_cart_order_number")
    .whereRaw("order_id = ANY(?)", [orderIds])
    .whereNull("deleted_at")
    .update({ order_id: null })
  const exclude = (reason: Reason, where: string) =>
    trx("svc_attribution")
      .whereRaw("order_id = ANY(?)", [orderIds])
      .whereNull("deleted_at")
      .whereNot({ state: "excluded" })
      .whereRaw(where)
      .update({
        state: "excluded",
        announce: "excluded",
        next_attempt_at: null,
        lease_until: null,
        lease_token: null,
        updated_at: trx.fn.now(),
        ...reasonColumns(reason),
      })
  await exclude(EXCLUDED.order_cancelled_maybe_told(), MAY_HAVE_TOLD)
  await exclude(EXCLUDED.order_deleted(), "true")
}

/** SQL: the service has the report of this row, or may have it; as `ReportAttempts.toldSoFar` says. */
const MAY_HAVE_TOLD = `(reported_at IS NOT NULL OR EXISTS (
  SELECT 1 FROM svc_report_attempt call
  WHERE call.attribution_id = svc_attribution.id AND call.deleted_at IS NULL
    AND call.outcome <> 'refused'))`
