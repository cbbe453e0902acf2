import { Button, toast } from "@medusajs/ui"
import type { ReactNode } from "react"
import { Link, useNavigate } from "react-router-dom"
import { useCheckConnection } from "../hooks/api/connections"
import { useSyncAction } from "../hooks/api/sync"
import { useRegisterWebhook } from "../hooks/api/webhook"
import { useFailureToast } from "../hooks/use-failure-toast"
import { useText } from "../hooks/use-text"
import type { HealthProblem } from "../lib/types"
import { RedLine } from "./error-notice"

/** One thing that needs somebody, with the one press that mends it. */
export const ProblemLine = ({ problem }: { problem: HealthProblem }) => (
  <RedLine
    message={problem.message}
    fix={problem.fix}
    severity={problem.severity}
    className="px-6 py-4"
  >
    <Mend problem={problem} />
  </RedLine>
)

const Mend = ({ problem: { code, connection_id: connectionId } }: { problem: HealthProblem }) => {
  const { t } = useText()
  if (code === "orders_failed") {
    const failed = new URLSearchParams({ state: JSON.stringify(["failed"]) })
    return <MendLink to={`/svc/orders?${failed}`}>{t("problems.showOrders")}</MendLink>
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
      return <RegisterWebhook connectionId={connectionId} />
    case "webhook_key_unknown":
      return (
        <MendLink to={`/settings/svc/${connectionId}/webhook-key`}>
          {t("webhook.pasteKey")}
        </MendLink>
      )
    case "catalog_not_imported":
      return <StartImport connectionId={connectionId} />
    default:
      return code.startsWith("svc_") ? <CheckConnection connectionId={connectionId} /> : null
  }
}

const MendLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Button size="small" variant="secondary" asChild>
    <Link to={to}>{children}</Link>
  </Button>
)

type OfConnection = { connectionId: string }

const RegisterWebhook = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const fail = useFailureToast()
  const { mutate, isPending } = useRegisterWebhook(connectionId)
  return (
    <Button
      size="small"
      variant="secondary"
      isLoading={isPending}
      onClick={() =>
        mutate(undefined, {
          onSuccess: () => toast.success(t("webhook.registered")),
          onError: fail,
        })
      }
    >
      {t("webhook.register")}
    </Button>
  )
}

/** The import is watched on the connection's page. */
const StartImport = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const fail = useFailureToast()
  const navigate = useNavigate()
  const { mutate, isPending } = useSyncAction(connectionId)
  return (
    <Button
      size="small"
      variant="secondary"
      isLoading={isPending}
      onClick={() =>
        mutate("start", {
          onSuccess: () => navigate(`/settings/svc/${connectionId}`),
          onError: fail,
        })
      }
    >
      {t("sync.start")}
    </Button>
  )
}

const CheckConnection = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const fail = useFailureToast()
  const { mutate, isPending } = useCheckConnection()
  return (
    <Button
      size="small"
      variant="secondary"
      isLoading={isPending}
      onClick={() => mutate(connectionId, { onError: fail })}
    >
      {t("connections.check.action")}
    </Button>
  )
}
