import { Thumbnail } from "@medusajs/dashboard/components"
import { PaperPlane } from "@medusajs/icons"
import { createDataTableColumnHelper, type DataTableRowSelectionState } from "@medusajs/ui"
import { useMemo, useState } from "react"
import { useLocation } from "react-router-dom"
import { connectionColumn, reasonColumn, whenColumn } from "../../../components/columns"
import { ListTable } from "../../../components/list-table"
import { RowLink } from "../../../components/row-link"
import { RowMenu } from "../../../components/row-menu"
import { StateBadge } from "../../../components/state-badge"
import { useSyncedProducts } from "../../../hooks/api/products"
import { useSendMany } from "../../../hooks/use-bulk-actions"
import { type ConnectionNames, useConnectionNames } from "../../../hooks/use-connection-names"
import { useSendNow } from "../../../hooks/use-row-actions"
import {
  useChoiceFilter,
  useConnectionFilter,
  useReasonFilter,
} from "../../../hooks/use-table-filters"
import { useTableQuery } from "../../../hooks/use-table-query"
import { useText } from "../../../hooks/use-text"
import { PRODUCT_STATES, type ProductState, type SyncedProduct } from "../../../lib/types"

const wordOf = (state: ProductState) => `products.state.${state}` as const

const ON_A_PHONE = ["select", "title", "state"] as const

export const ProductTable = () => {
  const { t } = useText()
  const { search } = useLocation()
  const query = useTableQuery({
    filters: ["state", "reason_code", "connection_id"],
    order: "title",
  })
  const list = useSyncedProducts(query)
  const connections = useConnectionNames()
  const connectionFilter = useConnectionFilter(connections)
  const stateFilter = useChoiceFilter("state", "products.columns.state", PRODUCT_STATES, wordOf)
  const reasonFilter = useReasonFilter(query)
  const columns = useColumns(connections)
  const { sendRows, matching } = useSendMany()
  const [selected, setSelected] = useState<DataTableRowSelectionState>({})
  const sendSelected = async () => {
    await sendRows((list.data?.products ?? []).filter(({ id }) => selected[id]))
    setSelected({})
  }

  return (
    <ListTable
      texts="products"
      list={list}
      rows={list.data?.products}
      columns={columns}
      phoneColumns={ON_A_PHONE}
      filters={[stateFilter, reasonFilter, ...connectionFilter]}
      actions={matching(query, list.data?.count)}
      commands={[{ label: t("products.sendNow"), shortcut: "s", action: sendSelected }]}
      rowSelection={{ state: selected, onRowSelectionChange: setSelected }}
      getRowId={(row: SyncedProduct) => row.id}
      rowHref={(row: SyncedProduct) => `/svc/products/${row.id}${search}`}
    />
  )
}

const helper = createDataTableColumnHelper<SyncedProduct>()

function useColumns(connections: ConnectionNames) {
  const { t } = useText()
  const { search } = useLocation()
  const { send } = useSendNow()

  return useMemo(
    () => [
      helper.select(),
      helper.accessor("title", {
        header: t("products.columns.product"),
        enableSorting: true,
        cell: ({ row: { original } }) => (
          <span className="flex min-w-0 items-center gap-x-3 [&>:first-child]:shrink-0">
            <Thumbnail src={original.image} alt="" />
            <RowLink to={`/svc/products/${original.id}${search}`}>{original.title}</RowLink>
          </span>
        ),
      }),
      ...connectionColumn<SyncedProduct>(t, connections),
      helper.accessor("state", {
        header: t("products.columns.state"),
        enableSorting: true,
        size: 140,
        cell: ({ getValue }) => <StateBadge of="product" state={getValue()} />,
      }),
      reasonColumn<SyncedProduct>(t("products.columns.reason")),
      whenColumn<"last_pushed_at", SyncedProduct>(
        "last_pushed_at",
        t("products.columns.lastPushed"),
        140,
      ),
      helper.display({
        id: "actions",
        cell: ({ row: { original } }) => (
          <RowMenu
            of={original.title}
            actions={[
              {
                icon: <PaperPlane />,
                label: t("products.sendNow"),
                onClick: () => send(original.id),
              },
            ]}
          />
        ),
      }),
    ],
    [t, search, connections, send],
  )
}
