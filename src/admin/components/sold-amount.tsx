import { useText } from "../hooks/use-text"
import { formatMoney } from "../lib/format"
import type { AttributedOrder } from "../lib/types"

type Sold = Pick<
  AttributedOrder,
  "has_show_lines" | "gross" | "net" | "currency_code" | "canceled_at"
>

/** What an order bought at prices of a show, and below it what is left of that: after discounts, refunds or a cancellation. */
export const SoldAmount = ({ order }: { order: Sold }) => {
  const { t, locale } = useText()
  const { gross, net, currency_code } = order
  if (!order.has_show_lines) return t("orders.nothingSold")
  // Its ledger is not made yet.
  if (gross === null || net === null) return "-"
  const money = (amount: number) => formatMoney(amount, currency_code, locale)
  const left = order.canceled_at
    ? t("orders.cancelled")
    : net !== gross && t("orders.net", { amount: money(net) })
  return (
    <span className="tabular-nums">
      {money(gross)}
      {left && <span className="txt-compact-xsmall text-ui-fg-subtle block">{left}</span>}
    </span>
  )
}
