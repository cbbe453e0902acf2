import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import type { ChangeKind } from "../modules/svc"
import { eventIds, markChanged } from "../workflows/catalog"

/**
 * Both names of each: a workflow emits the short one, a module the long one, and neither is always there (new pictures
 * of a product emit only `product.updated`, a change through the module only `product.product.updated`).
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
}
const ACTIONS = ["created", "updated", "deleted", "restored"]

export const config: SubscriberConfig = {
  event: Object.keys(KIND).flatMap((name) => ACTIONS.map((action) => `${name}.${action}`)),
  context: { subscriberId: "svc-catalog-product" },
}

/** Marks the products that a product, variant, option or image event concerns. */
export default async function productChanged({ event, container }: SubscriberArgs<unknown>) {
  const kind = KIND[event.name.replace(/\.[^.]+$/, "")]
  if (kind) await markChanged(container, kind, eventIds(event.data))
}
