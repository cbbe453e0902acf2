import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { useText } from "../../../hooks/use-text"
import { ConnectionTable } from "./connection-table"

const ConnectionsPage = () => (
  <LayoutComposer
    widgetsZonePrefix="svc_connection.list"
    preferredLayoutId="core:single-column"
    sections={{
      main: (
        <LayoutComposer.Entry id="SvcConnectionTable">
          <ConnectionTable />
        </LayoutComposer.Entry>
      ),
    }}
  />
)

const Breadcrumb = () => <span>{useText().t("menu.settings")}</span>

export const config = defineRouteConfig({ label: "menu.settings", translationNs: "svc" })
export const handle = { breadcrumb: () => <Breadcrumb /> }

export default ConnectionsPage
