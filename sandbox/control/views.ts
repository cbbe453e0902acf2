/** Records as the control API shows them. */

import { productsOfEvent } from "../event-products"
import { eventPayload, productPayload } from "../payloads"
import type { Delivery, EventProduct, LiveEvent, ReceivedProduct, Subscriber } from "../state"
import type { World } from "../world"

export function productView({ product_id, ...received }: ReceivedProduct) {
  return received
}

export function eventView(world: World, event: LiveEvent) {
  const campaign = world.tables.campaigns.get(event.campaign_uid)
  return {
    id: event.id,
    campaign_uid: event.campaign_uid,
    kind: event.kind,
    page_uid: event.page_uid,
    currency: campaign?.currency ?? null,
    vat: campaign?.vat ?? null,
    deadline: campaign?.deadline || null,
    status: event.data.event.currentStatus,
    created_at: event.created_at,
    deleted_at: event.deleted_at,
    products: productsOfEvent(world, event.id).length,
    data: eventPayload(world, event),
  }
}

export function eventProductView(world: World, product: EventProduct) {
  const { created_at, deleted_at, data, ...rest } = product
  return { ...rest, data: productPayload(world, product) }
}

/** Without the key: it is shown once, at creation (interface §2.4). */
export function subscriberView({ signature_key, ...subscriber }: Subscriber) {
  return subscriber
}

/** @param bodies  with what was sent and answered at each attempt (interface §7 rule 1) */
export function deliveryView(delivery: Delivery, bodies = false) {
  const { data, version, ...rest } = delivery
  if (bodies) return { ...rest, data: JSON.parse(data) as unknown }
  const attempts = delivery.attempts.map(({ request, response, ...attempt }) => attempt)
  return { ...rest, attempts }
}
