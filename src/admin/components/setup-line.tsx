import { Text } from "@medusajs/ui"
import { useConnections, useSetup } from "../hooks/api/connections"
import { useText } from "../hooks/use-text"
import { LinkButton } from "./press-button"

type OfConnection = { connectionId: string }

/** Of a connection whose first steps are not all done: how far they are, and the way to them. */
export const SetupLine = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const progress = useProgress(connectionId)
  if (!progress) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-6 py-4">
      <Text size="small">
        {t("setup.heading")}: {progress}
      </Text>
      <ToSetup connectionId={connectionId} />
    </div>
  )
}

/** On a page that is empty: the way to what fills it, a connection or the rest of its first steps. */
export const NextStep = () => {
  const { t } = useText()
  const { data } = useConnections()
  if (!data) return null
  const [first] = data.connections
  if (!first) return <LinkButton to="/settings/svc/create">{t("connections.create")}</LinkButton>
  return <UnfinishedSetup connectionId={first.id} />
}

const UnfinishedSetup = ({ connectionId }: OfConnection) =>
  useProgress(connectionId) ? <ToSetup connectionId={connectionId} /> : null

/** How far the first steps are; null where they are done, or it is not known yet. */
function useProgress(connectionId: string): string | null {
  const { t } = useText()
  const { data } = useSetup(connectionId)
  if (!data || data.setup.complete) return null
  const { steps } = data.setup
  const done = steps.filter(({ state }) => state === "done").length
  return t("setup.progress", { done, total: steps.length })
}

const ToSetup = ({ connectionId }: OfConnection) => (
  <LinkButton to={`/settings/svc/${connectionId}/setup`}>
    {useText().t("setup.continue")}
  </LinkButton>
)
