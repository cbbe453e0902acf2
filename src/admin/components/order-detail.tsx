import { useText } from "../hooks/use-text"
import { formatMoney, formatPercent } from "../lib/format"
import type { AttributedOrderDetail } from "../lib/types"
import { ReasonLine } from "./error-notice"
import { Facts } from "./facts"
import { OrderLines } from "./order-lines"
import { ReportAttempts } from "./report-attempts"
import { LongText } from "./section"
import { ShowLink } from "./show-link"
import { SoldAmount } from "./sold-amount"
import { When } from "./when"

/** An order under one of its numbers: its show, what it bought there, and what the service was told. */
export const OrderDetail = ({ order }: { order: AttributedOrderDetail }) => {
  const { t, locale } = useText()
  const gap = order.against_catalog
  const money = (amount: number) => formatMoney(amount, order.currency_code, locale)
  const less =
    gap &&
    (gap.catalog > 0
      ? t("orders.gapShare", {
          amount: money(gap.difference),
          share: formatPercent(gap.difference / gap.catalog, locale),
          catalog: money(gap.catalog),
        })
      : money(gap.difference))
  const hasVat = order.lines.every(({ proof }) => proof.is_tax_inclusive)
  return (
    <>
      <ReasonLine reason={order.reason} className="px-6 py-4" />
      <ReasonLine reason={order.ledger_problem} className="px-6 py-4" />
      <div className="divide-y">
        <Facts
          of={{
            "orders.columns.number": <LongText text={order.svc_order_no} />,
            "orders.columns.campaign": <ShowLink of={order} />,
            "orders.columns.connection": order.connection_name ?? "-",
            "orders.columns.amount": order.has_show_lines ? (
              <>
                <SoldAmount order={order} />
                <span className="block">{t("orders.units", { count: order.units ?? 0 })}</span>
              </>
            ) : (
              t("orders.nothingSoldLong")
            ),
            "orders.fields.gap": less && (hasVat ? less : t("orders.withoutVat", { amount: less })),
            "orders.columns.placed": <When at={order.placed_at} exact />,
            "orders.fields.reported": <When at={order.reported_at} never />,
          }}
        />
      </div>
      <OrderLines order={order} />
      <ReportAttempts attempts={order.report_attempts} />
    </>
  )
}
