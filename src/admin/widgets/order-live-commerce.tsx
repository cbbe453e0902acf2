import { defineWidgetConfig } from "@medusajs/admin-sdk"
import type { AdminOrder, DetailWidgetProps } from "@medusajs/types"
import { ErrorNotice } from "../components/error-notice"
import { Facts } from "../components/facts"
import { OrderDetail } from "../components/order-detail"
import { PressButton } from "../components/press-button"
import { Loaded, Section } from "../components/section"
import { StateBadge } from "../components/state-badge"
import { useOrder, useOrders } from "../hooks/api/records"
import { useReportAgain } from "../hooks/use-actions"
import { useText } from "../hooks/use-text"
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

const Sale = ({ row }: { row: AttributedOrder }) => {
  const { t } = useText()
  const report = useReportAgain()
  return (
    <>
      <Facts of={{ "orders.columns.state": <StateBadge of="order" state={row.state} /> }} />
      {canBeReported(row) && row.state !== "reported" && row.state !== "waiting" && (
        <div className="px-6 py-4">
          <PressButton press={report} input={row.id}>
            {t("orders.reportAgain")}
          </PressButton>
        </div>
      )}
      <Loaded query={useOrder(row.id)} rows={4}>
        {({ order }) => <OrderDetail order={order} />}
      </Loaded>
    </>
  )
}

export const config = defineWidgetConfig({
  id: "medusa-plugin-svc:order",
  zone: "order.details.side.after",
})

export default OrderLiveCommerce
