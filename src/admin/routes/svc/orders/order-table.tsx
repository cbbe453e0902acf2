import { PaperPlane } from "@medusajs/icons"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useLocation } from "react-router-dom"
import { connectionColumn, reasonColumn, whenColumn } from "../../../components/columns"
import { ListTable } from "../../../components/list-table"
import { RowLink } from "../../../components/row-link"
import { RowMenu } from "../../../components/row-menu"
import { SoldAmount } from "../../../components/sold-amount"
import { StateBadge } from "../../../components/state-badge"
import { useAttributedOrders } from "../../../hooks/api/orders"
import { useReportMatching } from "../../../hooks/use-bulk-actions"
import { type ConnectionNames, useConnectionNames } from "../../../hooks/use-connection-names"
import { useCsv } from "../../../hooks/use-csv"
import { useReportAgain } from "../../../hooks/use-row-actions"
import {
  useCampaignFilter,
  useChoiceFilter,
  useConnectionFilter,
  useDateFilter,
} from "../../../hooks/use-table-filters"
import { useTableQuery } from "../../../hooks/use-table-query"
import { useText } from "../../../hooks/use-text"
import { canBeReported, numberOf } from "../../../lib/order"
import { type AttributedOrder, ORDER_STATES, type OrderState } from "../../../lib/types"

const wordOf = (state: OrderState) => `orders.state.${state}` as const

const ON_A_PHONE = ["display_id", "state", "gross"] as const

export const OrderTable = () => {
  const { search } = useLocation()
  const query = useTableQuery({
    filters: ["state", "campaign_uid", "connection_id"],
    span: "placed_at",
    order: "-placed_at",
  })
  const list = useAttributedOrders(query)
  const connections = useConnectionNames()
  const connectionFilter = useConnectionFilter(connections)
  const stateFilter = useChoiceFilter("state", "orders.columns.state", ORDER_STATES, wordOf)
  const campaignFilter = useCampaignFilter(query)
  const dateFilter = useDateFilter("placed_at", "orders.columns.placed")
  const csv = useCsv("/orders", query)
  const reportMatching = useReportMatching(query, list.data?.count)
  const columns = useColumns(connections)

  return (
    <ListTable
      texts="orders"
      list={list}
      rows={list.data?.orders}
      columns={columns}
      phoneColumns={ON_A_PHONE}
      filters={[stateFilter, campaignFilter, dateFilter, ...connectionFilter]}
      actions={[csv, ...reportMatching]}
      getRowId={(row: AttributedOrder) => row.id}
      rowHref={(row: AttributedOrder) => `/svc/orders/${row.id}${search}`}
    />
  )
}

const helper = createDataTableColumnHelper<AttributedOrder>()

function useColumns(connections: ConnectionNames) {
  const { t } = useText()
  const { search } = useLocation()
  const { report } = useReportAgain()

  return useMemo(
    () => [
      helper.accessor("display_id", {
        header: t("orders.columns.order"),
        enableSorting: true,
        size: 110,
        cell: ({ row: { original } }) => (
          <RowLink to={`/svc/orders/${original.id}${search}`}>{numberOf(original)}</RowLink>
        ),
      }),
      helper.accessor("campaign_uid", {
        header: t("orders.columns.campaign"),
        cell: ({ row: { original } }) => (
          <span className="block max-w-56 truncate">
            {original.campaign_name || original.campaign_uid}
          </span>
        ),
      }),
      helper.accessor("state", {
        header: t("orders.columns.state"),
        enableSorting: true,
        size: 170,
        cell: ({ getValue }) => <StateBadge of="order" state={getValue()} />,
      }),
      helper.accessor("gross", {
        header: t("orders.columns.amount"),
        align: "right",
        cell: ({ row: { original } }) => <SoldAmount order={original} />,
      }),
      whenColumn<"placed_at", AttributedOrder>("placed_at", t("orders.columns.placed"), 130),
      // Behind what everybody looks for: on a narrow screen these are reached by scrolling.
      reasonColumn<AttributedOrder>(t("orders.columns.reason")),
      helper.accessor("svc_order_no", { header: t("orders.columns.number") }),
      ...connectionColumn<AttributedOrder>(t, connections),
      helper.display({
        id: "actions",
        cell: ({ row: { original } }) => (
          <RowMenu
            of={numberOf(original)}
            actions={
              canBeReported(original)
                ? [
                    {
                      icon: <PaperPlane />,
                      label: t("orders.reportAgain"),
                      onClick: () => report(original.id),
                    },
                  ]
                : []
            }
          />
        ),
      }),
    ],
    [t, search, connections, report],
  )
}
