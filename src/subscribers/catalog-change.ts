import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import type { ChangeKind } from "../modules/svc"
import { eventIds, markChanged } from "../workflows/catalog"

/**
 * What an event names by its id. Both names of a thing where it has two: a workflow emits the short one, a module the long
 * one, and neither is always there (new pictures of a product emit only `product.updated`, a change through the module only
 * `product.product.updated`; setting levels in a batch emits only the short one, an order only the module's).
 */
const KIND: Record<string, ChangeKind> = {
  product: "product",
  "product.product": "product",
  "product-variant": "variant",
  "product.product-variant": "variant",
  "product-option": "option",
  "product.product-option": "option",
  "product-option-value": "option_value",
  "product.product-option-value": "option_value",
  "product.product-product-option": "product_option",
  "product.product-image": "image",
  // Prices have only events of their module; no workflow emits one. An updated price list emits nothing at all: the job of
  // each minute finds it.
  "pricing.price": "price",
  "pricing.price-set": "price_set",
  "pricing.price-list": "price_list",
  "pricing.price-rule": "price_rule",
  "pricing.price-list-rule": "price_list_rule",
  LinkProductVariantPriceSet: "price_set_link",
  "inventory-item": "inventory_item",
  "inventory.inventory-item": "inventory_item",
  "inventory-level": "inventory_level",
  "inventory.inventory-level": "inventory_level",
  "reservation-item": "reservation",
  "inventory.reservation-item": "reservation",
  LinkProductVariantInventoryItem: "inventory_link",
  LinkProductSalesChannel: "channel_link",
  // Told only where Medusa's translation module is on.
  "translation.translation": "translation",
}
const ACTIONS = ["created", "updated", "deleted", "restored"]
const LINK_ACTIONS = ["attached", "detached"]

export const config: SubscriberConfig = {
  event: Object.keys(KIND).flatMap((name) =>
    (name.startsWith("Link") ? LINK_ACTIONS : ACTIONS).map((action) => `${name}.${action}`),
  ),
  context: { subscriberId: "svc-catalog-change" },
}

/** Marks the products that show what an event says has changed: a product, or its variants, prices, stock, channels, texts. */
export default async function catalogChanged({ event, container }: SubscriberArgs<unknown>) {
  const kind = KIND[event.name.replace(/\.[^.]+$/, "")]
  if (kind) await markChanged(container, kind, eventIds(event.data))
}
