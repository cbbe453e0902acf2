import { SectionRow } from "@medusajs/dashboard/components"
import { Button } from "@medusajs/ui"
import { useParams } from "react-router-dom"
import { DetailDrawer } from "../../../../components/detail-drawer"
import { ReasonLine } from "../../../../components/error-notice"
import { JsonView } from "../../../../components/json-view"
import { LongText } from "../../../../components/section"
import { StateBadge } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { useDelivery } from "../../../../hooks/api/deliveries"
import { useConnectionNames } from "../../../../hooks/use-connection-names"
import { useReplay } from "../../../../hooks/use-row-actions"
import { useText } from "../../../../hooks/use-text"
import { formatNumber } from "../../../../lib/format"

const DeliveryDrawer = () => {
  const { t, locale } = useText()
  const { id = "" } = useParams()
  const { nameOf } = useConnectionNames()
  const { data, error, refetch } = useDelivery(id)
  const { replay, isPending } = useReplay()
  const delivery = data?.delivery

  return (
    <DetailDrawer
      title={delivery?.topic}
      state={delivery && <StateBadge of="delivery" state={delivery.outcome} />}
      error={error}
      onRetry={refetch}
      actions={
        delivery && (
          <Button size="small" isLoading={isPending} onClick={() => replay(id)}>
            {t("deliveries.replay")}
          </Button>
        )
      }
    >
      {delivery && (
        <>
          <ReasonLine reason={delivery.reason} className="px-6 pt-2" />
          <div className="divide-y">
            <SectionRow
              title={t("deliveries.columns.connection")}
              value={nameOf(delivery.connection_id)}
            />
            <SectionRow
              title={t("deliveries.fields.occurred")}
              value={<When at={delivery.occurred_at} exact />}
            />
            <SectionRow
              title={t("deliveries.fields.received")}
              value={<When at={delivery.received_at} exact />}
            />
            <SectionRow
              title={t("deliveries.fields.eventUid")}
              value={<LongText text={delivery.event_uid ?? "-"} />}
            />
            <SectionRow
              title={t("deliveries.fields.deliveryUid")}
              value={<LongText text={delivery.delivery_uid ?? "-"} />}
            />
            {delivery.repeats > 0 && (
              <SectionRow
                title={t("deliveries.fields.repeats")}
                value={formatNumber(delivery.repeats, locale)}
              />
            )}
          </div>
          <div className="px-6 pb-2">
            <JsonView
              parts={[
                { label: t("deliveries.payload"), value: delivery.payload, nothing: "" },
                { label: t("deliveries.headers"), value: delivery.headers, nothing: "" },
              ]}
            />
          </div>
        </>
      )}
    </DetailDrawer>
  )
}

export default DeliveryDrawer
