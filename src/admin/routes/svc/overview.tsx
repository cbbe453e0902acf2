import { EmptyState } from "../../components/empty-state"
import { ErrorNotice } from "../../components/error-notice"
import { LinkButton } from "../../components/press-button"
import { ProblemLine } from "../../components/problem-line"
import { ProductCounts } from "../../components/product-counts"
import { Loaded, Section } from "../../components/section"
import { NextStep, SetupLine } from "../../components/setup-line"
import { StateBadge } from "../../components/state-badge"
import { useConnections } from "../../hooks/api/connections"
import { useHealth, useOverview } from "../../hooks/api/records"
import { useText } from "../../hooks/use-text"
import type { Connection, HealthProblem } from "../../lib/types"
import { CurrentShows } from "./current-shows"

/** The problems first, then the shows of the evening, then each connection in short. */
export const Overview = () => {
  const { t } = useText()
  const connections = useConnections()
  const shows = useOverview()
  const health = useHealth()
  const problems = health.data?.health.problems ?? []
  const ofStore = problems.filter(({ connection_id }) => connection_id === null)
  const connected = connections.data?.connections ?? []
  // Without an answer nobody knows whether all is well.
  const isUnknown = connected.length > 0 && health.error !== null
  return (
    <div className="flex flex-col gap-y-3">
      {(ofStore.length > 0 || isUnknown) && (
        <Section heading={t("overview.attention")}>
          {isUnknown && (
            <ErrorNotice error={health.error} onRetry={health.refetch} className="px-6 py-4" />
          )}
          <Problems problems={ofStore} />
        </Section>
      )}
      {connected.length > 0 ? (
        <>
          <CurrentShows query={shows} />
          {connected.map((connection) => (
            <ConnectionCard
              key={connection.id}
              connection={connection}
              problems={problems.filter(({ connection_id }) => connection_id === connection.id)}
            />
          ))}
        </>
      ) : (
        <Section level="h1" heading={t("menu.main")}>
          <Loaded query={connections} rows={3}>
            {() => (
              <EmptyState
                heading={t("connections.empty.heading")}
                description={t("connections.empty.description")}
              >
                <NextStep />
              </EmptyState>
            )}
          </Loaded>
        </Section>
      )}
    </div>
  )
}

const Problems = ({ problems }: { problems: HealthProblem[] }) =>
  problems.map((problem) => (
    <ProblemLine key={`${problem.code} ${problem.message}`} problem={problem} />
  ))

type ConnectionCardProps = { connection: Connection; problems: HealthProblem[] }

const ConnectionCard = ({ connection, problems }: ConnectionCardProps) => {
  const { t } = useText()
  return (
    <Section
      heading={connection.name}
      subheading={connection.storefront_url}
      aside={
        <>
          <StateBadge of="connection" state={connection.status} />
          <LinkButton to={`/settings/svc/${connection.id}`}>{t("overview.settings")}</LinkButton>
        </>
      }
    >
      <Problems problems={problems} />
      <SetupLine connectionId={connection.id} />
      <ProductCounts connectionId={connection.id} />
    </Section>
  )
}
