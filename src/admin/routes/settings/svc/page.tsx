import { defineRouteConfig } from "@medusajs/admin-sdk"
import { PencilSquare, Trash } from "@medusajs/icons"
import { useNavigate } from "react-router-dom"
import { type Column, stateColumn } from "../../../components/columns"
import { Crumb } from "../../../components/crumb"
import { ListTable } from "../../../components/list-table"
import { PageLayout } from "../../../components/page-layout"
import { useRegionName, useSalesChannelName } from "../../../hooks/api/store"
import { useRemoveConnection } from "../../../hooks/use-actions"
import { useText } from "../../../hooks/use-text"
import type { Connection } from "../../../lib/types"

const Channel = ({ id }: { id: string }) => useSalesChannelName(id)
const Region = ({ id }: { id: string }) => useRegionName(id)

const COLUMNS: Column<Connection>[] = [
  {
    id: "name",
    label: "connections.columns.name",
    sort: true,
    phone: true,
    cell: ({ name }) => name,
  },
  {
    id: "page_uid",
    label: "connections.columns.page",
    sort: true,
    cell: ({ page_uid }) => page_uid,
  },
  {
    id: "sales_channel_id",
    label: "connections.columns.salesChannel",
    cell: ({ sales_channel_id: id }) => <Channel id={id} />,
  },
  {
    id: "region_id",
    label: "connections.columns.region",
    cell: ({ region_id: id }) => <Region id={id} />,
  },
  stateColumn("status", "connections.columns.status", "connection", 170),
]

const ConnectionTable = () => {
  const { t } = useText()
  const navigate = useNavigate()
  const remove = useRemoveConnection()
  return (
    <ListTable<Connection>
      texts="connections"
      path="/connections"
      columns={COLUMNS}
      rowActions={[
        {
          icon: <PencilSquare />,
          label: "actions.edit",
          act: ({ id }) => navigate(`/settings/svc/${id}/edit`),
          when: ({ managed_by }) => managed_by === "admin",
        },
        {
          icon: <Trash />,
          label: "actions.delete",
          act: remove,
          when: ({ managed_by }) => managed_by === "admin",
        },
      ]}
      order="name"
      rowId={({ id }) => id}
      href={({ id }) => `/settings/svc/${id}`}
      action={{ label: t("connections.create"), onClick: () => navigate("create") }}
    />
  )
}

const ConnectionsPage = () => (
  <PageLayout zone="svc_connection.list" sections={{ SvcConnectionTable: <ConnectionTable /> }} />
)

export const config = defineRouteConfig({ label: "menu.settings", translationNs: "svc" })
export const handle = { breadcrumb: () => <Crumb text="menu.settings" /> }

export default ConnectionsPage
