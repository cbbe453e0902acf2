import { Link } from "react-router-dom"
import type { Column } from "../../../../components/columns"
import { ResultFigures } from "../../../../components/result-figures"
import { RowTable } from "../../../../components/row-table"
import { Loaded, QuietLine, Section } from "../../../../components/section"
import { useResults } from "../../../../hooks/api/records"
import { useText } from "../../../../hooks/use-text"
import { formatMoney, formatNumber } from "../../../../lib/format"
import { TIME_ZONE } from "../../../../lib/time-span"
import type { LiveEventDetail, Result } from "../../../../lib/types"
import { onlySold } from "./bars"
import { SalesOverTime } from "./sales-over-time"

/** As many as the route gives: in some of the latest nothing may have been sold. */
const HOURS = 1000

/** What the show has sold, in each currency for itself, and which products. Nothing before it has begun. */
export const ShowResultsSection = ({ event }: { event: LiveEventDetail }) => {
  const { t } = useText()
  const { campaign_uid, connection_id, status } = event
  const isLive = status === "live"
  const ofShow = { campaign_uid, connection_id, order: "-net", limit: 100 }
  const totals = useResults({ ...ofShow, group_by: "campaign" }, isLive)
  const { data: products } = useResults({ ...ofShow, group_by: "product" }, isLive)
  const { data: hours } = useResults(
    { ...ofShow, group_by: "hour", order: "-period", limit: HOURS, timezone: TIME_ZONE },
    isLive,
  )
  const begun = status !== "planned" || (totals.data?.results.length ?? 0) > 0
  if (!begun) return null
  const sold = onlySold(products?.results ?? [])

  return (
    <Section heading={t("shows.results.heading")}>
      <Loaded query={totals} rows={2}>
        {({ results }) =>
          results.length === 0 ? (
            <QuietLine>{t("shows.results.empty")}</QuietLine>
          ) : (
            results.map((result) => <ResultFigures key={result.currency_code} result={result} />)
          )
        }
      </Loaded>
      {hours && <SalesOverTime hours={hours.results} />}
      {sold.length > 0 && (
        <RowTable
          columns={SOLD}
          rows={sold}
          rowId={(row) => `${row.product_id} ${row.currency_code}`}
        />
      )}
    </Section>
  )
}

const Name = ({ row: { product_id, name } }: { row: Result }) =>
  product_id && name ? (
    <Link
      to={`/products/${product_id}`}
      className="text-ui-fg-base hover:text-ui-fg-interactive-hover"
    >
      {name}
    </Link>
  ) : (
    (name ?? "-")
  )

const Units = ({ row: { units } }: { row: Result }) => formatNumber(units, useText().locale)
const Net = ({ row: { net, currency_code } }: { row: Result }) =>
  formatMoney(net, currency_code, useText().locale)

const SOLD: Column<Result>[] = [
  { id: "name", label: "shows.results.products", phone: true, cell: (row) => <Name row={row} /> },
  {
    id: "units",
    label: "shows.results.units",
    phone: true,
    right: true,
    cell: (row) => <Units row={row} />,
  },
  {
    id: "net",
    label: "shows.results.net",
    phone: true,
    right: true,
    cell: (row) => <Net row={row} />,
  },
]
