import { defineRouteConfig } from "@medusajs/admin-sdk"
import { MediaPlay } from "@medusajs/icons"
import { Crumb } from "../../components/crumb"
import { PageLayout } from "../../components/page-layout"
import { Overview } from "./overview"

const OverviewPage = () => (
  <PageLayout zone="svc_overview.details" sections={{ SvcOverview: <Overview /> }} />
)

export const config = defineRouteConfig({
  label: "menu.main",
  icon: MediaPlay,
  translationNs: "svc",
})
export const handle = { breadcrumb: () => <Crumb text="menu.main" /> }

export default OverviewPage
