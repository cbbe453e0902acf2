import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import type { ChangeKind } from "../modules/svc"
import { eventIds, markChanged } from "../workflows/catalog"

/**
 * Prices have only events of their module; no workflow emits one. An updated price list emits nothing at all: the job
 * of each minute finds it.
 */
const KIND: Record<string, ChangeKind> = {
  "pricing.price": "price",
  "pricing.price-set": "price_set",
  "pricing.price-list": "price_list",
  "pricing.price-rule": "price_rule",
  "pricing.price-list-rule": "price_list_rule",
  LinkProductVariantPriceSet: "price_set_link",
}
const ACTIONS = ["created", "updated", "deleted", "restored", "attached", "detached"]

export const config: SubscriberConfig = {
  event: Object.keys(KIND).flatMap((name) => ACTIONS.map((action) => `${name}.${action}`)),
  context: { subscriberId: "svc-catalog-price" },
}

/** Marks the products whose price an event concerns. */
export default async function priceChanged({ event, container }: SubscriberArgs<unknown>) {
  const kind = KIND[event.name.replace(/\.[^.]+$/, "")]
  if (kind) await markChanged(container, kind, eventIds(event.data))
}
