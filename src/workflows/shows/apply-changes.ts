import type { SvcModuleService } from "../../modules/svc"
import type { WriteOutcome } from "../../modules/svc/shows/projection-writer"
import type { EventWrite, ProductWrite } from "../../modules/svc/shows/read-write"
import { type Announcement, eventChanged, productChanged } from "./announce-changes"

/** What became of each write, in the order given, and what has to be announced once everything is committed. */
type AppliedChanges = {
  events: WriteOutcome[]
  products: WriteOutcome[]
  announcements: Announcement[]
}

/** Merges changes of one connection into the projection. Doing it twice changes nothing. */
export async function applyChanges(
  svc: SvcModuleService,
  connectionId: string,
  writes: { events: EventWrite[]; products: ProductWrite[] },
): Promise<AppliedChanges> {
  const events = await svc.projection.applyEvents(connectionId, writes.events)
  const products = await svc.projection.applyProducts(connectionId, writes.products)
  return {
    events,
    products,
    announcements: [
      ...writes.events
        .filter((_, index) => events[index] === "applied")
        .map((write) => eventChanged(connectionId, write)),
      ...writes.products
        .filter((_, index) => products[index] === "applied")
        .map((write) => productChanged(connectionId, write)),
    ],
  }
}
