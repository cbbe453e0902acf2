import { Heading, Text } from "@medusajs/ui"
import { useId } from "react"
import { useText } from "../hooks/use-text"
import { formatDateTime, formatMoney, formatNumber } from "../lib/format"
import { sentOut } from "../lib/order"
import type { AttributedOrderDetail } from "../lib/types"

type OrderLinesProps = { order: AttributedOrderDetail }

/** What of the order a show sold: at which price, and how the store knew that price. */
export const OrderLines = ({ order }: OrderLinesProps) => {
  const { t, locale } = useText()
  const headingId = useId()
  if (order.lines.length === 0) return null
  const money = (amount: number) => formatMoney(amount, order.currency_code, locale)
  const beside = sentOut(order)
  const priceOf = ({ unit_price, catalog_price }: AttributedOrderDetail["lines"][number]) =>
    catalog_price === null
      ? t("orders.lines.price", { price: money(unit_price) })
      : t("orders.lines.priceInsteadOf", {
          price: money(unit_price),
          catalog: money(catalog_price),
        })
  return (
    <section className="divide-y border-t" aria-labelledby={headingId}>
      <Heading level="h3" id={headingId} className="px-6 py-4">
        {t("orders.lines.heading")}
      </Heading>
      {order.lines.map((line) => (
        <div key={line.line_item_id} className="flex flex-col gap-y-1 px-6 py-3">
          <Earned
            by={t("orders.lines.pieces", {
              quantity: formatNumber(line.quantity, locale),
              title: line.title ?? "-",
            })}
            amount={money(line.net)}
          />
          <Text size="small" className="text-ui-fg-subtle">
            {line.proof.is_tax_inclusive
              ? priceOf(line)
              : t("orders.withoutVat", { amount: priceOf(line) })}
          </Text>
          <Text size="small" className="text-ui-fg-subtle">
            {t("orders.lines.proof", {
              from: formatDateTime(line.proof.fetched_at, locale),
              to: formatDateTime(line.proof.expires_at, locale),
            })}
          </Text>
        </div>
      ))}
      {beside !== 0 && (
        <div className="px-6 py-3">
          <Earned by={t("orders.lines.sentOut")} amount={money(beside)} />
        </div>
      )}
    </section>
  )
}

const Earned = ({ by, amount }: { by: string; amount: string }) => (
  <div className="flex items-start justify-between gap-x-3">
    <Text size="small" weight="plus" className="min-w-0 break-words">
      {by}
    </Text>
    <Text size="small" weight="plus" className="shrink-0 tabular-nums">
      {amount}
    </Text>
  </div>
)
