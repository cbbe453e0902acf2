import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import type { ChangeKind } from "../modules/svc"
import { eventIds, markChanged } from "../workflows/catalog"

/** Both names of each: setting levels in a batch emits only the short one, an order only the module's. */
const KIND: Record<string, ChangeKind> = {
  "inventory-item": "inventory_item",
  "inventory.inventory-item": "inventory_item",
  "inventory-level": "inventory_level",
  "inventory.inventory-level": "inventory_level",
  "reservation-item": "reservation",
  "inventory.reservation-item": "reservation",
  LinkProductVariantInventoryItem: "inventory_link",
}
const ACTIONS = ["created", "updated", "deleted", "restored", "attached", "detached"]

export const config: SubscriberConfig = {
  event: Object.keys(KIND).flatMap((name) => ACTIONS.map((action) => `${name}.${action}`)),
  context: { subscriberId: "svc-catalog-stock" },
}

/** Marks the products whose stock an event concerns. */
export default async function stockChanged({ event, container }: SubscriberArgs<unknown>) {
  const kind = KIND[event.name.replace(/\.[^.]+$/, "")]
  if (kind) await markChanged(container, kind, eventIds(event.data))
}
