import { Button } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { useConnections } from "../hooks/api/connections"
import { useSetup } from "../hooks/api/setup"
import { useText } from "../hooks/use-text"

/** On a page that is empty: the way to what fills it. Nothing where every connection is complete. */
export const NextStep = () => {
  const { t } = useText()
  const { data } = useConnections()
  if (!data) return null
  const [first] = data.connections
  if (first) return <ContinueSetup connectionId={first.id} />
  return <StepLink to="/settings/svc/create">{t("connections.create")}</StepLink>
}

const ContinueSetup = ({ connectionId }: { connectionId: string }) => {
  const { t } = useText()
  const { data } = useSetup(connectionId)
  if (!data || data.setup.complete) return null
  return <StepLink to={`/settings/svc/${connectionId}/setup`}>{t("setup.continue")}</StepLink>
}

const StepLink = ({ to, children }: { to: string; children: string }) => (
  <Button size="small" variant="secondary" asChild>
    <Link to={to}>{children}</Link>
  </Button>
)
