/**
 * Events and event products as they leave the sandbox: in deliveries and listings alike, with what
 * the profiles change about them.
 */

import type { ApiLiveEventProductV1, ApiLiveEventV1 } from "./contract"
import { alias } from "./envelope"
import type { EventProduct, LiveEvent } from "./state"
import type { World } from "./world"

export function eventPayload(world: World, event: LiveEvent): ApiLiveEventV1 {
  const campaign = world.tables.campaigns.get(event.campaign_uid)
  const data: ApiLiveEventV1 = {
    ...event.data,
    event: { ...event.data.event, isPublished: event.internal_status === "public" },
    // When the linked campaign closes (interface §2.6).
    campaign: { deadline: campaign?.deadline ?? 0 },
  }
  if (world.profiles.get("ids") === "aliased") data.id = `api-${alias(event.id)}`
  if (world.profiles.get("unknowns") === "on") {
    data.event.videoMetaData = { width: 1080, height: 1920, orientation: "diagonal" }
    Object.assign(data.event, { futureField: { nested: [1, "two", null] } })
    Object.assign(data, { apiRevision: 7 })
  }
  return data
}

export function productPayload(world: World, product: EventProduct): ApiLiveEventProductV1 {
  const data = { ...product.data }
  if (world.profiles.get("ids") === "aliased") data.id = `api-${alias(product.uid)}`
  if (world.profiles.get("unknowns") === "on")
    Object.assign(data, { futureBadge: "hot", rank: null })
  return data
}
