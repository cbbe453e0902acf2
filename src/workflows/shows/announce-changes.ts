import type { MedusaContainer } from "@medusajs/framework/types"
import type { Announcement, ShowEvents } from "../../modules/svc/shows"
import { emitEvents } from "../shared"

/** Names of the events that shows emit on Medusa's event bus, as subscribers name them. What each carries: `ShowEvents`. */
export const SHOW_EVENTS = {
  /** A show was planned. */
  liveEventPlanned: "svc.live_event.planned",
  /** A show went live. */
  liveEventStarted: "svc.live_event.started",
  /** A show is over. */
  liveEventEnded: "svc.live_event.ended",
  /** A show was cancelled. */
  liveEventCancelled: "svc.live_event.cancelled",
  /** A show does not exist any more. */
  liveEventDeleted: "svc.live_event.deleted",
  /** Anything of a show changed; comes beside the others of shows. */
  liveEventChanged: "svc.live_event.changed",
  /** A show sells another product. */
  eventProductAdded: "svc.event_product.added",
  /** A show has another price for a product. */
  eventProductPriceChanged: "svc.event_product.price_changed",
  /** A show does not sell a product any more. */
  eventProductRemoved: "svc.event_product.removed",
  /** Anything of a product in a show changed; comes beside the others of products. */
  eventProductChanged: "svc.event_product.changed",
} as const satisfies Record<string, keyof ShowEvents>

/**
 * Emits what changed. To be called when the rows are committed. Never throws: rows are the truth, and whoever misses an
 * event is only late. Each change is told once; a process that is killed between its commit and this loses it.
 */
export const announceChanges = (
  container: MedusaContainer,
  changes: readonly Announcement[],
): Promise<void> => emitEvents(container, `${changes.length} changes of shows`, changes)
