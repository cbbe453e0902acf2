import { Text } from "@medusajs/ui"
import { CodeSample } from "../../../../../components/code-sample"
import { ErrorNotice } from "../../../../../components/error-notice"
import {
  CheckConnectionButton,
  LinkButton,
  PressButton,
  ResumeImportButton,
  StartImportButton,
} from "../../../../../components/press-button"
import { Mend } from "../../../../../components/problem-line"
import { useCheckStorefront, useSync, useTestDelivery } from "../../../../../hooks/api/connections"
import { usePublishableKey } from "../../../../../hooks/api/store"
import { useText } from "../../../../../hooks/use-text"
import { storeAddress } from "../../../../../lib/client"
import { playerSnippets } from "../../../../../lib/player-snippet"
import type { Connection, SetupStep } from "../../../../../lib/types"
import { Progress } from "../catalog-section"
import { TestResult } from "../doctor-section"

type StepOf = { connection: Connection; step: SetupStep }

/** The store has to be told its public https address and restarted first: until then nobody can register a webhook. */
export const needsAddress = ({ reason }: SetupStep): boolean =>
  reason?.code === "backend_url_missing" || reason?.code === "insecure_url"

/** The one thing to press in a step. */
export const StepAction = ({ connection, step }: StepOf) => {
  const { t } = useText()
  switch (step.name) {
    case "service":
      return (
        <>
          <EditLink connection={connection} />
          <CheckConnectionButton connectionId={connection.id} />
        </>
      )
    case "market":
      return <EditLink connection={connection} />
    case "storefront":
      return (
        <>
          <EditLink connection={connection} />
          <CheckAddress connectionId={connection.id} />
        </>
      )
    case "import":
      return <ImportAction connectionId={connection.id} />
    case "webhook":
      if (step.state === "done") return null
      return (
        <Mend code={step.reason?.code ?? "webhook_not_registered"} connectionId={connection.id} />
      )
    case "test_order":
      return (
        <LinkButton to={connection.storefront_url} target="_blank" rel="noreferrer">
          {t("setup.openStorefront")}
        </LinkButton>
      )
    case "test_delivery":
    case "player":
      return null
  }
}

/** What stands below a step: how far it is, or what to copy. */
export const StepDetail = ({ connection, step, hasWebhook }: StepOf & { hasWebhook: boolean }) => {
  const { t } = useText()
  switch (step.name) {
    case "storefront":
      return (
        <Text size="small" className="text-ui-fg-subtle break-words">
          {connection.storefront_url}
        </Text>
      )
    case "import":
      return <ImportProgress connectionId={connection.id} />
    case "test_delivery":
      if (step.state === "done") return null
      // Without a webhook there is nothing to wait for.
      return hasWebhook ? (
        <WaitForTest connectionId={connection.id} />
      ) : (
        <Text size="small" className="text-ui-fg-subtle">
          {t("setup.registerFirst")}
        </Text>
      )
    case "player":
      return <Snippet connection={connection} />
    default:
      return null
  }
}

type OfConnection = { connectionId: string }

/** A declared connection is changed where it is declared. */
const EditLink = ({ connection }: { connection: Connection }) => {
  const { t } = useText()
  if (connection.managed_by === "environment") return null
  return <LinkButton to={`/settings/svc/${connection.id}/edit`}>{t("actions.edit")}</LinkButton>
}

const CheckAddress = ({ connectionId }: OfConnection) => (
  <PressButton press={useCheckStorefront()} input={connectionId}>
    {useText().t("setup.checkAddress")}
  </PressButton>
)

/** By the import itself: the step says less of it while the service cannot be asked. */
const ImportAction = ({ connectionId }: OfConnection) => {
  const { data } = useSync(connectionId)
  if (!data || data.sync.status === "running") return null
  return data.sync.status === "paused" ? (
    <ResumeImportButton connectionId={connectionId} />
  ) : (
    <StartImportButton connectionId={connectionId} />
  )
}

const ImportProgress = ({ connectionId }: OfConnection) => {
  const { data } = useSync(connectionId)
  if (!data || data.sync.status === "idle") return null
  return <Progress sync={data.sync} />
}

const WaitForTest = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const test = useTestDelivery(connectionId)
  return (
    <>
      <PressButton press={test} input={undefined}>
        {t("webhook.doctor.test")}
      </PressButton>
      <TestResult press={test} />
    </>
  )
}

const Snippet = ({ connection }: { connection: Connection }) => {
  const { t } = useText()
  const query = usePublishableKey(connection.sales_channel_id)
  const publishableKey = query.data
  if (query.error) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  if (publishableKey === undefined) return null
  return (
    <>
      {!publishableKey && (
        <Text size="small" className="text-ui-tag-orange-text">
          {t("setup.noPublishableKey")}
        </Text>
      )}
      <CodeSample
        snippets={playerSnippets({
          pageUid: connection.page_uid,
          storeUrl: storeAddress(),
          publishableKey: publishableKey || "pk_...",
          regionId: connection.region_id,
          salesChannelId: connection.sales_channel_id,
        })}
      />
    </>
  )
}
