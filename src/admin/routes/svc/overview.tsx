import { Button, Container, Heading } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { EmptyState } from "../../components/empty-state"
import { ErrorNotice, ReasonLine } from "../../components/error-notice"
import { ProductCounts } from "../../components/product-counts"
import { RowsSkeleton, Section } from "../../components/section"
import { ConnectionState } from "../../components/state-badge"
import { useConnections } from "../../hooks/api/connections"
import { useText } from "../../hooks/use-text"

/** Each connection at a glance: whether it works, and what the service knows by now. */
export const Overview = () => {
  const { t } = useText()
  const { data, error, refetch } = useConnections()

  if (!data) {
    return (
      <Container className="divide-y p-0">
        <div className="px-6 py-4">
          <Heading>{t("menu.main")}</Heading>
        </div>
        {error ? (
          <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />
        ) : (
          <RowsSkeleton rows={3} />
        )}
      </Container>
    )
  }
  if (data.connections.length === 0) {
    return (
      <Container className="divide-y p-0">
        <div className="px-6 py-4">
          <Heading>{t("menu.main")}</Heading>
        </div>
        <EmptyState
          heading={t("connections.empty.heading")}
          description={t("connections.empty.description")}
        >
          <Button size="small" variant="secondary" asChild>
            <Link to="/settings/svc/create">{t("connections.create")}</Link>
          </Button>
        </EmptyState>
      </Container>
    )
  }
  return (
    <div className="flex flex-col gap-y-3">
      {data.connections.map((connection) => (
        <Section
          key={connection.id}
          heading={connection.name}
          subheading={connection.storefront_url}
          aside={
            <>
              <ConnectionState connection={connection} />
              <Button size="small" variant="secondary" asChild>
                <Link to={`/settings/svc/${connection.id}`}>{t("actions.open")}</Link>
              </Button>
            </>
          }
        >
          <ReasonLine reason={connection.last_error} className="px-6 py-4" />
          <ProductCounts connectionId={connection.id} />
        </Section>
      ))}
    </div>
  )
}
