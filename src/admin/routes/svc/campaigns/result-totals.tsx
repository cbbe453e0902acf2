import { Heading } from "@medusajs/ui"
import { ResultFigures } from "../../../components/result-figures"
import { Loaded, Section } from "../../../components/section"
import { useResults } from "../../../hooks/api/records"
import { useTableQuery } from "../../../hooks/use-table-filters"
import { useText } from "../../../hooks/use-text"
import { FILTERS } from "./result-tables"

/** So many currencies does no store have. */
const ALL = 100

/** The sums of all that the table below matches, of all its pages, in each currency for itself. */
export const ResultTotals = () => {
  const { t } = useText()
  const { connection_id, from, to, q } = useTableQuery(FILTERS)
  const query = { connection_id, from, to, q, group_by: "currency", order: "-net", limit: ALL }
  return (
    <Section heading={t("campaigns.totals.heading")} subheading={t("campaigns.totals.subheading")}>
      <Loaded query={useResults(query)} rows={3}>
        {({ results }) =>
          results.map((result) => (
            <section key={result.currency_code}>
              {results.length > 1 && (
                <Heading level="h3" className="px-6 pt-4">
                  {result.currency_code.toUpperCase()}
                </Heading>
              )}
              <ResultFigures result={result} />
            </section>
          ))
        }
      </Loaded>
    </Section>
  )
}
