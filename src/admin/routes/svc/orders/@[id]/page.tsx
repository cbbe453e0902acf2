import { useParams } from "react-router-dom"
import { Detail, Drawer } from "../../../../components/drawer"
import { OrderDetail } from "../../../../components/order-detail"
import { LinkButton, PressButton } from "../../../../components/press-button"
import { StateBadge } from "../../../../components/state-badge"
import { useOrder } from "../../../../hooks/api/records"
import { useReportAgain } from "../../../../hooks/use-actions"
import { useText } from "../../../../hooks/use-text"
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
      {(data) => <Order order={data.order} />}
    </Drawer>
  )
}

const Order = ({ order }: { order: AttributedOrderDetail }) => {
  const { t } = useText()
  const report = useReportAgain()
  return (
    <Detail
      actions={
        <>
          <LinkButton to={`/orders/${order.order_id}`}>{t("orders.openOrder")}</LinkButton>
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
      <OrderDetail order={order} />
    </Detail>
  )
}

export default OrderDrawer
