import type { ResultRow } from "../../../../workflows/orders"
import { difference, shownAmount } from "../../../money"

/**
 * What was sold in one currency. Amounts in major units with VAT: `net` is `gross` less `discounts` and `refunded`, `tax`
 * is the VAT in `net`, and `net_without_tax` is `net` less `tax`.
 */
export const resultView = (row: ResultRow) => {
  const amount = (exact: string) => shownAmount(exact, row.currency_code)
  return {
    ...row,
    units: Number(row.units),
    gross: amount(row.gross),
    discounts: amount(row.discounts),
    refunded: amount(row.refunded),
    net: amount(row.net),
    tax: amount(row.tax),
    net_without_tax: shownAmount(difference(row.net, row.tax), row.currency_code),
    unpaid: amount(row.unpaid),
  }
}
