import { createDataTableColumnHelper, Text } from "@medusajs/ui"
import { useMemo } from "react"
import { ListTable } from "../../../components/list-table"
import { useCampaigns } from "../../../hooks/api/orders"
import { type ConnectionNames, useConnectionNames } from "../../../hooks/use-connection-names"
import { useConnectionFilter } from "../../../hooks/use-table-filters"
import { useTableQuery } from "../../../hooks/use-table-query"
import { type TextKey, useText } from "../../../hooks/use-text"
import { formatMoney, formatNumber, formatPercent } from "../../../lib/format"
import type { Campaign } from "../../../lib/types"

export const CampaignTable = () => {
  const { t } = useText()
  const query = useTableQuery({ filters: ["connection_id"] })
  const { data, isPending, error, refetch } = useCampaigns(query)
  const connections = useConnectionNames()
  const connectionFilter = useConnectionFilter(connections)
  const columns = useColumns(connections)
  const words = {
    heading: t("campaigns.empty.heading"),
    description: t("campaigns.empty.description"),
  }

  return (
    <ListTable
      heading={t("campaigns.heading")}
      subHeading={t("campaigns.subheading")}
      data={data?.campaigns}
      rowCount={data?.count}
      isLoading={isPending}
      error={error}
      onRetry={refetch}
      columns={columns}
      filters={connectionFilter}
      enableSearch={false}
      // A campaign that sold in two currencies has a row for each.
      getRowId={(row: Campaign) => `${row.connection_id}/${row.campaign_uid}/${row.currency_code}`}
      empty={words}
      noResults={words}
    />
  )
}

const helper = createDataTableColumnHelper<Campaign>()

function useColumns({ several, nameOf }: ConnectionNames) {
  const { t, locale } = useText()

  return useMemo(() => {
    const amount = (field: "orders" | "units", header: TextKey) =>
      helper.accessor(field, {
        header: t(header),
        align: "right",
        size: 90,
        cell: ({ getValue }) => (
          <span className="tabular-nums">{formatNumber(getValue(), locale)}</span>
        ),
      })
    const money = (field: "gross" | "refunded", header: TextKey) =>
      helper.accessor(field, {
        header: t(header),
        align: "right",
        cell: ({ getValue, row: { original } }) => (
          <span className="tabular-nums">
            {formatMoney(getValue(), original.currency_code, locale)}
          </span>
        ),
      })

    return [
      helper.accessor("name", {
        header: t("campaigns.columns.name"),
        cell: ({ row: { original } }) => (
          <Text size="small" weight="plus" leading="compact" className="text-ui-fg-base truncate">
            {original.name || original.campaign_uid}
          </Text>
        ),
      }),
      ...(several
        ? [
            helper.accessor("connection_id", {
              header: t("campaigns.columns.connection"),
              cell: ({ getValue }) => nameOf(getValue()),
            }),
          ]
        : []),
      amount("orders", "campaigns.columns.orders"),
      amount("units", "campaigns.columns.units"),
      helper.accessor("conversion_rate", {
        header: t("campaigns.columns.conversion"),
        align: "right",
        size: 110,
        cell: ({ getValue }) => {
          const share = getValue()
          return (
            <span className="tabular-nums">
              {share === null ? "-" : formatPercent(share, locale)}
            </span>
          )
        },
      }),
      money("gross", "campaigns.columns.gross"),
      money("refunded", "campaigns.columns.refunded"),
      helper.accessor("net", {
        header: t("campaigns.columns.net"),
        align: "right",
        cell: ({ getValue, row: { original } }) => (
          <Text
            size="small"
            weight="plus"
            leading="compact"
            className="text-ui-fg-base tabular-nums"
          >
            {formatMoney(getValue(), original.currency_code, locale)}
          </Text>
        ),
      }),
    ]
  }, [t, locale, several, nameOf])
}
