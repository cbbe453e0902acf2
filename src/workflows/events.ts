import { CART_EVENTS, type CartEvents } from "./cart"
import { type CatalogEvents, IMPORT_COMPLETED, PRODUCT_REFUSED, PRODUCT_SYNCED } from "./catalog"
import { ORDER_EVENTS, type OrderEvents } from "./orders"
import { SHOW_EVENTS, type ShowEvents } from "./shows"

/** Every event that the plugin emits on Medusa's event bus, as subscribers name it. What each carries: `SvcEvents`. */
export const SVC_EVENTS = {
  ...SHOW_EVENTS,
  productSynced: PRODUCT_SYNCED,
  productRefused: PRODUCT_REFUSED,
  importCompleted: IMPORT_COMPLETED,
  cartLineAdded: CART_EVENTS.lineAdded,
  cartLineRefused: CART_EVENTS.lineRefused,
  cartPriceChanged: CART_EVENTS.priceChanged,
  orderReported: ORDER_EVENTS.reported,
  orderFailed: ORDER_EVENTS.failed,
  orderExcluded: ORDER_EVENTS.excluded,
} as const

/** The data of each event, by its name: `SubscriberArgs<SvcEvents["svc.order.failed"]>`. */
export type SvcEvents = ShowEvents & CatalogEvents & CartEvents & OrderEvents
