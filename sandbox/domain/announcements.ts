/** Tells subscribers and open pages that an event or one of its products changed. */

import type { Topic } from "../contract/interface"
import type { Context } from "../store/context"
import type { EventProduct, LiveEvent } from "../store/tables"
import { emit } from "./emission"
import { getEvent } from "./event-lookups"
import { eventPayload, productPayload } from "./payloads"

/** Enough to list an event as it was a while ago. */
const MOST_KEPT = 50

type Verb = "created" | "updated" | "deleted"

export function announceEvent(context: Context, event: LiveEvent, verb: Verb): void {
  const topic: Topic = `${topicFamily(event)}.${verb}`
  const data = eventPayload(context, event)
  event.announced = [...event.announced.slice(-MOST_KEPT), { at: context.clock.now(), data }]
  emit(context, { pageUid: event.page_uid, topic, data })
  context.changes.touch("events")
}

/** The topic follows the parent event's status; the payload does not (interface §6.2 rule 1). */
export function announceProduct(context: Context, product: EventProduct, verb: Verb): void {
  const event = getEvent(context, product.event_id)
  emit(context, {
    pageUid: product.page_uid,
    topic: `${topicFamily(event)}_product.${verb}`,
    data: productPayload(context, product),
    recordUid: product.uid,
  })
  context.changes.touch("event_products")
}

/**
 * interface §3.1: `live_event*` for live broadcasts, `shoppable_event*` for shoppables, by the
 * status of the parent event.
 */
function topicFamily(event: LiveEvent): "live_event" | "shoppable_event" {
  return event.data.event.currentStatus === "clip" ? "shoppable_event" : "live_event"
}
