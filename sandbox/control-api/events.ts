/** `/_sandbox/events`, `/_sandbox/emit`: running a show by hand. */

import { z } from "zod"
import { parse, slice, time, window } from "../contract/input"
import { EVENT_STATUSES } from "../contract/interface"
import { emit } from "../domain/emission"
import { getEvent, getEventProduct, productsOfEvent } from "../domain/event-lookups"
import { addEventProduct, removeEventProduct, updateEventProduct } from "../domain/event-products"
import {
  cancelEvent,
  completeEvent,
  createEvent,
  deleteEvent,
  endEvent,
  moveEvent,
  startEvent,
  updateEvent,
} from "../domain/events"
import { getPage } from "../domain/pages"
import type { Context } from "../store/context"
import type { Route } from "./route"
import { deliverySummary, eventProductView, eventView } from "./views"

const search = {
  page_uid: z.string().optional(),
  kind: z.enum(["live", "shoppable"]).optional(),
  status: z.enum(EVENT_STATUSES).optional(),
  deleted: z.enum(["true", "false"]).default("false"),
  ...window,
}

const emission = z.strictObject({
  page_uid: z.string(),
  topic: z.string().min(1),
  data: z.unknown(),
  event_uid: z.string().optional(),
  occurred_at: time.optional(),
  version: z.string().optional(),
})
export type Emission = z.input<typeof emission>
export type EventFilters = Partial<z.input<z.ZodObject<typeof search>>>

export function events(route: Route, context: Context): void {
  const { tables } = context

  route(
    "GET",
    "/events",
    ({ query }) => {
      const all = [...tables.events.values()].filter(
        (event) =>
          (query.deleted === "true" || event.deleted_at === null) &&
          (!query.page_uid || event.page_uid === query.page_uid) &&
          (!query.kind || event.kind === query.kind) &&
          (!query.status || event.data.event.currentStatus === query.status),
      )
      const found = slice(all.reverse(), query, 1000, 10_000)
      return { events: found.map((event) => eventView(context, event)), count: all.length }
    },
    search,
  )
  route("POST", "/events", ({ body }, reply) => {
    reply.code(201)
    return { event: eventView(context, createEvent(context, body)) }
  })
  route("GET", "/events/:id", ({ param }) => {
    const event = getEvent(context, param("id"))
    return {
      event: eventView(context, event),
      products: productsOfEvent(context, event.id).map((product) =>
        eventProductView(context, product),
      ),
    }
  })
  const moves = {
    "": updateEvent,
    "/start": startEvent,
    "/end": endEvent,
    "/complete": completeEvent,
    "/cancel": cancelEvent,
    "/move": moveEvent,
  }
  for (const [name, move] of Object.entries(moves)) {
    route("POST", `/events/:id${name}`, ({ param, body }) => ({
      event: eventView(context, move(context, param("id"), body)),
    }))
  }
  route("DELETE", "/events/:id", ({ param }) => ({
    event: eventView(context, deleteEvent(context, param("id"))),
  }))

  route("POST", "/events/:id/products", ({ param, body }, reply) => {
    reply.code(201)
    const added = addEventProduct(context, param("id"), body)
    return { event_product: eventProductView(context, added) }
  })
  const path = "/events/:id/products/:uid"
  route("GET", path, ({ param }) => ({
    event_product: eventProductView(context, getEventProduct(context, param("id"), param("uid"))),
  }))
  route("POST", path, ({ param, body }) => {
    const changed = updateEventProduct(context, param("id"), param("uid"), body)
    return { event_product: eventProductView(context, changed) }
  })
  route("DELETE", path, ({ param }) => {
    const removed = removeEventProduct(context, param("id"), param("uid"))
    return { event_product: eventProductView(context, removed) }
  })

  route("POST", "/emit", ({ body }) => {
    const input = parse(emission, body)
    const { eventUid, deliveries } = emit(context, {
      pageUid: getPage(context, input.page_uid).uid,
      topic: input.topic,
      data: input.data ?? null,
      eventUid: input.event_uid,
      occurredAt: input.occurred_at,
      version: input.version,
    })
    return { event_uid: eventUid, deliveries: deliveries.map(deliverySummary) }
  })
}
