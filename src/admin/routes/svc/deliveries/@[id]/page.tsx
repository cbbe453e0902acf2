import { useParams } from "react-router-dom"
import { CodeSample, json } from "../../../../components/code-sample"
import { ConnectionName } from "../../../../components/columns"
import { Detail, Drawer } from "../../../../components/drawer"
import { ReasonLine } from "../../../../components/error-notice"
import { Facts } from "../../../../components/facts"
import { PressButton } from "../../../../components/press-button"
import { LongText } from "../../../../components/section"
import { StateBadge } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { whileApplying } from "../../../../hooks/api/records"
import { useAnswer } from "../../../../hooks/api/request"
import { canBeReplayed, useReplay } from "../../../../hooks/use-actions"
import { useText } from "../../../../hooks/use-text"
import { formatNumber } from "../../../../lib/format"
import type { DeliveryDetail } from "../../../../lib/types"

const DeliveryDrawer = () => {
  const { id = "" } = useParams()
  const query = useAnswer<{ delivery: DeliveryDetail }>(`/deliveries/${id}`, {
    again: (answer) => whileApplying(answer ? [answer.delivery] : []),
  })
  const delivery = query.data?.delivery
  return (
    <Drawer
      title={delivery?.topic}
      state={delivery && <StateBadge of="delivery" state={delivery.outcome} />}
      query={query}
    >
      {(data) => <DeliveryFacts delivery={data.delivery} />}
    </Drawer>
  )
}

const DeliveryFacts = ({ delivery }: { delivery: DeliveryDetail }) => {
  const { t, locale } = useText()
  const replay = useReplay()
  return (
    <Detail
      actions={
        canBeReplayed(delivery) && (
          <PressButton press={replay} input={delivery.id} variant="primary">
            {t("deliveries.replay")}
          </PressButton>
        )
      }
    >
      <ReasonLine reason={delivery.reason} className="px-6 pt-2" />
      <div className="divide-y">
        <Facts
          of={{
            "deliveries.columns.connection": <ConnectionName id={delivery.connection_id} />,
            "deliveries.fields.occurred": <When at={delivery.occurred_at} exact />,
            "deliveries.fields.received": <When at={delivery.received_at} exact />,
            "deliveries.fields.eventUid": <LongText text={delivery.event_uid ?? "-"} />,
            "deliveries.fields.deliveryUid": <LongText text={delivery.delivery_uid ?? "-"} />,
            "deliveries.fields.repeats":
              delivery.repeats > 0 && formatNumber(delivery.repeats, locale),
          }}
        />
      </div>
      <div className="px-6 pb-2">
        <CodeSample
          snippets={[
            json(t("deliveries.payload"), delivery.payload),
            json(t("deliveries.headers"), delivery.headers),
          ]}
        />
      </div>
    </Detail>
  )
}

export default DeliveryDrawer
