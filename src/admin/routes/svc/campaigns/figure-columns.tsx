import { clx, createDataTableColumnHelper } from "@medusajs/ui"
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
  const figure = (
    id: keyof Figures,
    label: Parameters<Translate>[0],
    show: (row: Row) => string,
    size?: number,
  ) =>
    helper.accessor((row: Row) => row[id], {
      id,
      header: t(label),
      align: "right",
      ...(size ? { size } : {}),
      enableSorting: true,
      cell: ({ row: { original } }) => (
        <span
          className={clx("tabular-nums", id === "net" && "txt-compact-small-plus text-ui-fg-base")}
        >
          {show(original)}
        </span>
      ),
    })
  const money = (
    id: "gross" | "refunded" | "net" | "net_without_tax",
    label: Parameters<Translate>[0],
  ) => figure(id, label, (row) => formatMoney(row[id], row.currency_code, locale))
  return [
    figure("units", "campaigns.columns.units", ({ units }) => formatNumber(units, locale), 90),
    figure(
      "conversion_rate",
      "campaigns.columns.conversion",
      ({ conversion_rate: share }) => (share === null ? "-" : formatPercent(share, locale)),
      110,
    ),
    money("gross", "campaigns.columns.gross"),
    money("refunded", "campaigns.columns.refunded"),
    money("net", "campaigns.columns.net"),
    money("net_without_tax", "campaigns.columns.netWithoutTax"),
  ]
}
