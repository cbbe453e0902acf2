import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * One page (account) of the service, tied to one sales channel, region and storefront. A store has one per
 * market. Every other row of this module carries its connection's id.
 *
 * `status`: `unchecked` (nobody has asked the service yet) · `active` (the service has accepted the token, and the last look
 * at it found nothing wrong) · `broken` (`last_error` says why) · `undeclared` (it was declared in code and is no longer: it
 * has no token, is kept, and its receiver answers).
 */
export const SvcConnection = model
  .define("svc_connection", {
    id: model.id({ prefix: "svccon" }).primaryKey(),
    name: model.text().searchable(),
    page_uid: model.text().searchable(),
    base_url: model.text(),
    sales_channel_id: model.text(),
    region_id: model.text(),
    storefront_url: model.text(),
    /**
     * The host of the store that it is connected by, as its `backendUrl` says; null while that was not told. A store
     * that finds another host here is a copy of that one: see `shared/copy-of.ts`.
     */
    store_host: model.text().nullable(),
    status: model.enum(["unchecked", "active", "broken", "undeclared"]).default("unchecked"),
    /** The service refuses the token: all work waits until a person acts (gap 53). */
    token_refused: model.boolean().default(false),
    /**
     * `{code, message, fix, at, endpoint}` of a call that failed, null after a good one there; without an endpoint, as of a
     * refused token, it concerns all.
     */
    last_error: model.json().nullable(),
    /** When the service first accepted this token at this address; null until it did. */
    token_accepted_at: model.dateTime().nullable(),
    /** `{at, ok, duration_ms, reason}` of the last check that a person or a save asked for; null before the first. */
    last_check: model.json().nullable(),
    /** `{at, url, ok, reason}` of the last look at the storefront's address; null before the first. */
    storefront_check: model.json().nullable(),
    /** Encrypted (`connections/secrets.ts`); never leaves the server. */
    api_token: model.text().nullable(),
    api_token_fingerprint: model.text().nullable(),
    api_token_updated_at: model.dateTime().nullable(),
    /**
     * The page that it was moved away from, while the shows, deliveries and webhook of that one are still here
     * (`readLeftPage`). Its token is encrypted as the other one is; without it the webhook cannot be removed there.
     */
    left_page: model.json().nullable(),
    managed_by: model.enum(["admin", "environment"]).default("admin"),
    /** When a process last said that it has this connection's declaration. */
    declared_at: model.dateTime().nullable(),
    /** Whether campaign prices include VAT where the answer does not say: gap 34. */
    prices_include_vat: model.boolean().default(true),
    /** Whether the store's promotions also apply to what is sold at a show's price. */
    promotions: model.enum(["allow", "exclude"]).default("allow"),
    /** What this connection says of its reports (`orders/report-settings.ts`); null for as the store says. */
    report_settings: model.json().nullable(),
    /** What is sent of products and how (`catalog/settings.ts`); null for the defaults. */
    catalog: model.json().nullable(),
    /** SHA-256 of the token in the feed's address; null while the feed is off. */
    feed_token_hash: model.text().nullable(),
    feed_token_created_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["page_uid", "base_url"], unique: true, where: "deleted_at IS NULL" },
    { on: ["sales_channel_id"] },
  ])

export type Connection = InferTypeOf<typeof SvcConnection>
