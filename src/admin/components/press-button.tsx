import { Button, toast } from "@medusajs/ui"
import type { ComponentProps, ReactNode } from "react"
import { Link, type LinkProps } from "react-router-dom"
import { pathOf, useSyncAction, webhookPath } from "../hooks/api/connections"
import { post, usePress } from "../hooks/api/request"
import { useAsk } from "../hooks/use-actions"
import { useText } from "../hooks/use-text"

type PressButtonProps<Input> = {
  press: { mutate: (input: Input) => void; isPending: boolean }
  input: Input
  variant?: ComponentProps<typeof Button>["variant"]
  children: ReactNode
}

/** A button that does one thing and shows that it is being done. */
export function PressButton<Input>({
  press: { mutate, isPending },
  input,
  variant = "secondary",
  children,
}: PressButtonProps<Input>) {
  return (
    <Button
      size="small"
      type="button"
      variant={variant}
      className="self-start"
      isLoading={isPending}
      onClick={() => mutate(input)}
    >
      {children}
    </Button>
  )
}

/** A link that looks like a button. */
export const LinkButton = (link: LinkProps) => (
  <Button size="small" variant="secondary" asChild>
    <Link {...link} />
  </Button>
)

type OfConnection = { connectionId: string }

/** A failed check is an answer, not an error: the page shows it. */
export const CheckConnectionButton = ({ connectionId }: OfConnection) => (
  <PressButton press={usePress(() => post(`${pathOf(connectionId)}/check`))} input={undefined}>
    {useText().t("connections.check.action")}
  </PressButton>
)

type StartImportProps = OfConnection & { onStarted?: () => void }

export const StartImportButton = ({ connectionId, onStarted }: StartImportProps) => (
  <PressButton press={useSyncAction(connectionId, onStarted)} input="start">
    {useText().t("sync.start")}
  </PressButton>
)

export const ResumeImportButton = ({ connectionId }: OfConnection) => (
  <PressButton press={useSyncAction(connectionId)} input="resume">
    {useText().t("sync.resume")}
  </PressButton>
)

type RegisterWebhookProps = OfConnection & Pick<PressButtonProps<void>, "variant">

export const RegisterWebhookButton = ({ connectionId, variant }: RegisterWebhookProps) => {
  const { t } = useText()
  const register = usePress(() => post(webhookPath(connectionId)), {
    done: () => toast.success(t("webhook.registered")),
  })
  return (
    <PressButton press={register} input={undefined} variant={variant}>
      {t("webhook.register")}
    </PressButton>
  )
}

/** Asks nothing first: it stands where nobody knows whether the key that it replaces is any good. */
export const RotateKeyButton = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const rotate = usePress(() => post(`${webhookPath(connectionId)}/rotate`), {
    done: () => toast.success(t("webhook.rotated")),
  })
  return (
    <PressButton press={rotate} input={undefined}>
      {t("webhook.rotate")}
    </PressButton>
  )
}

/** A person says that this store has replaced the one that it is a copy of, or whose deliveries it shall get. */
export const TakeOverButton = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const ask = useAsk()
  const takeOver = usePress(() => post(webhookPath(connectionId), { take_over: true }), {
    done: () => toast.success(t("webhook.takenOver")),
  })
  const askToTakeOver = async () => {
    if (await ask("webhook.takeOverPrompt", "webhook.takeOver")) takeOver.mutate()
  }
  return (
    <PressButton
      press={{ mutate: () => void askToTakeOver(), isPending: takeOver.isPending }}
      input={undefined}
    >
      {t("webhook.takeOver")}
    </PressButton>
  )
}
