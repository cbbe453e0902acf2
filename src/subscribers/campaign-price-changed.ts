import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { forgetPrices } from "../workflows/cart"
import { EVENT_PRODUCT_CHANGED, LIVE_EVENT_CHANGED } from "../workflows/shows"

/** A price that changed in a show must be charged at once: forgets what was looked up before, instead of letting it expire. */
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
