import { type UIMatch, useParams } from "react-router-dom"
import { Crumb } from "../../../../../components/crumb"
import { PageLayout, PagePlaceholder } from "../../../../../components/page-layout"
import { useConnection, useSetup } from "../../../../../hooks/api/connections"
import { SetupSection } from "./setup-section"

const SetupPage = () => {
  const { id = "" } = useParams()
  const connection = useConnection(id)
  const setup = useSetup(id, true)

  const query = connection.error ? connection : setup
  if (!connection.data || !setup.data) return <PagePlaceholder query={query} rows={8} />
  return (
    <PageLayout
      zone="svc_setup.details"
      data={connection.data.connection}
      query={query}
      sections={{
        SvcSetup: <SetupSection connection={connection.data.connection} setup={setup.data.setup} />,
      }}
    />
  )
}

export const handle = { breadcrumb: (_match: UIMatch) => <Crumb text="setup.heading" /> }

export default SetupPage
