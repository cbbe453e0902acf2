import { type Connection, readLastCheck, readReason } from "../../../../modules/svc"

/** A connection as the API shows it. Built field by field: a column added to the row is not shown by accident. */
export const connectionView = (row: Connection) => ({
  id: row.id,
  name: row.name,
  page_uid: row.page_uid,
  base_url: row.base_url,
  sales_channel_id: row.sales_channel_id,
  region_id: row.region_id,
  storefront_url: row.storefront_url,
  prices_include_vat: row.prices_include_vat,
  promotions: row.promotions,
  report_settings: row.report_settings ?? {},
  catalog: row.catalog,
  feed: { configured: row.feed_token_hash !== null, created_at: row.feed_token_created_at },
  /** `active` only where the service has accepted the token and the last look at it found nothing wrong. */
  status: row.status,
  /** When somebody last asked the service, and what came of it. */
  checked_at: readLastCheck(row)?.at ?? null,
  last_check: readLastCheck(row),
  last_error: readReason(row.last_error),
  api_token: {
    configured: row.api_token_fingerprint !== null,
    fingerprint: row.api_token_fingerprint,
    updated_at: row.api_token_updated_at,
  },
  managed_by: row.managed_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** Body of the routes that create and change a connection. */
export type { CreateConnectionInput } from "../../../../workflows/connections"
/** What is still at the service, beside the answer to a change or a deletion. */
export type { WebhookLeft } from "../../../../workflows/webhooks"
