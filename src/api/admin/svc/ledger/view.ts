import type { LedgerRow } from "../../../../workflows/orders"
import { shownAmount } from "../../../money"

/** An entry of the ledger. Amounts in major units with VAT; negative for what was taken back. */
export const ledgerView = (row: LedgerRow) => {
  const amount = (exact: string) => shownAmount(exact, row.currency_code)
  return {
    ...row,
    quantity: Number(row.quantity),
    amount: amount(row.amount),
    /** The VAT in `amount`. */
    tax: amount(row.tax),
    /** What discounts took off, with VAT. */
    discount: amount(row.discount),
  }
}
