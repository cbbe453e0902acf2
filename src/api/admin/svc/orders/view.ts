import { type Attribution, reasonOfRow } from "../../../../modules/svc"

/** An attribution as the API shows it. */
export const orderView = (row: Attribution) => ({
  id: row.id,
  order_id: row.order_id,
  display_id: row.display_id,
  cart_id: row.cart_id,
  connection_id: row.connection_id,
  svc_order_no: row.svc_order_no,
  campaign_uid: row.campaign_uid,
  state: row.state,
  reason: reasonOfRow(row),
  currency_code: row.currency_code,
  units: row.units,
  gross: Number(row.gross),
  placed_at: row.placed_at,
  attempts: row.attempts,
  next_attempt_at: row.next_attempt_at,
  reported_at: row.reported_at,
})
