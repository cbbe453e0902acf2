/** Records as the control API shows them. */

import { productsOfEvent } from "../domain/event-lookups"
import { eventPayload, productPayload } from "../domain/payloads"
import type { Context } from "../store/context"
import type {
  Delivery,
  EventProduct,
  LiveEvent,
  ReceivedProduct,
  Subscriber,
} from "../store/tables"

export function productView({ product_id, ...received }: ReceivedProduct) {
  return received
}

export function eventView(context: Context, event: LiveEvent) {
  const campaign = context.tables.campaigns.get(event.campaign_uid)
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
    products: productsOfEvent(context, event.id).length,
    data: eventPayload(context, event),
  }
}

export function eventProductView(context: Context, product: EventProduct) {
  const { created_at, deleted_at, data, ...rest } = product
  return { ...rest, data: productPayload(context, product) }
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
