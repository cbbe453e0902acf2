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
import { statesOf } from "../../../components/state-badge"
import { whileApplying } from "../../../hooks/api/records"
import { canBeReplayed, useReplay } from "../../../hooks/use-actions"
import type { Filter } from "../../../hooks/use-table-filters"
import { CHANGES, type Delivery } from "../../../lib/types"

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
]

const FILTERS: Filter[] = [
  {
    name: "topic",
    label: "deliveries.columns.topic",
    kind: "values",
    values: [...CHANGES, "svc.test"].map((value) => ({ value })),
  },
  {
    name: "outcome",
    label: "deliveries.columns.outcome",
    kind: "values",
    values: statesOf("delivery"),
  },
  { name: "received_at", label: "deliveries.columns.received", kind: "span" },
  { name: "connection_id", label: "deliveries.columns.connection", kind: "connections" },
]

const DeliveryTable = () => {
  const { mutate: replay } = useReplay()
  return (
    <ListTable<Delivery>
      texts="deliveries"
      path="/deliveries"
      columns={COLUMNS}
      rowActions={[
        {
          icon: <ArrowPath />,
          label: "deliveries.replay",
          act: ({ id }) => replay(id),
          when: canBeReplayed,
        },
      ]}
      filters={FILTERS}
      order="-received_at"
      rowId={({ id }) => id}
      href={({ id }) => `/svc/deliveries/${id}`}
      opensOver
      again={whileApplying}
      bulk="/deliveries/replay"
    />
  )
}

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
