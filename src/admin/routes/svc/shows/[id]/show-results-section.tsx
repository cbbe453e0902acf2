import { Table } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { ResultFigures } from "../../../../components/result-figures"
import { Loaded, QuietLine, Section } from "../../../../components/section"
import { useResults } from "../../../../hooks/api/results"
import { useText } from "../../../../hooks/use-text"
import { formatMoney, formatNumber } from "../../../../lib/format"
import { TIME_ZONE } from "../../../../lib/time-span"
import type { LiveEventDetail, Result } from "../../../../lib/types"
import { SalesOverTime } from "./sales-over-time"

/** The latest hours, in which something was sold: so many bars fit beside each other on a phone. */
const HOURS = 24

/** What the show has sold, in each currency for itself, and which products. Nothing before it has begun. */
export const ShowResultsSection = ({ event }: { event: LiveEventDetail }) => {
  const { t } = useText()
  const isLive = event.status === "live"
  const ofShow = {
    campaign_uid: event.campaign_uid,
    connection_id: event.connection_id,
    order: "-net",
    limit: 100,
  }
  const totals = useResults({ ...ofShow, group_by: "campaign" }, isLive)
  const products = useResults({ ...ofShow, group_by: "product" }, isLive)
  const hours = useResults(
    { ...ofShow, group_by: "hour", order: "-period", limit: HOURS, timezone: TIME_ZONE },
    isLive,
  )
  const begun = event.status !== "planned" || (totals.data?.results.length ?? 0) > 0
  if (!begun) return null

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
      {hours.data && hours.data.results.length > 1 && (
        <SalesOverTime hours={[...hours.data.results].reverse()} />
      )}
      {products.data && products.data.results.length > 0 && (
        <Products results={products.data.results} />
      )}
    </Section>
  )
}

const Products = ({ results }: { results: Result[] }) => {
  const { t, locale } = useText()
  return (
    <div className="overflow-x-auto">
      <Table>
        <Table.Header>
          <Table.Row>
            <Table.HeaderCell>{t("shows.results.products")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{t("shows.results.units")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{t("shows.results.net")}</Table.HeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {results.map((result) => (
            <Table.Row key={`${result.product_id} ${result.currency_code}`}>
              <Table.Cell className="max-w-64 truncate">
                {result.product_id && result.name ? (
                  <Link
                    to={`/products/${result.product_id}`}
                    className="text-ui-fg-base hover:text-ui-fg-interactive-hover"
                  >
                    {result.name}
                  </Link>
                ) : (
                  (result.name ?? "-")
                )}
              </Table.Cell>
              <Table.Cell className="text-right tabular-nums">
                {formatNumber(result.units, locale)}
              </Table.Cell>
              <Table.Cell className="text-right tabular-nums">
                {formatMoney(result.net, result.currency_code, locale)}
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </div>
  )
}
