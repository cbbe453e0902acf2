import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { forgetPrices } from "../workflows/cart"
import { forgetLiveList, SHOW_EVENTS } from "../workflows/shows"

/**
 * A price that changed in a show must be charged at once, and a show that begins is shown at once: forgets what was
 * looked up and listed before, instead of letting it expire.
 */
export default async function campaignPriceChanged({
  event,
  container,
}: SubscriberArgs<{ connection_id: string; campaign_uid: string }>): Promise<void> {
  const { connection_id: connectionId, campaign_uid: campaignUid } = event.data
  await Promise.all([
    forgetPrices(container, connectionId, campaignUid),
    forgetLiveList(connectionId),
  ])
}

export const config: SubscriberConfig = {
  event: [SHOW_EVENTS.eventProductChanged, SHOW_EVENTS.liveEventChanged],
  context: { subscriberId: "svc-campaign-price-changed" },
}
