import { type UIMatch, useParams } from "react-router-dom"
import { PageLayout, PagePlaceholder } from "../../../../components/page-layout"
import { useConnection, useSync } from "../../../../hooks/api/connections"
import { CatalogSection } from "./catalog-section"
import { DoctorSection } from "./doctor-section"
import { GeneralSection } from "./general-section"
import { SentSection } from "./sent-section"
import { WebhookSection } from "./webhook-section"

// What was found or opened on the page of one connection is nothing for the page of another.
const ConnectionPage = () => {
  const { id = "" } = useParams()
  return <PageOf key={id} id={id} />
}

const PageOf = ({ id }: { id: string }) => {
  const sync = useSync(id)
  const query = useConnection(id)
  const connection = query.data?.connection

  if (!connection) return <PagePlaceholder query={query} rows={7} />

  return (
    <PageLayout
      zone="svc_connection.details"
      data={connection}
      sections={{
        SvcConnectionGeneralSection: <GeneralSection connection={connection} />,
        SvcConnectionCatalogSection: <CatalogSection connectionId={id} query={sync} />,
        SvcConnectionSentSection: <SentSection connection={connection} />,
        SvcConnectionWebhookSection: <WebhookSection connectionId={id} />,
        SvcConnectionDoctorSection: <DoctorSection connectionId={id} />,
      }}
    />
  )
}

const Breadcrumb = ({ id }: { id: string }) => {
  const { data } = useConnection(id)
  return <span>{data?.connection.name}</span>
}

export const handle = {
  breadcrumb: ({ params }: UIMatch) => <Breadcrumb id={params.id ?? ""} />,
}

export default ConnectionPage
