import type { DeliveryReading } from "../../../contract"
import type { InboxOutcome } from "./inbox-rows"

/** How far a change may lie after the moment it was sent, because clocks differ (gap 19). */
const MAX_LEAD_MS = 5 * 60_000

/**
 * Decides what a verified delivery is kept as. A change that cannot be put in order is quarantined: one that claims to
 * come from next year, once applied, would hide every later change of its event.
 *
 * @param sentAt what the change is held against, in ms since the epoch: when it was sent, or now for a replay
 */
export function classifyDelivery(
  reading: Exclude<DeliveryReading, { kind: "invalid" }>,
  sentAt: number,
): { outcome: InboxOutcome; reason: string | null } {
  if (reading.kind === "test") return { outcome: "test", reason: null }
  if (reading.kind === "unknown") return { outcome: "unknown", reason: reading.problem }
  if (reading.occurredAt === null) {
    return { outcome: "quarantined", reason: "It does not say when the change happened." }
  }
  if (reading.occurredAt - sentAt > MAX_LEAD_MS) {
    return {
      outcome: "quarantined",
      reason: `It says that the change happens on ${new Date(reading.occurredAt).toISOString()}, after it was sent.`,
    }
  }
  return { outcome: "received", reason: null }
}
