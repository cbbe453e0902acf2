/** Records as the control API shows them. */

import type { EventStatus } from "../contract/interface"
import type { ApiLiveEventV1 } from "../contract/payloads"
import { productsOfEvent } from "../domain/event-lookups"
import { eventPayload, productPayload } from "../domain/payloads"
import type { Clock } from "../simulation/clock"
import type { Context } from "../store/context"
import type {
  Attempt,
  Campaign,
  Delivery,
  EventProduct,
  LiveEvent,
  ReceivedProduct,
  Subscriber,
} from "../store/tables"

export type ProductView = Omit<ReceivedProduct, "product_id">

export function productView({ product_id, ...received }: ReceivedProduct): ProductView {
  return received
}

export type EventView = Pick<
  LiveEvent,
  "id" | "campaign_uid" | "kind" | "page_uid" | "created_at" | "deleted_at"
> & {
  currency: string | null
  vat: Campaign["vat"] | null
  deadline: number | null
  status: EventStatus
  /** How many it has. */
  products: number
  data: ApiLiveEventV1
}

export function eventView(context: Context, event: LiveEvent): EventView {
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

export type EventProductView = Omit<EventProduct, "created_at" | "deleted_at" | "held_by_catalog">

export function eventProductView(context: Context, product: EventProduct): EventProductView {
  const { created_at, deleted_at, held_by_catalog, data, ...rest } = product
  return { ...rest, data: productPayload(context, product) }
}

/** Without the key: it is shown once, at creation (interface §2.4). */
export type SubscriberView = Omit<Subscriber, "signature_key">

export function subscriberView({ signature_key, ...subscriber }: Subscriber): SubscriberView {
  return subscriber
}

/** Without bodies, for lists. */
export type DeliverySummary = Omit<Delivery, "data" | "version" | "attempts"> & {
  attempts: Omit<Attempt, "request" | "response">[]
}

export function deliverySummary({ data, version, ...delivery }: Delivery): DeliverySummary {
  const attempts = delivery.attempts.map(({ request, response, ...attempt }) => attempt)
  return { ...delivery, attempts }
}

/** With what was sent and answered at each attempt (interface §7 rule 1). */
export type DeliveryView = Omit<Delivery, "data" | "version"> & { data: unknown }

export function deliveryView({ data, version, ...delivery }: Delivery): DeliveryView {
  return { ...delivery, data: JSON.parse(data) as unknown }
}

export type ClockView = ReturnType<typeof clockView>

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
