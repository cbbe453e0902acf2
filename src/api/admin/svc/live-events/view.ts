import type { KnownEvent, KnownEventProduct } from "../../../../modules/svc"
import {
  type EventWithProducts,
  type JudgedProduct,
  priceCurrencyOf,
} from "../../../../workflows/shows"

/** When the service told the latest; null where no delivery did, and a listing left out too much to count as one. */
const toldAt = (at: Date): Date | null => (at.getTime() > 0 ? at : null)

/** An event as lists show it, live event or shoppable. */
const liveEventView = (event: KnownEvent) => ({
  id: event.id,
  event_id: event.event_id,
  kind: event.kind,
  connection_id: event.connection_id,
  campaign_uid: event.campaign_uid,
  name: event.name,
  status: event.status,
  is_published: event.is_published,
  starts_at: event.starts_at,
  live_started_at: event.live_started_at,
  live_ended_at: event.live_ended_at,
  deadline: event.deadline,
  cover_url: event.cover_url,
  /** When the service told that it is deleted, or since when its listings lack it. */
  deleted_at: event.deleted_at ?? event.absent_at,
  occurred_at: toldAt(event.occurred_at),
  needs_reread: event.needs_reread,
})

const eventProductView = (product: KnownEventProduct) => ({
  uid: product.uid,
  sku: product.sku,
  external_id: product.external_id,
  campaign_uid: product.campaign_uid,
  name: product.name,
  price: product.price,
  suggested_retail_price: product.suggested_retail_price,
  available: product.available,
  min_purchase_qty: product.min_purchase_qty,
  max_qty_per_customer: product.max_qty_per_customer,
  variants: product.variants,
  deleted_at: product.deleted_at,
  occurred_at: toldAt(product.occurred_at),
  needs_reread: product.needs_reread,
})

/** An event in a list, with how many products its campaign has now. */
export const liveEventListView = (event: KnownEvent, productCount: number) => ({
  ...liveEventView(event),
  product_count: productCount,
})

/** A single event, with the service's text about it, its products, the currency of their prices and whether each can be sold. */
export const liveEventDetail = (
  event: Omit<EventWithProducts, "products"> & { sells: boolean; products: JudgedProduct[] },
) => ({
  ...liveEventView(event),
  /** Null where the service gave none. */
  description: event.shown.description,
  video_url: event.shown.video_url,
  /** Of the show's prices. */
  currency_code: priceCurrencyOf(event),
  /** Whether its campaign sells anything, if the service answers a price: also after the broadcast (gap 21). */
  sells: event.sells,
  products: event.products.map((product) => ({
    ...eventProductView(product),
    readiness: product.readiness,
    /** Our row of the product, for sending it once more; null where the store has none. */
    catalog_item: product.catalogItem,
  })),
})
