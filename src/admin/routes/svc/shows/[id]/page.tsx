import { type UIMatch, useParams } from "react-router-dom"
import { PageLayout, PagePlaceholder } from "../../../../components/page-layout"
import { useLiveEvent } from "../../../../hooks/api/records"
import { ShowGeneralSection } from "./show-general-section"
import { ShowOrdersSection } from "./show-orders-section"
import { ShowProductsSection } from "./show-products-section"
import { ShowResultsSection } from "./show-results-section"

const ShowPage = () => {
  const { id = "" } = useParams()
  const query = useLiveEvent(id)
  const event = query.data?.live_event

  if (!event) return <PagePlaceholder query={query} rows={6} />

  return (
    <PageLayout
      zone="svc_show.details"
      data={event}
      query={query}
      sections={{
        SvcShowGeneralSection: <ShowGeneralSection event={event} />,
        SvcShowResultsSection: <ShowResultsSection event={event} />,
        SvcShowOrdersSection: <ShowOrdersSection event={event} />,
        SvcShowProductsSection: <ShowProductsSection event={event} />,
      }}
    />
  )
}

const Breadcrumb = ({ id }: { id: string }) => {
  const { data } = useLiveEvent(id)
  return <span>{data?.live_event.name}</span>
}

export const handle = {
  breadcrumb: ({ params }: UIMatch) => <Breadcrumb id={params.id ?? ""} />,
}

export default ShowPage
