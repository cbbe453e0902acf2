import { useText } from "../hooks/use-text"
import { formatMoney } from "../lib/format"
import { whyNotCounted } from "../lib/order"
import type { AttributedOrder } from "../lib/types"

type Sold = Pick<
  AttributedOrder,
  "has_show_lines" | "gross" | "net" | "currency_code" | "canceled_at" | "left_out" | "unpaid"
>

/**
 * What an order bought at prices of a show. Below it, why that is not among the results, and what is left of it after discounts and
 * refunds.
 */
export const SoldAmount = ({ order }: { order: Sold }) => {
  const { t, locale } = useText()
  const { gross, net, currency_code, canceled_at } = order
  if (!order.has_show_lines) return t("orders.nothingSold")
  // Its ledger is not made yet.
  if (gross === null || net === null) return "-"
  const money = (amount: number) => formatMoney(amount, currency_code, locale)
  const why = whyNotCounted(order)
  const notes = [
    why && t(why),
    !canceled_at && net !== gross && t("orders.net", { amount: money(net) }),
  ]
  return (
    <span className="tabular-nums">
      {money(gross)}
      {notes.map(
        (note) =>
          note && (
            <span key={note} className="txt-compact-xsmall text-ui-fg-subtle block">
              {note}
            </span>
          ),
      )}
    </span>
  )
}
