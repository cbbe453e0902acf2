import { useLocation, useNavigate } from "react-router-dom"
import { useConnectionNames } from "../hooks/use-connection-names"
import { useReason } from "../hooks/use-reason"
import { type TextKey, useText } from "../hooks/use-text"
import { mendOf } from "../lib/mends"
import type { HealthProblem } from "../lib/types"
import { RedLine } from "./error-notice"
import {
  CheckConnectionButton,
  LinkButton,
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
      <Mend code={problem.code} connectionId={problem.connection_id} />
    </RedLine>
  )
}

type MendProps = { code: string; connectionId: string | null }

/** What a person presses against a problem; nothing where the admin has nothing for it. */
export const Mend = ({ code, connectionId: id }: MendProps) => {
  const mend = mendOf(code)
  if (mend && typeof mend === "object") return <MendLink {...mend} />
  if (!id) return null
  switch (mend) {
    case "check":
      return <CheckConnectionButton connectionId={id} />
    case "enterToken":
      return <EnterToken connectionId={id} />
    case "pasteKey":
      return <MendLink to={`/settings/svc/${id}/webhook-key`} label="webhook.pasteKey" />
    case "register":
      return <RegisterWebhookButton connectionId={id} />
    case "rotate":
      return <RotateKeyButton connectionId={id} />
    case "settings":
      return <MendLink to={`/settings/svc/${id}`} label="overview.settings" />
    case "startImport":
      return <StartImport connectionId={id} />
    case "takeOver":
      return <TakeOverButton connectionId={id} />
    case null:
      return null
  }
}

const MendLink = ({ to, label }: { to: string; label: TextKey }) => {
  const { t } = useText()
  const { pathname } = useLocation()
  // The page that it leads to is open.
  if (pathname === to) return null
  return <LinkButton to={to}>{t(label)}</LinkButton>
}

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
