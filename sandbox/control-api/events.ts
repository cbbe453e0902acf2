/** `/_sandbox/events`, `/_sandbox/emit`: running a show by hand. */

import { z } from "zod"
import { parse, slice, time, window } from "../contract/input"
import { EVENT_STATUSES } from "../contract/interface"
import { emit } from "../domain/emission"
import { getEvent, getEventProduct, productsOfEvent } from "../domain/event-lookups"
import {
  addEventProduct,
  eventProductChanges,
  eventProductCreation,
  removeEventProduct,
  updateEventProduct,
} from "../domain/event-products"
import {
  cancelEvent,
  completeEvent,
  completion,
  createEvent,
  deleteEvent,
  endEvent,
  eventChanges,
  eventCreation,
  moveEvent,
  relocation,
  startEvent,
  updateEvent,
} from "../domain/events"
import { getPage } from "../domain/pages"
import type { Context } from "../store/context"
import type { Route } from "./route"
import {
  deliverySummary,
  deliverySummaryShape,
  eventProductShape,
  eventProductView,
  eventShape,
  eventView,
} from "./views"

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

const one = { event: eventShape }
const oneProduct = { event_product: eventProductShape }

export function events(route: Route, context: Context): void {
  const { tables } = context

  route(
    "GET",
    "/events",
    {
      summary: "Live events and shoppables, newest first",
      query: search,
      answer: { events: z.array(eventShape), count: z.int() },
    },
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
  )
  route(
    "POST",
    "/events",
    { summary: "Plan a show", body: eventCreation, status: 201, answer: one },
    ({ body }) => ({ event: eventView(context, createEvent(context, body)) }),
  )
  route(
    "GET",
    "/events/:id",
    {
      summary: "A show with its products",
      answer: { ...one, products: z.array(eventProductShape) },
    },
    ({ param }) => {
      const event = getEvent(context, param("id"))
      return {
        event: eventView(context, event),
        products: productsOfEvent(context, event.id).map((product) =>
          eventProductView(context, product),
        ),
      }
    },
  )
  const moves = {
    "": ["Change a show", updateEvent, eventChanges],
    "/start": ["planned to live", startEvent, undefined],
    "/end": ["live to processing", endEvent, undefined],
    "/complete": ["processing to vod", completeEvent, completion],
    "/cancel": ["planned or live to cancelled", cancelEvent, undefined],
    "/move": ["vod to clip or back", moveEvent, relocation],
  } as const
  for (const [name, [summary, move, body]] of Object.entries(moves)) {
    route("POST", `/events/:id${name}`, { summary, body, answer: one }, ({ param, body }) => ({
      event: eventView(context, move(context, param("id"), body)),
    }))
  }
  route("DELETE", "/events/:id", { summary: "Delete a show", answer: one }, ({ param }) => ({
    event: eventView(context, deleteEvent(context, param("id"))),
  }))

  route(
    "POST",
    "/events/:id/products",
    {
      summary: "Add a product to a show",
      body: eventProductCreation,
      status: 201,
      answer: oneProduct,
    },
    ({ param, body }) => ({
      event_product: eventProductView(context, addEventProduct(context, param("id"), body)),
    }),
  )
  const path = "/events/:id/products/:uid"
  route("GET", path, { summary: "A product of a show", answer: oneProduct }, ({ param }) => ({
    event_product: eventProductView(context, getEventProduct(context, param("id"), param("uid"))),
  }))
  route(
    "POST",
    path,
    { summary: "Change a product of a show", body: eventProductChanges, answer: oneProduct },
    ({ param, body }) => {
      const changed = updateEventProduct(context, param("id"), param("uid"), body)
      return { event_product: eventProductView(context, changed) }
    },
  )
  route(
    "DELETE",
    path,
    { summary: "Take a product out of a show", answer: oneProduct },
    ({ param }) => {
      const removed = removeEventProduct(context, param("id"), param("uid"))
      return { event_product: eventProductView(context, removed) }
    },
  )

  route(
    "POST",
    "/emit",
    {
      summary: "A delivery of any topic and body, unknown ones too",
      body: emission,
      answer: { event_uid: z.string(), deliveries: z.array(deliverySummaryShape) },
    },
    ({ body }) => {
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
    },
  )
}
