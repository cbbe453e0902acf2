import { CheckCircleSolid } from "@medusajs/icons"
import { Button, Text } from "@medusajs/ui"
import { type UseFormReturn, useWatch } from "react-hook-form"
import { ErrorNotice, ReasonLine, RedLine } from "../../../components/error-notice"
import { useCheckConnection, useTryService } from "../../../hooks/api/connections"
import { type TextKey, useText } from "../../../hooks/use-text"
import type { Connection, ConnectionCheck } from "../../../lib/types"
import { type ConnectionFormValues, sameAddress } from "./connection-form"

type TryServiceProps = {
  form: UseFormReturn<ConnectionFormValues>
  connection: Connection | undefined
}

/**
 * Asks the service with the address and the token of the form, before anything is saved. Where the token is left empty,
 * the stored one is tried, at the address that it belongs to.
 */
export const TryService = ({ form, connection }: TryServiceProps) => {
  const { t } = useText()
  const [address, token] = useWatch({ control: form.control, name: ["base_url", "api_token"] })
  const unsaved = useTryService()
  const stored = useCheckConnection(connection?.id ?? "")
  const usesStored = Boolean(connection && !token && sameAddress(address, connection.base_url))
  const asked = { base_url: address.trim(), api_token: token.trim() }
  // What was found out of another address or token is forgotten.
  const isOfThese =
    unsaved.variables?.base_url === asked.base_url &&
    unsaved.variables.api_token === asked.api_token
  const isPending = usesStored ? stored.isPending : unsaved.isPending
  const { data, error } = usesStored ? stored : isOfThese ? unsaved : {}

  const press = async () => {
    if (usesStored) return stored.mutate()
    if (await form.trigger(["base_url", "api_token"])) unsaved.mutate(asked)
  }
  return (
    <div className="flex flex-col items-start gap-y-2">
      <Button
        size="small"
        variant="secondary"
        type="button"
        isLoading={isPending}
        onClick={() => void press()}
      >
        {t("connections.check.try")}
      </Button>
      <div role="status">
        {data && !isPending && <Outcome check={data.check} isSaved={usesStored} />}
        {error && !isPending && <ErrorNotice error={error} />}
      </div>
    </div>
  )
}

type OutcomeProps = {
  check: ConnectionCheck
  /** Of a connection that is there: the store goes on trying, which its reasons say. */
  isSaved: boolean
}

const Outcome = ({ check, isSaved }: OutcomeProps) => {
  const { t } = useText()
  if (!check.ok) {
    const text = isSaved ? undefined : unsavedText(check)
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
