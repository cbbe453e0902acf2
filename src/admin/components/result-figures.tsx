import { Text } from "@medusajs/ui"
import { type TextKey, useText } from "../hooks/use-text"
import { formatMoney, formatNumber, formatPercent } from "../lib/format"
import type { Result } from "../lib/types"

/** What was sold in one currency, and what of it is VAT. */
export const ResultFigures = ({ result }: { result: Result }) => {
  const { t, locale } = useText()
  const money = (amount: number) => formatMoney(amount, result.currency_code, locale)
  const share =
    result.conversion_rate === null ? "-" : formatPercent(result.conversion_rate, locale)
  const figures: (readonly [TextKey, string])[] = [
    ["shows.results.net", money(result.net)],
    ["shows.results.orders", formatNumber(result.orders, locale)],
    ["shows.results.units", formatNumber(result.units, locale)],
    // A sum of several shows has none.
    ...(result.carts === null ? [] : [["shows.results.conversion", share] as const]),
    ["shows.results.gross", money(result.gross)],
    ["shows.results.discounts", money(result.discounts)],
    ["shows.results.refunded", money(result.refunded)],
    ["shows.results.netWithoutTax", money(result.net_without_tax)],
  ]
  return (
    <div className="px-6 py-4">
      <dl className="grid grid-cols-2 gap-4 md:grid-cols-4">
        {figures.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="txt-compact-small text-ui-fg-subtle text-pretty">{t(label)}</dt>
            <dd className="txt-compact-medium-plus text-ui-fg-base tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <Text size="small" className="text-ui-fg-subtle mt-3 text-pretty">
        {t("shows.results.vat", { net: money(result.net), tax: money(result.tax) })}
      </Text>
      {result.unpaid > 0 && (
        <Text size="small" className="text-ui-fg-subtle mt-3">
          {t("shows.results.unpaid", { amount: money(result.unpaid) })}
        </Text>
      )}
      {result.cancelled_orders > 0 && (
        <Text size="small" className="text-ui-fg-subtle mt-3">
          {t("shows.results.cancelled", { count: result.cancelled_orders })}
        </Text>
      )}
      {result.orders_without_show_lines > 0 && (
        <Text size="small" className="text-ui-fg-subtle mt-3">
          {t("shows.results.withoutShowLines", { count: result.orders_without_show_lines })}
        </Text>
      )}
    </div>
  )
}
