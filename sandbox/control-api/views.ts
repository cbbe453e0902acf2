/** Records as the control API shows them. */

import { productsOfEvent } from "../domain/event-lookups"
import { eventPayload, productPayload } from "../domain/payloads"
import type { Clock } from "../simulation/clock"
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
  const { created_at, deleted_at, held_by_catalog, data, ...rest } = product
  return { ...rest, data: productPayload(context, product) }
}

/** Without the key: it is shown once, at creation (interface §2.4). */
export function subscriberView({ signature_key, ...subscriber }: Subscriber) {
  return subscriber
}

/** Without bodies, for lists. */
export function deliverySummary({ data, version, ...delivery }: Delivery) {
  const attempts = delivery.attempts.map(({ request, response, ...attempt }) => attempt)
  return { ...delivery, attempts }
}

/** With what was sent and answered at each attempt (interface §7 rule 1). */
export function deliveryView({ data, version, ...delivery }: Delivery) {
  return { ...delivery, data: JSON.parse(data) as unknown }
}

export function clockView(clock: Clock) {
  const { count, nextAt } = clock.pending()
  return {
    now: clock.now(),
    iso: new Date(clock.now()).toISOString(),
    running: clock.running,
    pending_timers: count,
    next_timer_at: nextAt,
    in_flight: clock.inFlight,
  }
}

export type ProductView = ReturnType<typeof productView>
export type EventView = ReturnType<typeof eventView>
export type EventProductView = ReturnType<typeof eventProductView>
export type SubscriberView = ReturnType<typeof subscriberView>
export type DeliverySummary = ReturnType<typeof deliverySummary>
export type DeliveryView = ReturnType<typeof deliveryView>
export type ClockView = ReturnType<typeof clockView>
