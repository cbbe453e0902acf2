import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Crumb } from "../../../components/crumb"
import { PageLayout } from "../../../components/page-layout"
import { ConnectionTable } from "./connection-table"

const ConnectionsPage = () => (
  <PageLayout zone="svc_connection.list" sections={{ SvcConnectionTable: <ConnectionTable /> }} />
)

export const config = defineRouteConfig({ label: "menu.settings", translationNs: "svc" })
export const handle = { breadcrumb: () => <Crumb text="menu.settings" /> }

export default ConnectionsPage
