import { Button, toast } from "@medusajs/ui"
import type { ReactNode } from "react"
import { Link, useNavigate } from "react-router-dom"
import { useCheckConnection } from "../hooks/api/connections"
import { useSyncAction } from "../hooks/api/sync"
import { useRegisterWebhook } from "../hooks/api/webhook"
import { useFailureToast } from "../hooks/use-failure-toast"
import { useReason } from "../hooks/use-reason"
import { useText } from "../hooks/use-text"
import type { HealthProblem } from "../lib/types"
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
 * Failures of one kind over all connections. The button leads to the rows, each with its reason and its own button.
 */
const FAILED = {
  orders_failed: { list: "orders", column: "state", label: "problems.showOrders" },
  products_failed: { list: "products", column: "state", label: "problems.showProducts" },
  deliveries_failed: { list: "deliveries", column: "outcome", label: "problems.showDeliveries" },
} as const
const isFailed = (code: string): code is keyof typeof FAILED => code in FAILED

const Mend = ({ problem: { code, connection_id: connectionId } }: { problem: HealthProblem }) => {
  const { t } = useText()
  if (isFailed(code)) {
    const { list, column, label } = FAILED[code]
    const failed = new URLSearchParams({ [column]: JSON.stringify(["failed"]) })
    return <MendLink to={`/svc/${list}?${failed}`}>{t(label)}</MendLink>
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

type MendButtonProps = { isPending: boolean; onPress: () => void; children: ReactNode }

const MendButton = ({ isPending, onPress, children }: MendButtonProps) => (
  <Button size="small" variant="secondary" isLoading={isPending} onClick={onPress}>
    {children}
  </Button>
)

type OfConnection = { connectionId: string }

const RegisterWebhook = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const onError = useFailureToast()
  const { mutateAsync, isPending } = useRegisterWebhook(connectionId)
  const onSuccess = () => toast.success(t("webhook.registered"))
  return (
    // By the promise: the line is gone before the callbacks of `mutate` would be called, and those are dropped then.
    <MendButton
      isPending={isPending}
      onPress={() => void mutateAsync(undefined).then(onSuccess, onError)}
    >
      {t("webhook.register")}
    </MendButton>
  )
}

/** The progress of the import is shown on the connection's page. */
const StartImport = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const onError = useFailureToast()
  const navigate = useNavigate()
  const { mutateAsync, isPending } = useSyncAction(connectionId)
  const onSuccess = () => navigate(`/settings/svc/${connectionId}`)
  return (
    <MendButton
      isPending={isPending}
      onPress={() => void mutateAsync("start").then(onSuccess, onError)}
    >
      {t("sync.start")}
    </MendButton>
  )
}

const CheckConnection = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const onError = useFailureToast()
  const { mutate, isPending } = useCheckConnection()
  return (
    <MendButton isPending={isPending} onPress={() => mutate(connectionId, { onError })}>
      {t("connections.check.action")}
    </MendButton>
  )
}
