import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { eventIds, markMarkets } from "../workflows/catalog"

const LOCATION = "LinkSalesChannelStockLocation"

export const config: SubscriberConfig = {
  event: ["region.updated", "region.deleted", `${LOCATION}.attached`, `${LOCATION}.detached`],
  context: { subscriberId: "svc-catalog-connection" },
}

/** Marks whole connections: their region has another currency, or their channel another stock location. */
export default async function marketChanged({ event, container }: SubscriberArgs<unknown>) {
  const ids = eventIds(event.data)
  const ofLocation = event.name.startsWith(LOCATION)
  await markMarkets(container, {
    regions: ofLocation ? [] : ids,
    locationLinks: ofLocation ? ids : [],
  })
}
