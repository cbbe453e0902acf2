import { Button } from "@medusajs/ui"
import { Link, useNavigate } from "react-router-dom"
import { useConnectionNames } from "../hooks/use-connection-names"
import { useReason } from "../hooks/use-reason"
import { type TextKey, useText } from "../hooks/use-text"
import type { HealthProblem } from "../lib/types"
import { RedLine } from "./error-notice"
import {
  CheckConnectionButton,
  isTakenOver,
  RegisterWebhookButton,
  RotateKeyButton,
  StartImportButton,
  TakeOverButton,
} from "./press-button"

/** One problem that a person has to act on, with the button that corrects it. */
export const ProblemLine = ({ problem }: { problem: HealthProblem }) => {
  const say = useReason()
  return (
    <RedLine {...say(problem)} severity={problem.severity} className="px-6 py-4">
      <Mend problem={problem} />
    </RedLine>
  )
}

const rowsOf = (list: string, column: string, value: string): string =>
  `/svc/${list}?${new URLSearchParams({ [column]: JSON.stringify([value]) })}`

/** What has failed, or waits for the store itself, over all connections: each row has its reason and its own button. */
const ROWS: Record<string, { to: string; label: TextKey } | undefined> = {
  orders_failed: { to: rowsOf("orders", "state", "failed"), label: "problems.showOrders" },
  orders_delayed: { to: rowsOf("orders", "state", "waiting"), label: "problems.showOrders" },
  products_failed: { to: rowsOf("products", "state", "failed"), label: "problems.showProducts" },
  deliveries_failed: {
    to: rowsOf("deliveries", "outcome", "failed"),
    label: "problems.showDeliveries",
  },
}

const Mend = ({ problem: { code, connection_id: id } }: { problem: HealthProblem }) => {
  const rows = ROWS[code]
  if (rows) return <MendLink {...rows} />
  if (!id) return null
  if (isTakenOver(code)) return <TakeOverButton connectionId={id} />
  switch (code) {
    case "svc_unauthorized":
    case "secret_unreadable":
    case "undeclared":
      return <EnterToken connectionId={id} />
    case "webhook_not_registered":
    case "webhook_missing":
    case "webhook_disabled":
      return <RegisterWebhookButton connectionId={id} />
    case "webhook_key_unknown":
      return <MendLink to={`/settings/svc/${id}/webhook-key`} label="webhook.pasteKey" />
    case "webhook_key_unsure":
      return <RotateKeyButton connectionId={id} />
    case "catalog_not_imported":
      return <StartImport connectionId={id} />
    default:
      return code.startsWith("svc_") || code === "lookups_failing" ? (
        <CheckConnectionButton connectionId={id} />
      ) : null
  }
}

const MendLink = ({ to, label }: { to: string; label: TextKey }) => (
  <Button size="small" variant="secondary" asChild>
    <Link to={to}>{useText().t(label)}</Link>
  </Button>
)

/** One that is declared in code has its token there. */
const EnterToken = ({ connectionId }: { connectionId: string }) => {
  const { connections } = useConnectionNames()
  const isOurs = connections.some(
    ({ id, managed_by }) => id === connectionId && managed_by === "admin",
  )
  return (
    isOurs && <MendLink to={`/settings/svc/${connectionId}/edit`} label="problems.enterToken" />
  )
}

/** The progress of the import is shown on the connection's page. */
const StartImport = ({ connectionId }: { connectionId: string }) => {
  const navigate = useNavigate()
  const onStarted = () => navigate(`/settings/svc/${connectionId}`)
  return <StartImportButton connectionId={connectionId} onStarted={onStarted} />
}
