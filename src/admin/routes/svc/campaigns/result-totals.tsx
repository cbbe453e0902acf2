import { Heading } from "@medusajs/ui"
import { ErrorNotice } from "../../../components/error-notice"
import { ResultFigures } from "../../../components/result-figures"
import { RowsSkeleton, Section } from "../../../components/section"
import { useResults } from "../../../hooks/api/results"
import { useTableQuery } from "../../../hooks/use-table-query"
import { useText } from "../../../hooks/use-text"

/** So many currencies does no store have. */
const ALL = 100

/** The sums of all that the table below matches, of all its pages, in each currency for itself. */
export const ResultTotals = () => {
  const { t } = useText()
  const { connection_id, from, to, q } = useTableQuery({
    filters: ["connection_id"],
    span: "sold_at",
  })
  const { data, error, refetch } = useResults(
    { connection_id, from, to, q, group_by: "currency", order: "-net", limit: ALL },
    false,
  )
  const several = (data?.results.length ?? 0) > 1
  return (
    <Section heading={t("campaigns.totals.heading")} subheading={t("campaigns.totals.subheading")}>
      {error && <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />}
      {!data && !error && <RowsSkeleton rows={3} />}
      {data?.results.map((result) => (
        <section key={result.currency_code}>
          {several && (
            <Heading level="h3" className="px-6 pt-4">
              {result.currency_code.toUpperCase()}
            </Heading>
          )}
          <ResultFigures result={result} />
        </section>
      ))}
    </Section>
  )
}
