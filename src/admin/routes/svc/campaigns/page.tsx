import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Crumb } from "../../../components/crumb"
import { PageLayout } from "../../../components/page-layout"
import { CampaignTable } from "./campaign-table"

const CampaignsPage = () => (
  <PageLayout zone="svc_campaign.list" sections={{ SvcCampaignTable: <CampaignTable /> }} />
)

export const config = defineRouteConfig({ label: "menu.campaigns", translationNs: "svc" })
export const handle = { breadcrumb: () => <Crumb text="menu.campaigns" /> }

export default CampaignsPage
