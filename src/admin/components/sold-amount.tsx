import { useText } from "../hooks/use-text"
import { formatMoney } from "../lib/format"
import type { AttributedOrder } from "../lib/types"

type Sold = Pick<AttributedOrder, "units" | "gross" | "net" | "currency_code" | "canceled_at">

/** What an order bought at prices of a show, and below it what is left of that: after discounts, refunds or a cancellation. */
export const SoldAmount = ({ order }: { order: Sold }) => {
  const { t, locale } = useText()
  const money = (amount: number) => formatMoney(amount, order.currency_code, locale)
  if (order.units === 0) return t("orders.nothingSold")
  const left = order.canceled_at
    ? t("orders.cancelled")
    : order.net !== null &&
      order.net !== order.gross &&
      t("orders.net", { amount: money(order.net) })
  return (
    <span className="tabular-nums">
      {money(order.gross)}
      {left && <span className="txt-compact-xsmall text-ui-fg-subtle block">{left}</span>}
    </span>
  )
}
