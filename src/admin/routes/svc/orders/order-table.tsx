import { PaperPlane } from "@medusajs/icons"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useLocation } from "react-router-dom"
import { ListTable } from "../../../components/list-table"
import { ReasonCell } from "../../../components/reason-cell"
import { RowLink } from "../../../components/row-link"
import { RowMenu } from "../../../components/row-menu"
import { SoldAmount } from "../../../components/sold-amount"
import { OrderStateBadge } from "../../../components/state-badge"
import { When } from "../../../components/when"
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

function useColumns({ several }: ConnectionNames) {
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
        cell: ({ getValue }) => <OrderStateBadge state={getValue()} />,
      }),
      helper.accessor("gross", {
        header: t("orders.columns.amount"),
        align: "right",
        cell: ({ row: { original } }) => <SoldAmount order={original} />,
      }),
      helper.accessor("placed_at", {
        header: t("orders.columns.placed"),
        enableSorting: true,
        size: 130,
        truncateTooltip: false,
        cell: ({ getValue }) => <When at={getValue()} />,
      }),
      // Behind what everybody looks for: on a narrow screen these are reached by scrolling.
      helper.accessor("reason", {
        header: t("orders.columns.reason"),
        truncateTooltip: false,
        cell: ({ getValue }) => <ReasonCell reason={getValue()} />,
      }),
      helper.accessor("svc_order_no", { header: t("orders.columns.number") }),
      ...(several
        ? [
            helper.accessor("connection_id", {
              header: t("orders.columns.connection"),
              // Also of a connection that was deleted.
              cell: ({ row: { original } }) => original.connection_name ?? "-",
            }),
          ]
        : []),
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
    [t, search, several, report],
  )
}
