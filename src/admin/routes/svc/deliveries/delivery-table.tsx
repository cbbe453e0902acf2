import { ArrowPath } from "@medusajs/icons"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useLocation } from "react-router-dom"
import { connectionColumn, reasonColumn, whenColumn } from "../../../components/columns"
import { ListTable } from "../../../components/list-table"
import { RowLink } from "../../../components/row-link"
import { RowMenu } from "../../../components/row-menu"
import { StateBadge } from "../../../components/state-badge"
import { useDeliveries } from "../../../hooks/api/deliveries"
import { useReplayMatching } from "../../../hooks/use-bulk-actions"
import { type ConnectionNames, useConnectionNames } from "../../../hooks/use-connection-names"
import { useReplay } from "../../../hooks/use-row-actions"
import {
  useChoiceFilter,
  useConnectionFilter,
  useDateFilter,
  useNameFilter,
} from "../../../hooks/use-table-filters"
import { useTableQuery } from "../../../hooks/use-table-query"
import { useText } from "../../../hooks/use-text"
import {
  DELIVERY_OUTCOMES,
  DELIVERY_TOPICS,
  type Delivery,
  type DeliveryOutcome,
} from "../../../lib/types"

const wordOf = (outcome: DeliveryOutcome) => `deliveries.outcome.${outcome}` as const

const ON_A_PHONE = ["topic", "outcome"] as const

export const DeliveryTable = () => {
  const { search } = useLocation()
  const query = useTableQuery({
    filters: ["topic", "outcome", "connection_id"],
    span: "received_at",
    order: "-received_at",
  })
  const list = useDeliveries(query)
  const connections = useConnectionNames()
  const connectionFilter = useConnectionFilter(connections)
  const outcomeFilter = useChoiceFilter(
    "outcome",
    "deliveries.columns.outcome",
    DELIVERY_OUTCOMES,
    wordOf,
  )
  const topicFilter = useNameFilter("topic", "deliveries.columns.topic", DELIVERY_TOPICS)
  const dateFilter = useDateFilter("received_at", "deliveries.columns.received")
  const replayMatching = useReplayMatching(query, list.data?.count)
  const columns = useColumns(connections)

  return (
    <ListTable
      texts="deliveries"
      list={list}
      rows={list.data?.deliveries}
      columns={columns}
      phoneColumns={ON_A_PHONE}
      filters={[topicFilter, outcomeFilter, dateFilter, ...connectionFilter]}
      actions={replayMatching}
      getRowId={(row: Delivery) => row.id}
      rowHref={(row: Delivery) => `/svc/deliveries/${row.id}${search}`}
    />
  )
}

const helper = createDataTableColumnHelper<Delivery>()

function useColumns(connections: ConnectionNames) {
  const { t } = useText()
  const { search } = useLocation()
  const { replay } = useReplay()

  return useMemo(
    () => [
      helper.accessor("topic", {
        header: t("deliveries.columns.topic"),
        enableSorting: true,
        cell: ({ row: { original } }) => (
          <RowLink to={`/svc/deliveries/${original.id}${search}`}>{original.topic}</RowLink>
        ),
      }),
      helper.accessor("outcome", {
        header: t("deliveries.columns.outcome"),
        size: 150,
        cell: ({ getValue }) => <StateBadge of="delivery" state={getValue()} />,
      }),
      reasonColumn<Delivery>(t("deliveries.columns.reason")),
      ...connectionColumn<Delivery>(t, connections),
      whenColumn<"received_at", Delivery>("received_at", t("deliveries.columns.received"), 150),
      helper.display({
        id: "actions",
        cell: ({ row: { original } }) => (
          <RowMenu
            of={original.topic}
            actions={[
              {
                icon: <ArrowPath />,
                label: t("deliveries.replay"),
                onClick: () => replay(original.id),
              },
            ]}
          />
        ),
      }),
    ],
    [t, search, connections, replay],
  )
}
