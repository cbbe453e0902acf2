/**
 * The words of the interface: topics, statuses and limits, written down from the document alone. Nothing here is
 * imported from the plugin, so that a misreading on one side shows as a failing test and not as agreement.
 */

/** interface §6.2 */
export const TOPICS = [
  "live_event.created",
  "live_event.updated",
  "live_event.deleted",
  "shoppable_event.created",
  "shoppable_event.updated",
  "shoppable_event.deleted",
  "live_event_product.created",
  "live_event_product.updated",
  "live_event_product.deleted",
  "shoppable_event_product.created",
  "shoppable_event_product.updated",
  "shoppable_event_product.deleted",
  "svc.test",
] as const
export type Topic = (typeof TOPICS)[number]
export const TEST_TOPIC = "svc.test" satisfies Topic

/** interface §6.4 */
export const USER_AGENT = "Svc-Webhooks/1"

/** interface §2.6 */
export const EVENT_STATUSES = ["planned", "live", "vod", "cancelled", "processing", "clip"] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

/** interface §2.5, §9 rule 1 */
export const ENVELOPE_VERSION = "v1"

/** interface §8 */
export const LIMITS = {
  subscribersPerPage: 5,
  customHeaders: 5,
  customHeaderName: 64,
  customHeaderValue: 256,
  attemptTimeoutMs: 10_000,
  warningAfterMs: 30 * 60_000,
  disabledAfterMs: 60 * 60_000,
} as const
