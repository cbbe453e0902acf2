import { type DeliveryReading, storable } from "../../../contract"
import { type Reason, reasonFor } from "../shared/reason"
import type { InboxOutcome } from "./inbox-rows"

/** How far a change may lie after the moment it was sent, because clocks differ (gap 19). */
const MAX_LEAD_MS = 5 * 60_000

/**
 * Decides what a verified delivery is kept as. A change that cannot be put in order is quarantined: one that claims to
 * come from next year, once applied, would hide every later change of its event.
 *
 * @param sentAt when the delivery was sent, or now for a replay, in ms since the epoch; a change that happens later
 *   than this is quarantined
 */
export function classifyDelivery(
  reading: Exclude<DeliveryReading, { kind: "invalid" }>,
  sentAt: number,
): { outcome: InboxOutcome; reason: Reason | null } {
  if (reading.kind === "test") return { outcome: "test", reason: null }
  if (reading.kind === "unknown") {
    const { version, topic } = reading
    return {
      outcome: "unknown",
      reason:
        version === null
          ? reasonFor("unknown_topic", { topic: excerpt(topic) })
          : reasonFor("unknown_version", { version: excerpt(version) }),
    }
  }
  const { occurredAt } = reading
  if (occurredAt === null) return { outcome: "quarantined", reason: reasonFor("no_time") }
  if (occurredAt - sentAt > MAX_LEAD_MS) {
    const at = new Date(occurredAt).toISOString()
    return { outcome: "quarantined", reason: reasonFor("from_the_future", { at }) }
  }
  return { outcome: "received", reason: null }
}

/** Cut so that no half of a character is left, which the database would not take. */
const excerpt = (text: string): string => storable(text.slice(0, 100))
