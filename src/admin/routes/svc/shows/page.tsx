import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Badge } from "@medusajs/ui"
import { type Column, connectionColumn, whenColumn } from "../../../components/columns"
import { Crumb } from "../../../components/crumb"
import { ListTable } from "../../../components/list-table"
import { PageLayout } from "../../../components/page-layout"
import { ShowState, statesOf } from "../../../components/state-badge"
import type { Filter } from "../../../hooks/use-table-filters"
import { useText } from "../../../hooks/use-text"
import type { LiveEvent } from "../../../lib/types"

const Name = ({ row }: { row: LiveEvent }) => {
  const { t } = useText()
  return (
    <span className="flex min-w-0 items-center gap-x-2">
      <span className="truncate">{row.name || row.event_id}</span>
      {!row.is_published && !row.deleted_at && (
        <Badge size="2xsmall">{t("shows.unpublished")}</Badge>
      )}
    </span>
  )
}

const Kind = ({ row: { kind } }: { row: LiveEvent }) => useText().t(`shows.kind.${kind}`)

const COLUMNS: Column<LiveEvent>[] = [
  {
    id: "name",
    label: "shows.columns.name",
    sort: true,
    phone: true,
    cell: (row) => <Name row={row} />,
  },
  {
    id: "status",
    label: "shows.columns.status",
    size: 130,
    phone: true,
    cell: (row) => <ShowState event={row} />,
  },
  { id: "kind", label: "shows.columns.kind", size: 120, cell: (row) => <Kind row={row} /> },
  connectionColumn("shows.columns.connection"),
  whenColumn("starts_at", "shows.columns.starts", 200, { exact: true }),
]

const KINDS = [
  { value: "live", word: "shows.kind.live" },
  { value: "shoppable", word: "shows.kind.shoppable" },
] as const

const FILTERS: Filter[] = [
  {
    name: "status",
    label: "shows.columns.status",
    kind: "values",
    // The list does not narrow by "deleted": it is no status of the service.
    values: statesOf("show").filter(({ value }) => value !== "deleted"),
  },
  { name: "kind", label: "shows.columns.kind", kind: "values", values: KINDS },
  { name: "connection_id", label: "shows.columns.connection", kind: "connections" },
]

const ShowTable = () => (
  <ListTable<LiveEvent>
    texts="shows"
    path="/live-events"
    columns={COLUMNS}
    filters={FILTERS}
    order="-starts_at"
    rowId={({ id }) => id}
    href={({ id }) => `/svc/shows/${id}`}
  />
)

const ShowsPage = () => (
  <PageLayout zone="svc_show.list" sections={{ SvcShowTable: <ShowTable /> }} />
)

export const config = defineRouteConfig({
  label: "menu.shows",
  rank: 1,
  translationNs: "svc",
})
export const handle = { breadcrumb: () => <Crumb text="menu.shows" /> }

export default ShowsPage
