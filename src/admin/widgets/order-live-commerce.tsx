import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { SectionRow } from "@medusajs/dashboard/components"
import type { AdminOrder, DetailWidgetProps } from "@medusajs/types"
import { Button } from "@medusajs/ui"
import { Fragment } from "react"
import { ErrorNotice, ReasonLine } from "../components/error-notice"
import { Section } from "../components/section"
import { OrderStateBadge } from "../components/state-badge"
import { useAttributedOrders } from "../hooks/api/orders"
import { useReportAgain } from "../hooks/use-row-actions"
import { useText } from "../hooks/use-text"

/**
 * On an order's page: which show the order came from, and whether the service was told. Most orders came from none.
 */
const OrderLiveCommerce = ({ data: order }: DetailWidgetProps<AdminOrder>) => {
  const { t } = useText()
  const { data, error, refetch } = useAttributedOrders({ order_id: order.id, limit: 20 })
  const { report, isPending } = useReportAgain()
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
        <Fragment key={row.id}>
          <SectionRow
            title={t("widgets.order.campaign")}
            value={row.campaign_name || row.campaign_uid}
          />
          <SectionRow title={t("widgets.order.number")} value={row.svc_order_no} />
          <SectionRow
            title={t("widgets.order.state")}
            value={<OrderStateBadge state={row.state} />}
          />
          <ReasonLine reason={row.reason} className="px-6 py-4" />
          {row.state === "failed" && (
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
        </Fragment>
      ))}
    </Section>
  )
}

export const config = defineWidgetConfig({
  id: "medusa-plugin-svc:order",
  zone: "order.details.side.after",
})

export default OrderLiveCommerce
