import { Tooltip } from "@medusajs/ui"
import { useText } from "../../../hooks/use-text"
import { formatNumber } from "../../../lib/format"

/** Beside a number of orders: how many more came from a show, in which nothing was sold at its price. */
export const OrdersApart = ({ count }: { count: number }) => {
  const { t, locale } = useText()
  if (count === 0) return null
  return (
    <Tooltip content={t("campaigns.withoutShowLines")}>
      <span className="text-ui-fg-subtle">{` + ${formatNumber(count, locale)}`}</span>
    </Tooltip>
  )
}
