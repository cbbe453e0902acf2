/**
 * Emitted on Medusa's event bus after the projection changed: `{connection_id, event_id, campaign_uid}`.
 * Best effort; rows are the truth.
 */
export const LIVE_EVENT_CHANGED = "svc.live_event.changed"

/** The same for a product of a campaign: `{connection_id, campaign_uid, external_id}`. */
export const EVENT_PRODUCT_CHANGED = "svc.event_product.changed"
