import { Badge, createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { connectionColumn, whenColumn } from "../../../components/columns"
import { ListTable } from "../../../components/list-table"
import { RowLink } from "../../../components/row-link"
import { ShowState } from "../../../components/state-badge"
import { useLiveEvents } from "../../../hooks/api/live-events"
import { type ConnectionNames, useConnectionNames } from "../../../hooks/use-connection-names"
import { useChoiceFilter, useConnectionFilter } from "../../../hooks/use-table-filters"
import { useTableQuery } from "../../../hooks/use-table-query"
import { useText } from "../../../hooks/use-text"
import type { EventKind, LiveEvent } from "../../../lib/types"

const STATUSES = ["planned", "live", "processing", "vod", "cancelled", "clip"] as const
const KINDS = ["live", "shoppable"] as const
const statusWord = (status: (typeof STATUSES)[number]) => `shows.status.${status}` as const
const kindWord = (kind: EventKind) => `shows.kind.${kind}` as const

const ON_A_PHONE = ["name", "status"] as const

export const ShowTable = () => {
  const query = useTableQuery({ filters: ["status", "kind", "connection_id"], order: "-starts_at" })
  const list = useLiveEvents(query)
  const connections = useConnectionNames()
  const connectionFilter = useConnectionFilter(connections)
  const statusFilter = useChoiceFilter("status", "shows.columns.status", STATUSES, statusWord)
  const kindFilter = useChoiceFilter("kind", "shows.columns.kind", KINDS, kindWord)
  const columns = useColumns(connections)

  return (
    <ListTable
      texts="shows"
      list={list}
      rows={list.data?.live_events}
      columns={columns}
      phoneColumns={ON_A_PHONE}
      filters={[statusFilter, kindFilter, ...connectionFilter]}
      getRowId={(row: LiveEvent) => row.id}
      rowHref={(row: LiveEvent) => `/svc/shows/${row.id}`}
    />
  )
}

const helper = createDataTableColumnHelper<LiveEvent>()

function useColumns(connections: ConnectionNames) {
  const { t } = useText()
  return useMemo(
    () => [
      helper.accessor("name", {
        header: t("shows.columns.name"),
        enableSorting: true,
        cell: ({ row: { original } }) => (
          <span className="flex min-w-0 items-center gap-x-2">
            <RowLink to={`/svc/shows/${original.id}`}>{original.name || original.event_id}</RowLink>
            {!original.is_published && !original.deleted_at && (
              <Badge size="2xsmall">{t("shows.unpublished")}</Badge>
            )}
          </span>
        ),
      }),
      helper.accessor("status", {
        header: t("shows.columns.status"),
        size: 130,
        cell: ({ row: { original } }) => <ShowState event={original} />,
      }),
      helper.accessor("kind", {
        header: t("shows.columns.kind"),
        size: 120,
        cell: ({ getValue }) => t(kindWord(getValue())),
      }),
      ...connectionColumn<LiveEvent>(t, connections),
      whenColumn<"starts_at", LiveEvent>("starts_at", t("shows.columns.starts"), 200, true),
    ],
    [t, connections],
  )
}
