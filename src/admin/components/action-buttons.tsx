import { Button, toast } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useCheckConnection } from "../hooks/api/connections"
import { useSyncAction } from "../hooks/api/sync"
import { useRegisterWebhook } from "../hooks/api/webhook"
import { useFailureToast } from "../hooks/use-failure-toast"
import { useText } from "../hooks/use-text"

type ActionButtonProps = { isPending: boolean; onPress: () => void; children: ReactNode }

/** The one thing to press in a line: of a problem, or of a step. */
export const ActionButton = ({ isPending, onPress, children }: ActionButtonProps) => (
  <Button size="small" variant="secondary" isLoading={isPending} onClick={onPress}>
    {children}
  </Button>
)

type OfConnection = { connectionId: string }

export const CheckConnectionButton = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const onError = useFailureToast()
  const { mutate, isPending } = useCheckConnection()
  return (
    <ActionButton isPending={isPending} onPress={() => mutate(connectionId, { onError })}>
      {t("connections.check.action")}
    </ActionButton>
  )
}

type StartImportProps = OfConnection & { onStarted?: () => void }

// Both by the promise: their line is gone before the callbacks of `mutate` would be called, and those are dropped then.

export const StartImportButton = ({ connectionId, onStarted }: StartImportProps) => {
  const { t } = useText()
  const onError = useFailureToast()
  const { mutateAsync, isPending } = useSyncAction(connectionId)
  return (
    <ActionButton
      isPending={isPending}
      onPress={() => void mutateAsync("start").then(onStarted, onError)}
    >
      {t("sync.start")}
    </ActionButton>
  )
}

export const RegisterWebhookButton = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const onError = useFailureToast()
  const { mutateAsync, isPending } = useRegisterWebhook(connectionId)
  const onSuccess = () => toast.success(t("webhook.registered"))
  return (
    <ActionButton
      isPending={isPending}
      onPress={() => void mutateAsync(undefined).then(onSuccess, onError)}
    >
      {t("webhook.register")}
    </ActionButton>
  )
}
