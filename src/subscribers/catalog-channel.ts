import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { eventIds, markChanged } from "../workflows/catalog"

export const config: SubscriberConfig = {
  event: ["LinkProductSalesChannel.attached", "LinkProductSalesChannel.detached"],
  context: { subscriberId: "svc-catalog-channel" },
}

/** Marks the products that joined or left a sales channel. */
export default async function channelChanged({ event, container }: SubscriberArgs<unknown>) {
  await markChanged(container, "channel_link", eventIds(event.data))
}
