import { Button, Container, Heading } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { EmptyState } from "../../components/empty-state"
import { ErrorNotice } from "../../components/error-notice"
import { ProblemLine } from "../../components/problem-line"
import { ProductCounts } from "../../components/product-counts"
import { RowsSkeleton, Section } from "../../components/section"
import { ConnectionState, ShowState } from "../../components/state-badge"
import { When } from "../../components/when"
import { useConnections } from "../../hooks/api/connections"
import { useHealth } from "../../hooks/api/health"
import { useLiveEvents } from "../../hooks/api/live-events"
import { useText } from "../../hooks/use-text"
import type { Connection, HealthProblem } from "../../lib/types"

/** The problems first, then each connection in short, then the shows that are running. */
export const Overview = () => {
  const { t } = useText()
  const { data, error, refetch } = useConnections()
  const { data: healthAnswer } = useHealth()
  const problems = healthAnswer?.health.problems ?? []

  if (!data || data.connections.length === 0) {
    return (
      <Container className="divide-y p-0">
        <div className="px-6 py-4">
          <Heading>{t("menu.main")}</Heading>
        </div>
        {data ? (
          <EmptyState
            heading={t("connections.empty.heading")}
            description={t("connections.empty.description")}
          >
            <Button size="small" variant="secondary" asChild>
              <Link to="/settings/svc/create">{t("connections.create")}</Link>
            </Button>
          </EmptyState>
        ) : error ? (
          <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />
        ) : (
          <RowsSkeleton rows={3} />
        )}
      </Container>
    )
  }

  const ofStore = problems.filter(({ connection_id }) => connection_id === null)
  return (
    <div className="flex flex-col gap-y-3">
      {ofStore.length > 0 && (
        <Section heading={t("overview.attention")}>
          <Problems problems={ofStore} />
        </Section>
      )}
      {data.connections.map((connection) => (
        <ConnectionCard
          key={connection.id}
          connection={connection}
          problems={problems.filter(({ connection_id }) => connection_id === connection.id)}
        />
      ))}
      <OnAir />
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
          <ConnectionState connection={connection} />
          <Button size="small" variant="secondary" asChild>
            <Link to={`/settings/svc/${connection.id}`}>{t("overview.settings")}</Link>
          </Button>
        </>
      }
    >
      <Problems problems={problems} />
      <ProductCounts connectionId={connection.id} />
    </Section>
  )
}

/** The shows that are running now. Most of the time there is none, and the card is left out. */
const OnAir = () => {
  const { t } = useText()
  const { data } = useLiveEvents({ status: ["live"], limit: 10, order: "-starts_at" })
  const events = data?.live_events.filter((event) => !event.deleted_at) ?? []
  if (events.length === 0) return null
  return (
    <Section heading={t("overview.onAir")}>
      {events.map((event) => (
        <Link
          key={event.id}
          to={`/svc/shows/${event.id}`}
          className="hover:bg-ui-bg-base-hover transition-fg txt-compact-small focus-visible:shadow-borders-focus flex items-center justify-between gap-x-4 px-6 py-4 outline-none"
        >
          <span className="text-ui-fg-base min-w-0 truncate font-medium">{event.name}</span>
          <span className="text-ui-fg-subtle flex shrink-0 items-center gap-x-3">
            <When at={event.live_started_at} />
            <ShowState event={event} />
          </span>
        </Link>
      ))}
    </Section>
  )
}
