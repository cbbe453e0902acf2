import { defineRouteConfig } from "@medusajs/admin-sdk"
import { ArrowUpRightOnBox, PaperPlane } from "@medusajs/icons"
import { useNavigate } from "react-router-dom"
import { type Column, connectionColumn, reasonColumn } from "../../../components/columns"
import { Crumb } from "../../../components/crumb"
import { ListTable } from "../../../components/list-table"
import { AMOUNT, NUMBER, PLACED, STATE } from "../../../components/order-columns"
import { PageLayout } from "../../../components/page-layout"
import { statesOf } from "../../../components/state-badge"
import { whileReporting } from "../../../hooks/api/records"
import { useReportAgain } from "../../../hooks/use-actions"
import type { Filter } from "../../../hooks/use-table-filters"
import { canBeReported } from "../../../lib/order"
import type { AttributedOrder } from "../../../lib/types"

const COLUMNS: Column<AttributedOrder>[] = [
  NUMBER,
  {
    id: "campaign_uid",
    label: "orders.columns.campaign",
    cell: (row) => (
      <span className="block max-w-56 truncate">{row.campaign_name || row.campaign_uid}</span>
    ),
  },
  STATE,
  AMOUNT,
  PLACED,
  // Behind what everybody looks for: on a narrow screen these are reached by scrolling.
  reasonColumn("orders.columns.reason"),
  {
    id: "svc_order_no",
    label: "orders.columns.number",
    cell: ({ svc_order_no }) => svc_order_no,
  },
  connectionColumn("orders.columns.connection"),
]

const FILTERS: Filter[] = [
  { name: "state", label: "orders.columns.state", kind: "values", values: statesOf("order") },
  { name: "campaign_uid", label: "orders.columns.campaign", kind: "campaigns" },
  { name: "placed_at", label: "orders.columns.placed", kind: "span" },
  { name: "connection_id", label: "orders.columns.connection", kind: "connections" },
]

const OrderTable = () => {
  const navigate = useNavigate()
  const { mutate: report } = useReportAgain()
  return (
    <ListTable<AttributedOrder>
      texts="orders"
      path="/orders"
      columns={COLUMNS}
      rowActions={[
        {
          icon: <ArrowUpRightOnBox />,
          label: "orders.openOrder",
          act: ({ order_id }) => navigate(`/orders/${order_id}`),
        },
        {
          icon: <PaperPlane />,
          label: "orders.reportAgain",
          act: ({ id }) => report(id),
          when: canBeReported,
        },
      ]}
      filters={FILTERS}
      order="-placed_at"
      rowId={({ id }) => id}
      href={({ id }) => `/svc/orders/${id}`}
      opensOver
      again={whileReporting}
      csv
      bulk="/orders/report"
    />
  )
}

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
