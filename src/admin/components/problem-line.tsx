import { Button } from "@medusajs/ui"
import type { ReactNode } from "react"
import { Link, useNavigate } from "react-router-dom"
import { useReason } from "../hooks/use-reason"
import { useText } from "../hooks/use-text"
import type { HealthProblem } from "../lib/types"
import { CheckConnectionButton, RegisterWebhookButton, StartImportButton } from "./action-buttons"
import { RedLine } from "./error-notice"

/** One problem that a person has to act on, with the button that corrects it. */
export const ProblemLine = ({ problem }: { problem: HealthProblem }) => {
  const say = useReason()
  return (
    <RedLine {...say(problem)} severity={problem.severity} className="px-6 py-4">
      <Mend problem={problem} />
    </RedLine>
  )
}

/**
 * What has failed, or waits for the store itself, over all connections. The button leads to the rows, each with its reason and its own button.
 */
const FAILED = {
  orders_failed: { list: "orders", column: "state", value: "failed", label: "problems.showOrders" },
  orders_delayed: {
    list: "orders",
    column: "state",
    value: "waiting",
    label: "problems.showOrders",
  },
  products_failed: {
    list: "products",
    column: "state",
    value: "failed",
    label: "problems.showProducts",
  },
  deliveries_failed: {
    list: "deliveries",
    column: "outcome",
    value: "failed",
    label: "problems.showDeliveries",
  },
} as const
const isFailed = (code: string): code is keyof typeof FAILED => code in FAILED

const Mend = ({ problem: { code, connection_id: connectionId } }: { problem: HealthProblem }) => {
  const { t } = useText()
  if (isFailed(code)) {
    const { list, column, value, label } = FAILED[code]
    const these = new URLSearchParams({ [column]: JSON.stringify([value]) })
    return <MendLink to={`/svc/${list}?${these}`}>{t(label)}</MendLink>
  }
  if (!connectionId) return null
  switch (code) {
    case "svc_unauthorized":
      return (
        <MendLink to={`/settings/svc/${connectionId}/edit`}>{t("problems.enterToken")}</MendLink>
      )
    case "webhook_not_registered":
    case "webhook_missing":
    case "webhook_disabled":
      return <RegisterWebhookButton connectionId={connectionId} />
    case "webhook_key_unknown":
      return (
        <MendLink to={`/settings/svc/${connectionId}/webhook-key`}>
          {t("webhook.pasteKey")}
        </MendLink>
      )
    case "catalog_not_imported":
      return <StartImport connectionId={connectionId} />
    default:
      return code.startsWith("svc_") ? <CheckConnectionButton connectionId={connectionId} /> : null
  }
}

const MendLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Button size="small" variant="secondary" asChild>
    <Link to={to}>{children}</Link>
  </Button>
)

/** The progress of the import is shown on the connection's page. */
const StartImport = ({ connectionId }: { connectionId: string }) => {
  const navigate = useNavigate()
  const onStarted = () => navigate(`/settings/svc/${connectionId}`)
  return <StartImportButton connectionId={connectionId} onStarted={onStarted} />
}
