import { defineWidgetConfig } from "@medusajs/admin-sdk"
import type { AdminOrder, DetailWidgetProps } from "@medusajs/types"
import { ErrorNotice, ReasonLine } from "../components/error-notice"
import { Facts } from "../components/facts"
import { OrderLines } from "../components/order-lines"
import { PressButton } from "../components/press-button"
import { ReportAttempts } from "../components/report-attempts"
import { LongText, QuietLine, Section } from "../components/section"
import { ShowLink } from "../components/show-link"
import { StateBadge } from "../components/state-badge"
import { When } from "../components/when"
import { useOrder, useOrders } from "../hooks/api/records"
import { useReportAgain } from "../hooks/use-actions"
import { useText } from "../hooks/use-text"
import { formatMoney, formatPercent } from "../lib/format"
import { canBeReported } from "../lib/order"
import type { AttributedOrder } from "../lib/types"

/**
 * On an order's page: which show the order came from, and whether the service was told. Most orders came from none.
 */
const OrderLiveCommerce = ({ data: order }: DetailWidgetProps<AdminOrder>) => {
  const { t } = useText()
  const { data, error, refetch } = useOrders({ order_id: order.id, limit: 20 })
  const rows = data?.orders.filter(({ order_id }) => order_id === order.id) ?? []
  if (rows.length === 0 && !error) return null
  return (
    <Section heading={t("widgets.order.heading")}>
      {error && <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />}
      {rows.map((row) => (
        <Sale key={row.id} row={row} />
      ))}
    </Section>
  )
}

/** The order under one of its numbers: its show, when it was reported, and what the show took off the catalog's price. */
const Sale = ({ row }: { row: AttributedOrder }) => {
  const { t, locale } = useText()
  const report = useReportAgain()
  const detail = useOrder(row.id).data?.order
  const gap = detail?.against_catalog
  const money = (amount: number) => formatMoney(amount, row.currency_code, locale)
  return (
    <>
      <Facts
        of={{
          "widgets.order.campaign": <ShowLink of={row} />,
          "widgets.order.number": <LongText text={row.svc_order_no} />,
          "widgets.order.state": (
            <span className="flex flex-wrap items-center gap-2">
              <StateBadge of="order" state={row.state} />
              {row.reported_at && <When at={row.reported_at} exact />}
            </span>
          ),
          "widgets.order.net": row.has_show_lines && (row.net === null ? "-" : money(row.net)),
          "widgets.order.gap":
            gap &&
            (gap.catalog > 0
              ? t("widgets.order.gapShare", {
                  amount: money(gap.difference),
                  share: formatPercent(gap.difference / gap.catalog, locale),
                  catalog: money(gap.catalog),
                })
              : money(gap.difference)),
        }}
      />
      {!row.has_show_lines && <QuietLine>{t("orders.nothingSoldLong")}</QuietLine>}
      <ReasonLine reason={row.reason} className="px-6 py-4" />
      {canBeReported(row) && row.state !== "reported" && row.state !== "waiting" && (
        <div className="px-6 py-4">
          <PressButton press={report} input={row.id}>
            {t("orders.reportAgain")}
          </PressButton>
        </div>
      )}
      {detail && <ReportAttempts attempts={detail.report_attempts} />}
      {detail && (
        <OrderLines
          order={{
            ...detail,
            lines: detail.lines.filter(({ campaign_uid }) => campaign_uid === row.campaign_uid),
          }}
        />
      )}
    </>
  )
}

export const config = defineWidgetConfig({
  id: "medusa-plugin-svc:order",
  zone: "order.details.side.after",
})

export default OrderLiveCommerce
