import type { LedgerRow } from "../../../../workflows/orders"
import { shownAmount } from "../../../money"

/** An entry of the ledger. Amounts in major units with VAT; negative for what was taken back. */
export const ledgerView = (row: LedgerRow) => {
  const amount = (exact: string) => shownAmount(exact, row.currency_code)
  return {
    id: row.id,
    order_id: row.order_id,
    display_id: row.display_id,
    line_item_id: row.line_item_id,
    product_id: row.product_id,
    variant_id: row.variant_id,
    campaign_uid: row.campaign_uid,
    connection_id: row.connection_id,
    kind: row.kind,
    /** The order's version or cancellation that it comes from. */
    source: row.source,
    quantity: Number(row.quantity),
    amount: amount(row.amount),
    /** The VAT in `amount`. */
    tax: amount(row.tax),
    /** What discounts took off, with VAT. */
    discount: amount(row.discount),
    currency_code: row.currency_code,
    /** False where a rule leaves the order out of the results. */
    counted: row.counted,
    occurred_at: row.occurred_at,
  }
}
