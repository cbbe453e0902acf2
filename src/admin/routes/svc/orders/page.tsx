import { defineRouteConfig } from "@medusajs/admin-sdk"
import { PaperPlane } from "@medusajs/icons"
import { type Column, connectionColumn, reasonColumn } from "../../../components/columns"
import { Crumb } from "../../../components/crumb"
import { ListTable } from "../../../components/list-table"
import { AMOUNT, NUMBER, PLACED, STATE } from "../../../components/order-columns"
import { PageLayout } from "../../../components/page-layout"
import { RowMenu } from "../../../components/row-menu"
import { whileReporting } from "../../../hooks/api/records"
import { useReportAgain } from "../../../hooks/use-actions"
import type { Filter } from "../../../hooks/use-table-filters"
import { useText } from "../../../hooks/use-text"
import { canBeReported, numberOf } from "../../../lib/order"
import type { AttributedOrder } from "../../../lib/types"

const Menu = ({ row }: { row: AttributedOrder }) => {
  const { t } = useText()
  const { mutate } = useReportAgain()
  if (!canBeReported(row)) return null
  const label = t("orders.reportAgain")
  const report = { icon: <PaperPlane />, label, onClick: () => mutate(row.id) }
  return <RowMenu of={numberOf(row)} actions={[report]} />
}

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
  { id: "actions", cell: (row) => <Menu row={row} /> },
]

const FILTERS: Filter[] = [
  { name: "state", label: "orders.columns.state", kind: "state", of: "order" },
  { name: "campaign_uid", label: "orders.columns.campaign", kind: "campaigns" },
  { name: "placed_at", label: "orders.columns.placed", kind: "span" },
  { name: "connection_id", label: "orders.columns.connection", kind: "connections" },
]

const OrderTable = () => (
  <ListTable<AttributedOrder>
    texts="orders"
    path="/orders"
    name="orders"
    columns={COLUMNS}
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
