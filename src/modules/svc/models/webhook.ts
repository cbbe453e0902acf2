import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/** Our record of our subscriber at the service (interface §2.4): one per connection. */
export const SvcWebhook = model
  .define("svc_webhook", {
    id: model.id({ prefix: "svcwh" }).primaryKey(),
    connection_id: model.text(),
    /** The service's id; null where the key was pasted by hand and nothing was registered from here. */
    webhook_uid: model.text().nullable(),
    url: model.text().nullable(),
    topics: model.json(),
    /** Names only: values may be secrets of the merchant's gateway. */
    custom_headers: model.json(),
    /** State as the service last told (interface §3.2); null before. */
    state: model.text().nullable(),
    signature_key: model.text().nullable(),
    signature_key_fingerprint: model.text().nullable(),
    signature_key_updated_at: model.dateTime().nullable(),
    /** A key that was pasted or issued and has not verified a delivery yet; tried beside the current one (gap 12). */
    candidate_key: model.text().nullable(),
    /** Set before create and rotate: until then a mismatch answers 503, not 401 (gap 12). */
    rotating_until: model.dateTime().nullable(),
    last_delivery_at: model.dateTime().nullable(),
    /** Receiver's clock less the service's at the last delivery, in milliseconds (gap 7). */
    clock_skew_ms: model.number().nullable(),
    /** When `state` was last read at the service. */
    refreshed_at: model.dateTime().nullable(),
    /** The listings are read whenever `pulled_at` is not later than `pull_wanted_at` (gap 20). */
    pull_wanted_at: model.dateTime().nullable(),
    pulled_at: model.dateTime().nullable(),
    pull_lease_until: model.dateTime().nullable(),
    /** `{code, message, fix, at}` of what stands in the way of deliveries or listings, null when nothing does. */
    last_error: model.json().nullable(),
  })
  .indexes([{ on: ["connection_id"], unique: true, where: "deleted_at IS NULL" }])

export type Webhook = InferTypeOf<typeof SvcWebhook>
