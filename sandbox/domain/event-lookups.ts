/** Finds events and their products. */

import { notFound, SandboxError } from "../contract/errors"
import type { Context } from "../store/context"
import type { EventProduct, LiveEvent } from "../store/tables"

/** Deleted ones too, because their deliveries still name them. @throws SandboxError 404 */
export function getEvent(context: Context, id: string): LiveEvent {
  const event = context.tables.events.get(id)
  if (!event) throw notFound("event", id)
  return event
}

/** An event that may still be changed. @throws SandboxError 404, or 409 where it was deleted */
export function getEventToChange(context: Context, id: string): LiveEvent {
  const event = getEvent(context, id)
  if (event.deleted_at !== null) {
    throw new SandboxError(409, "event_deleted", `Event "${id}" was deleted.`)
  }
  return event
}

/** @throws SandboxError 404 where it is not in this event, or was removed from it */
export function getEventProduct(context: Context, eventId: string, uid: string): EventProduct {
  const product = context.tables.event_products.get(uid)
  if (!product || product.event_id !== eventId || product.deleted_at !== null) {
    throw notFound("product in this event:", uid)
  }
  return product
}

/** Those that were not removed, in the order of the show. */
export function productsOfEvent(context: Context, eventId: string): EventProduct[] {
  return [...context.tables.event_products.values()]
    .filter((product) => product.event_id === eventId && product.deleted_at === null)
    .sort((a, b) => a.data.sorting - b.data.sorting)
}
