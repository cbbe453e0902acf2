import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { SectionRow } from "@medusajs/dashboard/components"
import type { AdminOrder, DetailWidgetProps } from "@medusajs/types"
import { Button } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { ErrorNotice, ReasonLine } from "../components/error-notice"
import { OrderLines } from "../components/order-lines"
import { ReportAttempts } from "../components/report-attempts"
import { LongText, QuietLine, Section } from "../components/section"
import { StateBadge } from "../components/state-badge"
import { When } from "../components/when"
import { useAttributedOrder, useAttributedOrders } from "../hooks/api/orders"
import { useReportAgain } from "../hooks/use-row-actions"
import { useText } from "../hooks/use-text"
import { formatMoney, formatPercent } from "../lib/format"
import { canBeReported } from "../lib/order"
import type { AttributedOrder } from "../lib/types"

/**
 * On an order's page: which show the order came from, and whether the service was told. Most orders came from none.
 */
const OrderLiveCommerce = ({ data: order }: DetailWidgetProps<AdminOrder>) => {
  const { t } = useText()
  const { data, error, refetch } = useAttributedOrders({ order_id: order.id, limit: 20 })
  const rows = data?.orders.filter(({ order_id }) => order_id === order.id) ?? []

  if (error && !data) {
    return (
      <Section heading={t("widgets.order.heading")}>
        <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />
      </Section>
    )
  }
  if (rows.length === 0) return null
  return (
    <Section heading={t("widgets.order.heading")}>
      {rows.map((row) => (
        <Sale key={row.id} row={row} />
      ))}
    </Section>
  )
}

/** The order under one of its numbers: its show, when it was reported, and what the show took off the catalog's price. */
const Sale = ({ row }: { row: AttributedOrder }) => {
  const { t, locale } = useText()
  const { report, isPending } = useReportAgain()
  const { data } = useAttributedOrder(row.id)
  const detail = data?.order
  const gap = detail?.against_catalog
  const money = (amount: number) => formatMoney(amount, row.currency_code, locale)
  const name = row.campaign_name || row.campaign_uid
  return (
    <>
      <SectionRow
        title={t("widgets.order.campaign")}
        value={
          row.event_id ? (
            <Link
              to={`/svc/shows/${row.event_id}`}
              className="text-ui-fg-base hover:text-ui-fg-subtle underline"
            >
              {name}
            </Link>
          ) : (
            name
          )
        }
      />
      <SectionRow title={t("widgets.order.number")} value={<LongText text={row.svc_order_no} />} />
      <SectionRow
        title={t("widgets.order.state")}
        value={
          <span className="flex flex-wrap items-center gap-2">
            <StateBadge of="order" state={row.state} />
            {row.reported_at && <When at={row.reported_at} exact />}
          </span>
        }
      />
      {!row.has_show_lines ? (
        <QuietLine>{t("orders.nothingSoldLong")}</QuietLine>
      ) : (
        <SectionRow
          title={t("widgets.order.net")}
          value={row.net === null ? "-" : money(row.net)}
        />
      )}
      {gap && (
        <SectionRow
          title={t("widgets.order.gap")}
          value={
            gap.catalog > 0
              ? t("widgets.order.gapShare", {
                  amount: money(gap.difference),
                  share: formatPercent(gap.difference / gap.catalog, locale),
                  catalog: money(gap.catalog),
                })
              : money(gap.difference)
          }
        />
      )}
      <ReasonLine reason={row.reason} className="px-6 py-4" />
      {canBeReported(row) && row.state !== "reported" && row.state !== "waiting" && (
        <div className="px-6 py-4">
          <Button
            size="small"
            variant="secondary"
            isLoading={isPending}
            onClick={() => report(row.id)}
          >
            {t("orders.reportAgain")}
          </Button>
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
