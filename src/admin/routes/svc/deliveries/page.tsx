import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Crumb } from "../../../components/crumb"
import { PageLayout } from "../../../components/page-layout"
import { DeliveryTable } from "./delivery-table"

const DeliveriesPage = () => (
  <PageLayout zone="svc_delivery.list" sections={{ SvcDeliveryTable: <DeliveryTable /> }} />
)

export const config = defineRouteConfig({
  label: "menu.deliveries",
  rank: 5,
  translationNs: "svc",
})
export const handle = { breadcrumb: () => <Crumb text="menu.deliveries" /> }

export default DeliveriesPage
