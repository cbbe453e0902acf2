import { SectionRow } from "@medusajs/dashboard/components"
import { Button } from "@medusajs/ui"
import { Link, useParams } from "react-router-dom"
import { DetailDrawer } from "../../../../components/detail-drawer"
import { ReasonLine } from "../../../../components/error-notice"
import { OrderLines } from "../../../../components/order-lines"
import { ReportAttempts } from "../../../../components/report-attempts"
import { LongText } from "../../../../components/section"
import { SoldAmount } from "../../../../components/sold-amount"
import { StateBadge } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { useAttributedOrder } from "../../../../hooks/api/orders"
import { useReportAgain } from "../../../../hooks/use-row-actions"
import { useText } from "../../../../hooks/use-text"
import { formatNumber } from "../../../../lib/format"
import { canBeReported, numberOf } from "../../../../lib/order"

const OrderDrawer = () => {
  const { t, locale } = useText()
  const { id = "" } = useParams()
  const { data, error, refetch } = useAttributedOrder(id)
  const { report, isPending } = useReportAgain()
  const order = data?.order

  return (
    <DetailDrawer
      title={order && numberOf(order)}
      state={order && <StateBadge of="order" state={order.state} />}
      error={error}
      onRetry={refetch}
      actions={
        order && (
          <>
            <Button size="small" variant="secondary" asChild>
              <Link to={`/orders/${order.order_id}`}>{t("orders.openOrder")}</Link>
            </Button>
            {canBeReported(order) && (
              <Button
                size="small"
                // What is done already is not what a person came for.
                variant={order.state === "reported" ? "secondary" : "primary"}
                isLoading={isPending}
                onClick={() => report(id)}
              >
                {t("orders.reportAgain")}
              </Button>
            )}
          </>
        )
      }
    >
      {order && (
        <>
          <ReasonLine reason={order.reason} className="px-6 pt-2" />
          <div className="divide-y">
            <SectionRow
              title={t("orders.columns.number")}
              value={<LongText text={order.svc_order_no} />}
            />
            <SectionRow
              title={t("orders.columns.campaign")}
              value={
                order.event_id ? (
                  <Link
                    to={`/svc/shows/${order.event_id}`}
                    className="text-ui-fg-base hover:text-ui-fg-subtle underline"
                  >
                    {order.campaign_name || order.campaign_uid}
                  </Link>
                ) : (
                  order.campaign_name || order.campaign_uid
                )
              }
            />
            <SectionRow
              title={t("orders.columns.connection")}
              value={order.connection_name ?? "-"}
            />
            <SectionRow
              title={t("orders.columns.amount")}
              value={
                !order.has_show_lines ? (
                  t("orders.nothingSoldLong")
                ) : (
                  <>
                    <SoldAmount order={order} />
                    <span className="block">{t("orders.units", { count: order.units ?? 0 })}</span>
                  </>
                )
              }
            />
            <SectionRow
              title={t("orders.columns.placed")}
              value={<When at={order.placed_at} exact />}
            />
            <SectionRow
              title={t("orders.fields.attempts")}
              value={formatNumber(order.attempts, locale)}
            />
            <SectionRow
              title={t("orders.fields.reported")}
              value={<When at={order.reported_at} />}
            />
          </div>
          <OrderLines order={order} />
          <ReportAttempts attempts={order.report_attempts} />
        </>
      )}
    </DetailDrawer>
  )
}

export default OrderDrawer
