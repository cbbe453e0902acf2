import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { forgetPrices } from "../workflows/cart/price-lookup"
import { EVENT_PRODUCT_CHANGED, LIVE_EVENT_CHANGED } from "../workflows/webhooks/projection-events"

/** A price that changed in a show is charged at once: what was looked up before is forgotten, not waited out. */
export default async function campaignPriceChanged({
  event,
  container,
}: SubscriberArgs<{ connection_id: string; campaign_uid: string }>): Promise<void> {
  await forgetPrices(container, event.data.connection_id, event.data.campaign_uid)
}

export const config: SubscriberConfig = {
  event: [EVENT_PRODUCT_CHANGED, LIVE_EVENT_CHANGED],
  context: { subscriberId: "svc-campaign-price-changed" },
}
