import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/** Our record of our subscriber at the service (interface §2.4): one per connection. */
export const SvcWebhook = model
  .define("svc_webhook", {
    id: model.id({ prefix: "svcwh" }).primaryKey(),
    connection_id: model.text(),
    /** The service's id; null where the key was pasted by hand and nothing was registered from here. */
    webhook_uid: model.text().nullable(),
    /** Whom deliveries name as their subscriber, which may be another id (gap 13); null before the first one that is ours. */
    subscriber_uid: model.text().nullable(),
    /** The name that it bears in the service's dashboard. */
    name: model.text().nullable(),
    url: model.text().nullable(),
    topics: model.json(),
    /** Those that were asked for from here; null where the webhook was not made from here. */
    asked_topics: model.json().nullable(),
    /** Names only: values may be secrets of the merchant's gateway. */
    custom_headers: model.json(),
    /** State as the service last told (interface §3.2); null before. */
    state: model.text().nullable(),
    signature_key: model.text().nullable(),
    signature_key_fingerprint: model.text().nullable(),
    signature_key_updated_at: model.dateTime().nullable(),
    /** A key that was pasted and has not verified a delivery yet; tried beside the current one (gap 12). */
    candidate_key: model.text().nullable(),
    /**
     * Changes with everything that decides what verifies: the keys, and the page. The receiver keeps keys in memory
     * and keeps a delivery only under the version that it verified it with.
     */
    key_version: model.number().default(1),
    /**
     * Set before create and rotate (gap 12). `asked`: the call is under way, or nobody knows what came of it, so the
     * key before it is still tried. `answered`: the new key is the current one, and the key before it is not tried.
     */
    rotation: model.text().nullable(),
    /** While a rotation lasts, a mismatch answers 503, not 401. */
    rotating_until: model.dateTime().nullable(),
    last_delivery_at: model.dateTime().nullable(),
    /** Receiver's clock less the service's at the last delivery, in milliseconds (gap 7). */
    clock_skew_ms: model.number().nullable(),
    /** When the service last told `state`, or that it does not know the subscriber. */
    refreshed_at: model.dateTime().nullable(),
  })
  .indexes([{ on: ["connection_id"], unique: true, where: "deleted_at IS NULL" }])

export type Webhook = InferTypeOf<typeof SvcWebhook>
