import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Crumb } from "../../../components/crumb"
import { PageLayout } from "../../../components/page-layout"
import { ResultTables } from "./result-tables"
import { ResultTotals } from "./result-totals"

const ResultsPage = () => (
  <PageLayout
    zone="svc_campaign.list"
    sections={{ SvcResultTotals: <ResultTotals />, SvcResultTables: <ResultTables /> }}
  />
)

export const config = defineRouteConfig({
  label: "menu.results",
  rank: 4,
  translationNs: "svc",
})
export const handle = { breadcrumb: () => <Crumb text="menu.results" /> }

export default ResultsPage
