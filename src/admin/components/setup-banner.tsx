import { Button, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { useSetup } from "../hooks/api/setup"
import { useText } from "../hooks/use-text"
import { Section } from "./section"

type OfConnection = { connectionId: string }

/** On the page of a connection whose first steps are not all done: how far they are, and the way to them. */
export const SetupBanner = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const progress = useProgress(connectionId)
  if (!progress) return null
  return (
    <Section
      heading={t("setup.heading")}
      subheading={progress}
      aside={<Continue connectionId={connectionId} />}
    />
  )
}

/** The same as a line of a card. */
export const SetupLine = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const progress = useProgress(connectionId)
  if (!progress) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-6 py-4">
      <Text size="small">
        {t("setup.heading")}: {progress}
      </Text>
      <Continue connectionId={connectionId} />
    </div>
  )
}

function useProgress(connectionId: string): string | null {
  const { t } = useText()
  const { data } = useSetup(connectionId)
  if (!data || data.setup.complete) return null
  const { steps } = data.setup
  const done = steps.filter(({ state }) => state === "done").length
  return t("setup.progress", { done, total: steps.length })
}

const Continue = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  return (
    <Button size="small" variant="secondary" asChild>
      <Link to={`/settings/svc/${connectionId}/setup`}>{t("setup.continue")}</Link>
    </Button>
  )
}
