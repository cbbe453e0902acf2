import { CheckCircleSolid } from "@medusajs/icons"
import { Text } from "@medusajs/ui"
import { type UseFormReturn, useWatch } from "react-hook-form"
import { ErrorNotice, ReasonLine, RedLine } from "../../../components/error-notice"
import { PressButton } from "../../../components/press-button"
import { post, usePress } from "../../../hooks/api/request"
import { type TextKey, useText } from "../../../hooks/use-text"
import type { ConnectionCheck } from "../../../lib/types"
import type { ConnectionFormValues } from "./connection-form"

type TryServiceProps = { form: UseFormReturn<ConnectionFormValues> }

/** Asks the service with the address and the token of the form, before anything is saved. */
export const TryService = ({ form }: TryServiceProps) => {
  const { t } = useText()
  const [address, token] = useWatch({ control: form.control, name: ["base_url", "api_token"] })
  const { mutate, variables, isPending, data, error } = usePress<
    { check: ConnectionCheck },
    { base_url: string; api_token: string }
  >((body) => post("/service-check", body), { showsError: true })
  const asked = { base_url: address.trim(), api_token: token.trim() }
  // What was found out of another address or token is forgotten.
  const isOfThese =
    !isPending && variables?.base_url === asked.base_url && variables.api_token === asked.api_token

  const press = async () => {
    if (await form.trigger(["base_url", "api_token"])) mutate(asked)
  }
  return (
    <div className="flex flex-col items-start gap-y-2">
      <PressButton press={{ mutate: () => void press(), isPending }} input={undefined}>
        {t("connections.check.try")}
      </PressButton>
      <div role="status">
        {isOfThese && data && <Outcome check={data.check} />}
        {isOfThese && error && <ErrorNotice error={error} />}
      </div>
    </div>
  )
}

const Outcome = ({ check }: { check: ConnectionCheck }) => {
  const { t } = useText()
  if (!check.ok) {
    const text = unsavedText(check)
    return text ? <RedLine message={t(text)} /> : <ReasonLine reason={check.error} />
  }
  return (
    <Text size="small" className="text-ui-fg-subtle flex items-start gap-x-2">
      <CheckCircleSolid className="text-ui-tag-green-icon mt-0.5 shrink-0" />
      {t("connections.check.good", { duration: Math.round(check.duration_ms) })}
    </Text>
  )
}

/** What to do about it in the form; undefined where the reason itself says that. */
function unsavedText({ error, reachable }: ConnectionCheck): TextKey | undefined {
  switch (error?.code) {
    case "svc_unreachable":
      return reachable
        ? "connections.check.unsaved.redirected"
        : "connections.check.unsaved.svc_unreachable"
    case "svc_timeout":
      return "connections.check.unsaved.svc_timeout"
    case "svc_unavailable":
    case "svc_rate_limited":
      return "connections.check.unsaved.svc_unavailable"
    case "svc_unauthorized":
      return "connections.check.unsaved.svc_unauthorized"
    default:
      return undefined
  }
}
