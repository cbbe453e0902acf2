/** Records as the control API shows them, each with its shape for the OpenAPI document. */

import { z } from "zod"
import { apiLiveEventV1, ms, vat } from "../contract/payloads"
import { productsOfEvent } from "../domain/event-lookups"
import { eventPayload, productPayload } from "../domain/payloads"
import type { Clock } from "../simulation/clock"
import type { Context } from "../store/context"
import {
  attemptRecord,
  type Delivery,
  deliveryRecord,
  type EventProduct,
  eventProductRecord,
  eventRecord,
  type LiveEvent,
  productRecord,
  type ReceivedProduct,
  type Subscriber,
  subscriberRecord,
} from "../store/tables"

export const productShape = productRecord.omit({ product_id: true })
export type ProductView = z.infer<typeof productShape>

export function productView({ product_id, ...received }: ReceivedProduct): ProductView {
  return received
}

export const eventShape = eventRecord
  .pick({ id: true, campaign_uid: true, kind: true, page_uid: true, created_at: true })
  .extend({
    currency: z.string().nullable(),
    vat: vat.nullable(),
    deadline: ms.nullable(),
    status: apiLiveEventV1.shape.event.shape.currentStatus,
    deleted_at: ms.nullable(),
    products: z.int().meta({ description: "How many it has." }),
    data: apiLiveEventV1,
  })
export type EventView = z.infer<typeof eventShape>

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

export const eventProductShape = eventProductRecord.omit({
  created_at: true,
  deleted_at: true,
  held_by_catalog: true,
})
export type EventProductView = z.infer<typeof eventProductShape>

export function eventProductView(context: Context, product: EventProduct): EventProductView {
  const { created_at, deleted_at, held_by_catalog, data, ...rest } = product
  return { ...rest, data: productPayload(context, product) }
}

/** Without the key: it is shown once, at creation (interface §2.4). */
export const subscriberShape = subscriberRecord.omit({ signature_key: true })
export type SubscriberView = z.infer<typeof subscriberShape>

export function subscriberView({ signature_key, ...subscriber }: Subscriber): SubscriberView {
  return subscriber
}

/** Without bodies, for lists. */
export const deliverySummaryShape = deliveryRecord
  .omit({ data: true, version: true })
  .extend({ attempts: z.array(attemptRecord.omit({ request: true, response: true })) })
export type DeliverySummary = z.infer<typeof deliverySummaryShape>

export function deliverySummary({ data, version, ...delivery }: Delivery): DeliverySummary {
  const attempts = delivery.attempts.map(({ request, response, ...attempt }) => attempt)
  return { ...delivery, attempts }
}

/** With what was sent and answered at each attempt (interface §7 rule 1). */
export const deliveryShape = deliveryRecord.omit({ version: true }).extend({ data: z.unknown() })
export type DeliveryView = z.infer<typeof deliveryShape>

export function deliveryView({ data, version, ...delivery }: Delivery): DeliveryView {
  return { ...delivery, data: JSON.parse(data) as unknown }
}

export const clockShape = z.object({
  now: ms,
  iso: z.string(),
  running: z.boolean(),
  pending_timers: z.int(),
  next_timer_at: ms.nullable(),
  in_flight: z.int(),
})
export type ClockView = z.infer<typeof clockShape>

export function clockView(clock: Clock): ClockView {
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
