/**
 * Events and event products as they leave the sandbox: in deliveries and listings alike, with what
 * the profiles change about them.
 */

import { createHash } from "node:crypto"
import type { ApiLiveEventProductV1, ApiLiveEventV1 } from "../contract/payloads"
import type { Context } from "../store/context"
import type { EventProduct, LiveEvent } from "../store/tables"

export function eventPayload(context: Context, event: LiveEvent): ApiLiveEventV1 {
  const campaign = context.tables.campaigns.get(event.campaign_uid)
  const data: ApiLiveEventV1 = {
    ...event.data,
    event: { ...event.data.event, isPublished: event.internal_status === "public" },
    // When the linked campaign closes (interface §2.6).
    campaign: { deadline: campaign?.deadline ?? 0 },
  }
  if (context.profiles.get("event_campaign") === "missing") {
    // As JSON has it: a field that is undefined is not written.
    Object.assign(data, { campaign: undefined })
    Object.assign(data.event, { campaignId: undefined })
  }
  if (context.profiles.get("ids") === "aliased") data.id = `api-${alias(event.id)}`
  if (context.profiles.get("unknowns") === "on") {
    data.event.videoMetaData = { width: 1080, height: 1920, orientation: "diagonal" }
    Object.assign(data.event, { futureField: { nested: [1, "two", null] } })
    Object.assign(data, { apiRevision: 7 })
  }
  return data
}

export function productPayload(context: Context, product: EventProduct): ApiLiveEventProductV1 {
  const data = { ...product.data }
  if (context.profiles.get("ids") === "aliased") data.id = `api-${alias(product.uid)}`
  if (context.profiles.get("unknowns") === "on")
    Object.assign(data, { futureBadge: "hot", rank: null })
  if (context.profiles.get("field_types") === "other") Object.assign(data, otherTypes(data))
  return data
}

/** What a careless service makes of a product: what it means can be read, or is no limit. */
const otherTypes = (data: ApiLiveEventProductV1) => ({
  price: String(data.price),
  available: data.available ? 1 : 0,
  suggestedRetailPrice: null,
  minPurchaseQty: 0,
  maxQtyPerCustomer: "none",
  defaultQuantityToAdd: 1.5,
  brand: null,
  variants: data.variants ?? null,
})

/** A short other id, the same each time, for the profile that needs one. */
function alias(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 12)
}
