import { Button } from "@medusajs/ui"
import { Link, useParams } from "react-router-dom"
import { Detail, Drawer } from "../../../../components/drawer"
import { ReasonLine } from "../../../../components/error-notice"
import { Facts } from "../../../../components/facts"
import { OrderLines } from "../../../../components/order-lines"
import { PressButton } from "../../../../components/press-button"
import { ReportAttempts } from "../../../../components/report-attempts"
import { LongText } from "../../../../components/section"
import { ShowLink } from "../../../../components/show-link"
import { SoldAmount } from "../../../../components/sold-amount"
import { StateBadge } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { useOrder } from "../../../../hooks/api/records"
import { useReportAgain } from "../../../../hooks/use-actions"
import { useText } from "../../../../hooks/use-text"
import { formatNumber } from "../../../../lib/format"
import { canBeReported, numberOf } from "../../../../lib/order"
import type { AttributedOrderDetail } from "../../../../lib/types"

const OrderDrawer = () => {
  const { id = "" } = useParams()
  const query = useOrder(id)
  const order = query.data?.order
  return (
    <Drawer
      title={order && numberOf(order)}
      state={order && <StateBadge of="order" state={order.state} />}
      query={query}
    >
      {(data) => <OrderDetail order={data.order} />}
    </Drawer>
  )
}

const OrderDetail = ({ order }: { order: AttributedOrderDetail }) => {
  const { t, locale } = useText()
  const report = useReportAgain()
  return (
    <Detail
      actions={
        <>
          <Button size="small" variant="secondary" asChild>
            <Link to={`/orders/${order.order_id}`}>{t("orders.openOrder")}</Link>
          </Button>
          {canBeReported(order) && (
            <PressButton
              press={report}
              input={order.id}
              // What is done already is not what a person came for.
              variant={order.state === "reported" ? "secondary" : "primary"}
            >
              {t("orders.reportAgain")}
            </PressButton>
          )}
        </>
      }
    >
      <ReasonLine reason={order.reason} className="px-6 pt-2" />
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
            "orders.columns.placed": <When at={order.placed_at} exact />,
            "orders.fields.attempts": formatNumber(order.attempts, locale),
            "orders.fields.reported": <When at={order.reported_at} never />,
          }}
        />
      </div>
      <OrderLines order={order} />
      <ReportAttempts attempts={order.report_attempts} />
    </Detail>
  )
}

export default OrderDrawer
