import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { Link } from "react-router-dom"
import { connectionColumn } from "../../../components/columns"
import { ListTable } from "../../../components/list-table"
import { RowLink } from "../../../components/row-link"
import { useCampaigns } from "../../../hooks/api/orders"
import { type ConnectionNames, useConnectionNames } from "../../../hooks/use-connection-names"
import { useCsv } from "../../../hooks/use-csv"
import { useConnectionFilter, useDateFilter } from "../../../hooks/use-table-filters"
import { useTableQuery } from "../../../hooks/use-table-query"
import { useText } from "../../../hooks/use-text"
import { formatNumber } from "../../../lib/format"
import { ordersSearch } from "../../../lib/order"
import type { Campaign } from "../../../lib/types"
import { figureColumns } from "./figure-columns"
import { OrdersApart } from "./orders-apart"

const ON_A_PHONE = ["name", "net"] as const

export const CampaignTable = () => {
  const query = useTableQuery({ filters: ["connection_id"], span: "sold_at", order: "-net" })
  const list = useCampaigns(query)
  const connections = useConnectionNames()
  const connectionFilter = useConnectionFilter(connections)
  const dateFilter = useDateFilter("sold_at", "campaigns.sold")
  const csv = useCsv("/campaigns", query)
  const columns = useColumns(connections)

  return (
    <ListTable
      texts="campaigns"
      list={list}
      rows={list.data?.campaigns}
      columns={columns}
      phoneColumns={ON_A_PHONE}
      filters={[dateFilter, ...connectionFilter]}
      actions={[csv]}
      // A campaign that sold in two currencies has a row for each.
      getRowId={(row: Campaign) => `${row.connection_id}/${row.campaign_uid}/${row.currency_code}`}
    />
  )
}

const helper = createDataTableColumnHelper<Campaign>()

function useColumns(connections: ConnectionNames) {
  const { t, locale } = useText()

  return useMemo(() => {
    return [
      helper.accessor("name", {
        header: t("campaigns.columns.name"),
        enableSorting: true,
        cell: ({ row: { original } }) =>
          original.event_id ? (
            <RowLink to={`/svc/shows/${original.event_id}`}>
              {original.name || original.campaign_uid}
            </RowLink>
          ) : (
            original.name || original.campaign_uid
          ),
      }),
      ...connectionColumn<Campaign>(t, connections),
      helper.accessor("orders", {
        header: t("campaigns.columns.orders"),
        align: "right",
        size: 110,
        enableSorting: true,
        cell: ({ row: { original } }) => (
          <span className="tabular-nums">
            <Link
              to={`/svc/orders${ordersSearch(original)}`}
              aria-label={`${t("campaigns.columns.orders")}: ${formatNumber(original.orders, locale)}`}
              className="hover:text-ui-fg-interactive-hover underline"
            >
              {formatNumber(original.orders, locale)}
            </Link>
            <OrdersApart count={original.orders_without_show_lines} />
          </span>
        ),
      }),
      ...figureColumns<Campaign>(t, locale),
    ]
  }, [t, locale, connections])
}
