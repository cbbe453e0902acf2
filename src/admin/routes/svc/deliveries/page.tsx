import { defineRouteConfig } from "@medusajs/admin-sdk"
import { ArrowPath } from "@medusajs/icons"
import {
  type Column,
  connectionColumn,
  reasonColumn,
  stateColumn,
  whenColumn,
} from "../../../components/columns"
import { Crumb } from "../../../components/crumb"
import { ListTable } from "../../../components/list-table"
import { PageLayout } from "../../../components/page-layout"
import { RowMenu } from "../../../components/row-menu"
import { whileApplying } from "../../../hooks/api/records"
import { useReplay } from "../../../hooks/use-actions"
import type { Filter } from "../../../hooks/use-table-filters"
import { useText } from "../../../hooks/use-text"
import { DELIVERY_TOPICS, type Delivery } from "../../../lib/types"

const Menu = ({ row: { id, topic } }: { row: Delivery }) => {
  const { t } = useText()
  const { mutate } = useReplay()
  const replay = { icon: <ArrowPath />, label: t("deliveries.replay"), onClick: () => mutate(id) }
  return <RowMenu of={topic} actions={[replay]} />
}

const COLUMNS: Column<Delivery>[] = [
  {
    id: "topic",
    label: "deliveries.columns.topic",
    sort: true,
    phone: true,
    cell: ({ topic }) => topic,
  },
  stateColumn("outcome", "deliveries.columns.outcome", "delivery", 150),
  reasonColumn("deliveries.columns.reason"),
  connectionColumn("deliveries.columns.connection"),
  whenColumn("received_at", "deliveries.columns.received", 150),
  { id: "actions", cell: (row) => <Menu row={row} /> },
]

const FILTERS: Filter[] = [
  { name: "topic", label: "deliveries.columns.topic", kind: "names", names: DELIVERY_TOPICS },
  { name: "outcome", label: "deliveries.columns.outcome", kind: "state", of: "delivery" },
  { name: "received_at", label: "deliveries.columns.received", kind: "span" },
  { name: "connection_id", label: "deliveries.columns.connection", kind: "connections" },
]

const DeliveryTable = () => (
  <ListTable<Delivery>
    texts="deliveries"
    path="/deliveries"
    name="deliveries"
    columns={COLUMNS}
    filters={FILTERS}
    order="-received_at"
    rowId={({ id }) => id}
    href={({ id }) => `/svc/deliveries/${id}`}
    opensOver
    again={whileApplying}
    bulk="/deliveries/replay"
  />
)

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
