import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { ListTable } from "../../../components/list-table"
import { RowLink } from "../../../components/row-link"
import { useResults } from "../../../hooks/api/results"
import { useConnectionNames } from "../../../hooks/use-connection-names"
import { useCsv } from "../../../hooks/use-csv"
import { useConnectionFilter, useDateFilter } from "../../../hooks/use-table-filters"
import { useTableQuery } from "../../../hooks/use-table-query"
import { useText } from "../../../hooks/use-text"
import { formatDate, formatNumber } from "../../../lib/format"
import { TIME_ZONE } from "../../../lib/time-span"
import type { Result } from "../../../lib/types"
import { figureColumns } from "./figure-columns"
import { OrdersApart } from "./orders-apart"

const ON_A_PHONE = ["period", "net"] as const

/** What shows sold on each day; a day leads to its campaigns. */
export const DayTable = () => {
  const asked = useTableQuery({ filters: ["connection_id"], span: "sold_at", order: "-period" })
  const query = { ...asked, group_by: "day", timezone: TIME_ZONE }
  const list = useResults(query, false)
  const connectionFilter = useConnectionFilter(useConnectionNames())
  const dateFilter = useDateFilter("sold_at", "campaigns.sold")
  const csv = useCsv("/results", query)
  const columns = useColumns()

  return (
    <ListTable
      texts="campaigns.days"
      list={list}
      rows={list.data?.results}
      columns={columns}
      phoneColumns={ON_A_PHONE}
      filters={[dateFilter, ...connectionFilter]}
      actions={[csv]}
      // A day on which two currencies were sold in has a row for each.
      getRowId={(row: Result) => `${row.period}/${row.currency_code}`}
      rowHref={pathOf}
    />
  )
}

const helper = createDataTableColumnHelper<Result>()

/** The campaigns of that day. */
const pathOf = ({ period }: Result) =>
  `/svc/campaigns?${new URLSearchParams({ sold_at: JSON.stringify({ $gte: period, $lte: period }) })}`

function useColumns() {
  const { t, locale } = useText()
  return useMemo(
    () => [
      helper.accessor("period", {
        header: t("campaigns.columns.day"),
        enableSorting: true,
        cell: ({ row: { original } }) => (
          <RowLink to={pathOf(original)}>{formatDate(original.period ?? "", locale)}</RowLink>
        ),
      }),
      helper.accessor("orders", {
        header: t("campaigns.columns.orders"),
        align: "right",
        size: 110,
        enableSorting: true,
        cell: ({ row: { original } }) => (
          <span className="tabular-nums">
            {formatNumber(original.orders, locale)}
            <OrdersApart count={original.orders_without_show_lines} />
          </span>
        ),
      }),
      ...figureColumns<Result>(t, locale),
    ],
    [t, locale],
  )
}
