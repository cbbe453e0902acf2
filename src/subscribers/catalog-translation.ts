import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { eventIds, markChanged } from "../workflows/catalog"

const ACTIONS = ["created", "updated", "deleted", "restored"]

export const config: SubscriberConfig = {
  event: ACTIONS.map((action) => `translation.translation.${action}`),
  context: { subscriberId: "svc-catalog-translation" },
}

/** Marks the products whose texts were translated. Told only where Medusa's translation module is on. */
export default async function translationChanged({ event, container }: SubscriberArgs<unknown>) {
  await markChanged(container, "translation", eventIds(event.data))
}
