import { BigNumber, getLineItemTotals, MathBN } from "@medusajs/framework/utils"
import type { LineVersion, SnapshotLine, SnapshotShipping } from "./order-snapshot"

/** A decimal number that is calculated with exactly. */
export type Num = ReturnType<typeof MathBN.convert>
export const ZERO: Num = MathBN.convert(0)

/** What a line, a shipping method or a credit comes to. Amounts in major units with tax, `tax` being the tax in it. */
export type Totals = { quantity: Num; amount: Num; tax: Num; discount: Num }
export const NOTHING: Totals = { quantity: ZERO, amount: ZERO, tax: ZERO, discount: ZERO }

type Numbers = { [Name in keyof Totals]: Num | string }
export const plus = (a: Numbers, b: Numbers): Totals => ({
  quantity: MathBN.add(a.quantity, b.quantity),
  amount: MathBN.add(a.amount, b.amount),
  tax: MathBN.add(a.tax, b.tax),
  discount: MathBN.add(a.discount, b.discount),
})
export const minus = (a: Numbers, b: Numbers): Totals => ({
  quantity: MathBN.sub(a.quantity, b.quantity),
  amount: MathBN.sub(a.amount, b.amount),
  tax: MathBN.sub(a.tax, b.tax),
  discount: MathBN.sub(a.discount, b.discount),
})
export const isNothing = (totals: Totals): boolean =>
  Object.values(totals).every((amount) => MathBN.eq(amount, 0))

/** What Medusa says for a line at one version: less what came back, discounts spread evenly over the pieces. */
export function lineTotals(line: SnapshotLine, version: number): Totals {
  const row = line.versions.find((each) => each.version === version)
  // A line that was taken out has no row; one of no pieces would have Medusa divide by nothing.
  if (!row || MathBN.eq(row.quantity, 0)) return NOTHING
  return totalsOf(
    {
      ...line,
      unitPrice: row.unitPrice ?? line.unitPrice,
      adjustments: line.adjustments.filter((adjustment) => adjustment.version === version),
    },
    row,
  )
}

/** The same for a shipping method, which Medusa calculates as it does one piece. */
export function shippingTotals(method: SnapshotShipping, version: number): Totals {
  if (!method.versions.some((each) => each.version === version)) return NOTHING
  const adjustments = method.adjustments.filter((adjustment) => adjustment.version === version)
  const totals = totalsOf(
    {
      ...method,
      unitPrice: method.amount,
      adjustments: adjustments.map(({ amount }) => ({ amount, isTaxInclusive: false })),
    },
    { quantity: "1", returnReceived: "0", returnDismissed: "0" },
  )
  return { ...totals, quantity: ZERO }
}

type Priced = Pick<SnapshotLine, "id" | "unitPrice" | "isTaxInclusive" | "taxRates"> & {
  adjustments: { amount: string; isTaxInclusive: boolean }[]
}

function totalsOf(
  priced: Priced,
  pieces: Pick<LineVersion, "quantity" | "returnReceived" | "returnDismissed">,
): Totals {
  const none = new BigNumber(0)
  const totals = getLineItemTotals(
    {
      id: priced.id,
      unit_price: new BigNumber(priced.unitPrice),
      quantity: new BigNumber(pieces.quantity),
      is_tax_inclusive: priced.isTaxInclusive,
      tax_lines: priced.taxRates.map((rate) => ({ rate: Number(rate) })),
      adjustments: priced.adjustments.map(({ amount, isTaxInclusive }) => ({
        amount: new BigNumber(amount),
        is_tax_inclusive: isTaxInclusive,
      })),
      // Of these only what came back changes the total.
      detail: {
        return_received_quantity: new BigNumber(pieces.returnReceived),
        return_dismissed_quantity: new BigNumber(pieces.returnDismissed),
        return_requested_quantity: none,
        fulfilled_quantity: none,
        delivered_quantity: none,
        shipped_quantity: none,
        written_off_quantity: none,
      },
    },
    {},
  )
  return {
    quantity: MathBN.sub(pieces.quantity, pieces.returnReceived, pieces.returnDismissed),
    amount: MathBN.convert(totals.total),
    tax: MathBN.convert(totals.tax_total),
    discount: MathBN.convert(totals.discount_total),
  }
}
