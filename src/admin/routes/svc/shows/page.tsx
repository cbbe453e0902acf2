import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Crumb } from "../../../components/crumb"
import { PageLayout } from "../../../components/page-layout"
import { ShowTable } from "./show-table"

const ShowsPage = () => (
  <PageLayout zone="svc_show.list" sections={{ SvcShowTable: <ShowTable /> }} />
)

export const config = defineRouteConfig({
  label: "menu.shows",
  rank: 1,
  translationNs: "svc",
})
export const handle = { breadcrumb: () => <Crumb text="menu.shows" /> }

export default ShowsPage
