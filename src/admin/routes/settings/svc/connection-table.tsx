import { PencilSquare, Trash } from "@medusajs/icons"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useNavigate } from "react-router-dom"
import { ListTable } from "../../../components/list-table"
import { RowLink } from "../../../components/row-link"
import { RowMenu } from "../../../components/row-menu"
import { StateBadge } from "../../../components/state-badge"
import { useConnections } from "../../../hooks/api/connections"
import { useRegions, useSalesChannels } from "../../../hooks/api/store"
import { useConnectionActions } from "../../../hooks/use-connection-actions"
import { useTableQuery } from "../../../hooks/use-table-query"
import { useText } from "../../../hooks/use-text"
import type { Connection } from "../../../lib/types"

const ON_A_PHONE = ["name", "status", "actions"] as const

export const ConnectionTable = () => {
  const { t } = useText()
  const navigate = useNavigate()
  const query = useTableQuery({ order: "name" })
  const list = useConnections(query)
  const columns = useColumns()

  return (
    <ListTable
      texts="connections"
      list={list}
      rows={list.data?.connections}
      columns={columns}
      phoneColumns={ON_A_PHONE}
      getRowId={(row: Connection) => row.id}
      rowHref={(row: Connection) => `/settings/svc/${row.id}`}
      action={{ label: t("connections.create"), onClick: () => navigate("create") }}
    />
  )
}

const helper = createDataTableColumnHelper<Connection>()

function useColumns() {
  const { t } = useText()
  const navigate = useNavigate()
  const { remove } = useConnectionActions()
  const { data: regions } = useRegions()
  const { data: channels } = useSalesChannels()

  return useMemo(
    () => [
      helper.accessor("name", {
        header: t("connections.columns.name"),
        enableSorting: true,
        cell: ({ row: { original } }) => (
          <RowLink to={`/settings/svc/${original.id}`}>{original.name}</RowLink>
        ),
      }),
      helper.accessor("page_uid", {
        header: t("connections.columns.page"),
        enableSorting: true,
      }),
      helper.accessor("sales_channel_id", {
        header: t("connections.columns.salesChannel"),
        cell: ({ getValue }) =>
          channels?.sales_channels.find(({ id }) => id === getValue())?.name ?? "",
      }),
      helper.accessor("region_id", {
        header: t("connections.columns.region"),
        cell: ({ getValue }) => regions?.regions.find(({ id }) => id === getValue())?.name ?? "",
      }),
      helper.accessor("status", {
        header: t("connections.columns.status"),
        cell: ({ row: { original } }) => <StateBadge of="connection" state={original.status} />,
      }),
      helper.display({
        id: "actions",
        cell: ({ row: { original } }) => (
          <RowMenu
            of={original.name}
            actions={
              original.managed_by === "environment"
                ? []
                : [
                    {
                      icon: <PencilSquare />,
                      label: t("actions.edit"),
                      onClick: () => navigate(`${original.id}/edit`),
                    },
                    {
                      icon: <Trash />,
                      label: t("actions.delete"),
                      onClick: () => void remove(original),
                    },
                  ]
            }
          />
        ),
      }),
    ],
    [t, navigate, remove, regions, channels],
  )
}
