import { createDataTableColumnHelper, Text } from "@medusajs/ui"
import type { Text as Translate } from "../../../hooks/use-text"
import { formatMoney, formatNumber, formatPercent } from "../../../lib/format"
import type { Result } from "../../../lib/types"

type Figures = Pick<
  Result,
  "currency_code" | "units" | "conversion_rate" | "gross" | "refunded" | "net" | "net_without_tax"
>

/** The columns of figures that results have, whatever a row is: a campaign or a day. Money is in the row's own currency. */
export function figureColumns<Row extends Figures>(t: Translate, locale: string) {
  const helper = createDataTableColumnHelper<Row>()
  const money = (field: "gross" | "refunded" | "net_without_tax") =>
    helper.accessor((row) => row[field], {
      id: field,
      header: t(
        field === "net_without_tax"
          ? "campaigns.columns.netWithoutTax"
          : `campaigns.columns.${field}`,
      ),
      align: "right",
      enableSorting: true,
      cell: ({ getValue, row: { original } }) => (
        <span className="tabular-nums">
          {formatMoney(getValue(), original.currency_code, locale)}
        </span>
      ),
    })
  const columns = [
    helper.accessor((row) => row.units, {
      id: "units",
      header: t("campaigns.columns.units"),
      align: "right",
      size: 90,
      enableSorting: true,
      cell: ({ getValue }) => (
        <span className="tabular-nums">{formatNumber(getValue(), locale)}</span>
      ),
    }),
    helper.accessor((row) => row.conversion_rate, {
      id: "conversion_rate",
      header: t("campaigns.columns.conversion"),
      align: "right",
      size: 110,
      enableSorting: true,
      cell: ({ getValue }) => {
        const share = getValue()
        return (
          <span className="tabular-nums">
            {share === null ? "-" : formatPercent(share, locale)}
          </span>
        )
      },
    }),
    money("gross"),
    money("refunded"),
    helper.accessor((row) => row.net, {
      id: "net",
      header: t("campaigns.columns.net"),
      align: "right",
      enableSorting: true,
      cell: ({ getValue, row: { original } }) => (
        <Text size="small" weight="plus" leading="compact" className="text-ui-fg-base tabular-nums">
          {formatMoney(getValue(), original.currency_code, locale)}
        </Text>
      ),
    }),
    money("net_without_tax"),
  ]
  return columns
}
