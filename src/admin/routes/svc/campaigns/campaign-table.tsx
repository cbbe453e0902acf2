import { createDataTableColumnHelper, Text, Tooltip } from "@medusajs/ui"
import { useMemo } from "react"
import { ListTable } from "../../../components/list-table"
import { RowLink } from "../../../components/row-link"
import { useCampaigns } from "../../../hooks/api/orders"
import { type ConnectionNames, useConnectionNames } from "../../../hooks/use-connection-names"
import { useCsv } from "../../../hooks/use-csv"
import { useConnectionFilter, useDateFilter } from "../../../hooks/use-table-filters"
import { useTableQuery } from "../../../hooks/use-table-query"
import { type TextKey, useText } from "../../../hooks/use-text"
import { formatMoney, formatNumber, formatPercent } from "../../../lib/format"
import type { Campaign } from "../../../lib/types"

const ON_A_PHONE = ["name", "net"] as const

export const CampaignTable = () => {
  const { t } = useText()
  const query = useTableQuery({ filters: ["connection_id"], span: "sold_at", order: "-net" })
  const { data, isPending, error, refetch } = useCampaigns(query)
  const connections = useConnectionNames()
  const connectionFilter = useConnectionFilter(connections)
  const dateFilter = useDateFilter("sold_at", "campaigns.sold")
  const csv = useCsv("/campaigns", query)
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
      phoneColumns={ON_A_PHONE}
      filters={[dateFilter, ...connectionFilter]}
      actions={[csv]}
      // A campaign that sold in two currencies has a row for each.
      getRowId={(row: Campaign) => `${row.connection_id}/${row.campaign_uid}/${row.currency_code}`}
      empty={words}
      noResults={{
        heading: t("campaigns.noResults.heading"),
        description: t("campaigns.noResults.description"),
      }}
    />
  )
}

const helper = createDataTableColumnHelper<Campaign>()

function useColumns({ several }: ConnectionNames) {
  const { t, locale } = useText()

  return useMemo(() => {
    const amount = (field: "units", header: TextKey) =>
      helper.accessor(field, {
        header: t(header),
        align: "right",
        size: 90,
        enableSorting: true,
        cell: ({ getValue }) => (
          <span className="tabular-nums">{formatNumber(getValue(), locale)}</span>
        ),
      })
    const money = (field: "gross" | "refunded" | "net_without_tax", header: TextKey) =>
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
      ...(several
        ? [
            helper.accessor("connection_id", {
              header: t("campaigns.columns.connection"),
              // Also of a connection that was deleted.
              cell: ({ row: { original } }) => original.connection_name ?? "-",
            }),
          ]
        : []),
      helper.accessor("orders", {
        header: t("campaigns.columns.orders"),
        align: "right",
        size: 110,
        enableSorting: true,
        cell: ({ row: { original } }) => (
          <span className="tabular-nums">
            {formatNumber(original.orders, locale)}
            {original.orders_without_show_lines > 0 && (
              <Tooltip content={t("campaigns.withoutShowLines")}>
                <span className="text-ui-fg-subtle">
                  {` + ${formatNumber(original.orders_without_show_lines, locale)}`}
                </span>
              </Tooltip>
            )}
          </span>
        ),
      }),
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
      money("net_without_tax", "campaigns.columns.netWithoutTax"),
    ]
  }, [t, locale, several])
}
