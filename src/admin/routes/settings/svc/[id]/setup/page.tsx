import { Container } from "@medusajs/ui"
import { type UIMatch, useParams } from "react-router-dom"
import { Crumb } from "../../../../../components/crumb"
import { ErrorNotice } from "../../../../../components/error-notice"
import { PageLayout } from "../../../../../components/page-layout"
import { RowsSkeleton } from "../../../../../components/section"
import { useConnection } from "../../../../../hooks/api/connections"
import { useSetup } from "../../../../../hooks/api/setup"
import { SetupSection } from "./setup-section"

const SetupPage = () => {
  const { id = "" } = useParams()
  const connection = useConnection(id)
  const setup = useSetup(id, true)

  if (!connection.data || !setup.data) {
    const failed = [connection, setup].find(({ error }) => error)
    return (
      <Container className="divide-y p-0">
        {failed?.error ? (
          <ErrorNotice error={failed.error} onRetry={failed.refetch} className="px-6 py-4" />
        ) : (
          <RowsSkeleton rows={8} />
        )}
      </Container>
    )
  }
  return (
    <PageLayout
      zone="svc_setup.details"
      data={connection.data.connection}
      sections={{
        SvcSetup: <SetupSection connection={connection.data.connection} setup={setup.data.setup} />,
      }}
    />
  )
}

export const handle = { breadcrumb: (_match: UIMatch) => <Crumb text="setup.heading" /> }

export default SetupPage
