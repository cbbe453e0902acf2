/**
 * Turns a change into deliveries: one for each subscriber of the page that chose the topic and is
 * not disabled (interface §2.4, §3.2, §6).
 */

import { ENVELOPE_VERSION, TOPICS } from "../contract/interface"
import type { Context } from "../store/context"
import type { Delivery } from "../store/tables"

export type Change = {
  pageUid: string
  topic: string
  data: unknown
  /** The event-product record, on product topics. */
  recordUid?: string
  eventUid?: string
  occurredAt?: number
  version?: string
}

export type Emitted = { eventUid: string; deliveries: Delivery[] }

export function emit(context: Context, change: Change): Emitted {
  const { clock, random, profiles, tables, deliveries: queue } = context
  const now = clock.now()
  const perRecord = profiles.get("event_uid") === "per_record" && change.recordUid
  const eventUid = change.eventUid ?? (perRecord || random.id("evt"))
  const data = JSON.stringify(change.data)
  const stamp = context.changeTimes.next(context)
  const tied = profiles.get("ties") === "same_ms" ? Math.floor(stamp / 1000) * 1000 : stamp

  const deliveries: Delivery[] = []
  for (const subscriber of tables.subscribers.values()) {
    if (subscriber.page_uid !== change.pageUid || subscriber.state === "disabled") continue
    if (!wants(subscriber.topics, change.topic)) continue
    deliveries.push({
      id: random.id("del"),
      page_uid: change.pageUid,
      subscriber_uid: subscriber.uid,
      event_uid: eventUid,
      topic: change.topic,
      version: change.version ?? subscriber.version ?? ENVELOPE_VERSION,
      occurred_at: change.occurredAt ?? tied,
      data,
      created_at: now,
      state: "pending",
      next_attempt_at: null,
      attempts: [],
    })
  }
  for (const delivery of deliveries) queue.enqueue(delivery)
  return { eventUid, deliveries }
}

/** Nobody can choose a topic that the interface does not name, so it goes to every subscriber. */
function wants(chosen: readonly string[], topic: string): boolean {
  const known: readonly string[] = TOPICS
  return chosen.includes(topic) || !known.includes(topic)
}
