import { type StoreConnection, StoreError, withDeadline } from "./store-connection.ts"

/** A show or a shoppable that a storefront may announce. Times are ISO 8601 in UTC. */
export interface LiveEvent {
  id: string
  event_id: string
  /** The service's page that it runs on; each market has one. */
  page_uid: string | null
  kind: "live" | "shoppable"
  campaign_uid: string
  name: string
  /** `planned`, `live`, `processing`, `vod`, `clip`, or a state that came later (interface §3.1). */
  status: string
  starts_at: string | null
  live_started_at: string | null
  live_ended_at: string | null
  deadline: string | null
  cover_url: string | null
  /** The service's pictures of the show; `video` is a short film. */
  cover_urls: { landscape: string | null; portrait: string | null; video: string | null }
  description: string | null
  /** The whole show, to be watched again; null until the service has it. */
  video_url: string | null
  tags: string[]
  category: string | null
  /** Currency of the products' prices; null where the service has not said. */
  currency_code: string | null
  /** Whether the products' prices are with tax; null where the store does not say. */
  prices_include_tax: boolean | null
  products: LiveEventProduct[]
}

/** A product of a show. `price` is the show's, in major units; the store proves it again when the product goes into the cart. */
export interface LiveEventProduct {
  uid: string
  sku: string | null
  /** The product's id in the store, and its handle there. */
  external_id: string | null
  handle: string | null
  name: string
  /** The product's page, as the service knows it. */
  url: string | null
  image: string | null
  brand: string | null
  /** How many one tap puts into the basket. */
  default_quantity: number | null
  price: number | null
  suggested_retail_price: number | null
  available: boolean
  min_purchase_qty: number | null
  max_qty_per_customer: number | null
  /** `price` where a variant has its own. */
  variants: { external_id: string | null; sku: string | null; price: number | null }[]
}

/**
 * What a show asks for a variant of one of its products; null where it has no price for it, or sells other variants alone.
 *
 * @param variantId its id in the store; none: the price of the product
 */
export function askedFor(
  { variants, price }: Pick<LiveEventProduct, "variants" | "price">,
  variantId?: string,
): number | null {
  const own = variants.find(({ external_id }) => external_id === variantId)
  const isLeftOut = variantId && !own && variants.some(({ external_id }) => external_id)
  return isLeftOut ? null : (own?.price ?? price)
}

/** Which shows are asked for: by default all that run or come, and open shoppables; `vod`, which are over and still sell, by name. */
export interface LiveEventsQuery {
  kind?: LiveEvent["kind"]
  status?: readonly string[]
  /** Of this page of the service alone, where several markets share the sales channel. */
  page_uid?: string | null | undefined
  /** A field, with `-` before it from the last to the first; running ones come first by default. */
  order?: string
  limit?: number
}

/**
 * Published shows that are running or coming, with their products, for "live now" on a storefront.
 * The same for every shopper: asked without a session, so that whatever lies between may keep it.
 * Throws `StoreError`.
 *
 * @param signal aborts the request, for a page that is left
 */
export async function liveEvents(
  store: StoreConnection,
  signal?: AbortSignal,
  { kind, status = [], page_uid, order, limit }: LiveEventsQuery = {},
): Promise<LiveEvent[]> {
  const query = new URLSearchParams(status.map((each) => ["status", each]))
  if (kind) query.set("kind", kind)
  if (page_uid) query.set("page_uid", page_uid)
  if (order) query.set("order", order)
  if (limit) query.set("limit", String(limit))
  // Not `query.size`: older browsers have none, and would ask for everything.
  const asked = String(query) && `?${query}`
  const url = `${store.baseUrl.replace(/\/+$/, "")}/store/svc/live-events${asked}`
  const read = async (stop: AbortSignal): Promise<{ live_events?: LiveEvent[] }> => {
    const response = await fetch(url, {
      credentials: "omit",
      headers: { "x-publishable-api-key": store.publishableKey },
      signal: stop,
    })
    if (!response.ok) throw new StoreError("broken", response.status)
    return response.json()
  }
  const { live_events } = await withDeadline(store.timeoutMs, read, signal).catch((error) => {
    throw error instanceof StoreError ? error : new StoreError("offline")
  })
  return live_events ?? []
}
