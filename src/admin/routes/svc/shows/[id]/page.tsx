import { type UIMatch, useParams } from "react-router-dom"
import { PageLayout } from "../../../../components/page-layout"
import { PagePlaceholder } from "../../../../components/page-placeholder"
import { useLiveEvent } from "../../../../hooks/api/records"
import { ShowGeneralSection } from "./show-general-section"
import { ShowOrdersSection } from "./show-orders-section"
import { ShowProductsSection } from "./show-products-section"
import { ShowResultsSection } from "./show-results-section"

const ShowPage = () => {
  const { id = "" } = useParams()
  const { data, error, refetch } = useLiveEvent(id)

  if (!data) return <PagePlaceholder error={error} onRetry={refetch} rows={6} />

  return (
    <PageLayout
      zone="svc_show.details"
      data={data.live_event}
      sections={{
        SvcShowGeneralSection: <ShowGeneralSection event={data.live_event} />,
        SvcShowResultsSection: <ShowResultsSection event={data.live_event} />,
        SvcShowOrdersSection: <ShowOrdersSection event={data.live_event} />,
        SvcShowProductsSection: <ShowProductsSection event={data.live_event} />,
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
