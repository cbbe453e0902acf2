import type { MedusaResponse, MedusaStoreRequest } from "@medusajs/framework/http"
import {
  type AnnouncedEvent,
  announcedEvents,
  EVENT_COLUMNS,
  priceCurrencyOf,
} from "../../../../workflows/shows"
import { byColumn, readListQuery, route } from "../../../answer"

/**
 * What was cancelled has to go from the shop at once, and only our own cache is told of it. So whatever lies between may
 * keep the list for two seconds, which is enough to spare the store a crowd, and must ask again after that.
 */
const CACHE_CONTROL = "public, max-age=2, must-revalidate"

/**
 * `GET /store/svc/live-events` → `{live_events, count, limit, offset}`: published, coming and running, with their
 * products; of the connections of the publishable key's sales channels, with `page_uid` of that page's alone. Running ones
 * come first. `status=vod`: those that are over, still sell and can be watched again.
 */
export const GET = route<MedusaStoreRequest, MedusaResponse>(async (req, res) => {
  const {
    filters: asked,
    order,
    page,
  } = readListQuery(req.query, {
    sortable: EVENT_COLUMNS,
    filters: ["page_uid", "event_id", "campaign_uid", "kind", "status"],
  })
  const { page_uid, ...filters } = asked
  const { sales_channel_ids } = req.publishable_key_context
  const of = { sales_channel_id: sales_channel_ids, ...(page_uid ? { page_uid } : {}) }
  const query = { filters, order: req.query.order === undefined ? {} : byColumn(order), ...page }
  const list = await announcedEvents(req.scope, of, query, shopView)
  res.setHeader("Cache-Control", CACHE_CONTROL)
  res.vary("x-publishable-api-key")
  res.json({ ...list, ...page })
})

/** What a shopper may see, and nothing of our own records. */
const shopView = (event: AnnouncedEvent) => ({
  id: event.id,
  event_id: event.event_id,
  page_uid: event.page_uid,
  kind: event.kind,
  campaign_uid: event.campaign_uid,
  name: event.name,
  status: event.status,
  starts_at: event.starts_at,
  live_started_at: event.live_started_at,
  live_ended_at: event.live_ended_at,
  deadline: event.deadline,
  cover_url: event.cover_url,
  ...event.shown,
  currency_code: priceCurrencyOf(event),
  prices_include_tax: event.prices_include_tax,
  products: event.products.map((product) => ({
    uid: product.uid,
    sku: product.sku,
    external_id: product.external_id,
    handle: product.handle,
    name: product.name,
    ...product.shown,
    price: product.price,
    suggested_retail_price: product.suggested_retail_price,
    available: product.available,
    min_purchase_qty: product.min_purchase_qty,
    max_qty_per_customer: product.max_qty_per_customer,
    variants: product.variants,
  })),
})
