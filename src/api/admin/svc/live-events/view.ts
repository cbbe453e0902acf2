import type { KnownEvent } from "../../../../modules/svc"
import {
  type EventWithProducts,
  type JudgedProduct,
  priceCurrencyOf,
} from "../../../../workflows/shows"

/** When the service told the latest; null where no delivery did, and a listing left out too much to count as one. */
const toldAt = (at: Date): Date | null => (at.getTime() > 0 ? at : null)

/** An event as lists show it, live event or shoppable. */
const liveEventView = ({
  price_currency,
  price_includes_vat,
  sells,
  shown,
  absent_at,
  ...event
}: KnownEvent) => ({
  ...event,
  /** When the service told that it is deleted, or since when its listings lack it. */
  deleted_at: event.deleted_at ?? absent_at,
  occurred_at: toldAt(event.occurred_at),
})

const eventProductView = ({
  id,
  connection_id,
  kind,
  shown,
  catalogItem,
  ...product
}: JudgedProduct) => ({
  ...product,
  occurred_at: toldAt(product.occurred_at),
  /** Our row of the product, for sending it once more; null where the store has none. */
  catalog_item: catalogItem,
})

/** An event in a list, with how many products its campaign has now. */
export const liveEventListView = (event: KnownEvent, productCount: number) => ({
  ...liveEventView(event),
  product_count: productCount,
})

/** A single event, with the service's text about it, its products, the currency of their prices and whether each can be sold. */
export const liveEventDetail = (
  event: Omit<EventWithProducts, "products"> & { products: JudgedProduct[] },
) => ({
  ...liveEventView(event),
  /** Null where the service gave none. */
  description: event.shown.description,
  video_url: event.shown.video_url,
  /** Of the show's prices. */
  currency_code: priceCurrencyOf(event),
  /** Whether its campaign sells anything, if the service answers a price: also after the broadcast (gap 21). */
  sells: event.sells,
  products: event.products.map(eventProductView),
})
