/** `/_sandbox/events`, `/_sandbox/emit`: running a show by hand. */

import { z } from "zod"
import { cover } from "../covers"
import { emit } from "../emission"
import {
  addEventProduct,
  getEventProduct,
  productsOfEvent,
  removeEventProduct,
  updateEventProduct,
} from "../event-products"
import {
  cancelEvent,
  completeEvent,
  createEvent,
  deleteEvent,
  endEvent,
  getEvent,
  moveEvent,
  startEvent,
  updateEvent,
} from "../events"
import { parse, slice, time } from "../input"
import { getPage } from "../pages"
import type { World } from "../world"
import type { Route } from "./route"
import { deliveryView, eventProductView, eventView } from "./views"

export function events(route: Route, world: World): void {
  const { tables } = world

  route("GET", "/events", ({ query }) => {
    const all = [...tables.events.values()].filter(
      (event) =>
        (query.deleted === "true" || event.deleted_at === null) &&
        (!query.page_uid || event.page_uid === query.page_uid) &&
        (!query.kind || event.kind === query.kind) &&
        (!query.status || event.data.event.currentStatus === query.status),
    )
    const events = slice(all.reverse(), query, 1000, 10_000)
    return { events: events.map((event) => eventView(world, event)), count: all.length }
  })
  route("POST", "/events", ({ body }, reply) => {
    reply.code(201)
    return { event: eventView(world, createEvent(world, body)) }
  })
  route("GET", "/events/:id", ({ param }) => {
    const event = getEvent(world, param("id"))
    return {
      event: eventView(world, event),
      products: productsOfEvent(world, event.id).map((product) => eventProductView(world, product)),
    }
  })
  route("POST", "/events/:id", ({ param, body }) => ({
    event: eventView(world, updateEvent(world, param("id"), body)),
  }))
  route("DELETE", "/events/:id", ({ param }) => ({
    event: eventView(world, deleteEvent(world, param("id"))),
  }))
  const moves = {
    start: startEvent,
    end: endEvent,
    complete: completeEvent,
    cancel: cancelEvent,
    move: moveEvent,
  }
  for (const [name, move] of Object.entries(moves)) {
    route("POST", `/events/:id/${name}`, ({ param, body }) => ({
      event: eventView(world, move(world, param("id"), body)),
    }))
  }

  route("POST", "/events/:id/products", ({ param, body }, reply) => {
    reply.code(201)
    const product = addEventProduct(world, param("id"), body)
    return { event_product: eventProductView(world, product) }
  })
  route("GET", "/events/:id/products/:uid", ({ param }) => ({
    event_product: eventProductView(world, getEventProduct(world, param("id"), param("uid"))),
  }))
  route("POST", "/events/:id/products/:uid", ({ param, body }) => ({
    event_product: eventProductView(
      world,
      updateEventProduct(world, param("id"), param("uid"), body),
    ),
  }))
  route("DELETE", "/events/:id/products/:uid", ({ param }) => ({
    event_product: eventProductView(world, removeEventProduct(world, param("id"), param("uid"))),
  }))

  const emission = z.strictObject({
    page_uid: z.string(),
    topic: z.string().min(1),
    data: z.unknown(),
    event_uid: z.string().optional(),
    occurred_at: time.optional(),
    version: z.string().optional(),
  })
  route("POST", "/emit", ({ body }) => {
    const input = parse(emission, body)
    const { eventUid, deliveries } = emit(world, {
      pageUid: getPage(world, input.page_uid).uid,
      topic: input.topic,
      data: input.data ?? null,
      eventUid: input.event_uid,
      occurredAt: input.occurred_at,
      version: input.version,
    })
    return { event_uid: eventUid, deliveries: deliveries.map((delivery) => deliveryView(delivery)) }
  })
  route("GET", "/covers/:file", ({ param, query }, reply) => {
    const event = getEvent(world, param("file").replace(/\.svg$/, ""))
    reply.type("image/svg+xml").header("access-control-allow-origin", "*")
    return cover(event, query.portrait === "1")
  })
}
