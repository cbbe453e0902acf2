import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Crumb } from "../../../components/crumb"
import { PageLayout } from "../../../components/page-layout"
import { OrderTable } from "./order-table"

const OrdersPage = () => (
  <PageLayout zone="svc_order.list" sections={{ SvcOrderTable: <OrderTable /> }} />
)

export const config = defineRouteConfig({
  label: "menu.orders",
  rank: 2,
  translationNs: "svc",
})
export const handle = { breadcrumb: () => <Crumb text="menu.orders" /> }

export default OrdersPage
