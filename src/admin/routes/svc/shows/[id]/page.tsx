import { Container, Skeleton } from "@medusajs/ui"
import { type UIMatch, useParams } from "react-router-dom"
import { ErrorNotice } from "../../../../components/error-notice"
import { PageLayout } from "../../../../components/page-layout"
import { RowsSkeleton } from "../../../../components/section"
import { useLiveEvent } from "../../../../hooks/api/live-events"
import { ShowGeneralSection } from "./show-general-section"
import { ShowOrdersSection } from "./show-orders-section"
import { ShowProductsSection } from "./show-products-section"
import { ShowResultsSection } from "./show-results-section"

const ShowPage = () => {
  const { id = "" } = useParams()
  const { data, error, refetch } = useLiveEvent(id)

  if (!data) {
    return (
      <Container className="divide-y p-0">
        {error ? (
          <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />
        ) : (
          <>
            <div className="px-6 py-4">
              <Skeleton className="h-7 w-48" />
            </div>
            <RowsSkeleton rows={6} />
          </>
        )}
      </Container>
    )
  }

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
