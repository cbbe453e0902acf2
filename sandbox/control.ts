/** The control API under `/_sandbox/`: everything that steers the sandbox (docs/sandbox.md). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import { findProduct } from "./catalog"
import { DEFAULT_GRACE_MS, parseDuration } from "./clock"
import {
  deliveryView,
  eventProductView,
  eventView,
  productView,
  subscriberView,
} from "./control-views"
import { cover } from "./covers"
import { emit } from "./emission"
import { notFound, SandboxError } from "./errors"
import {
  addEventProduct,
  getEventProduct,
  productsOfEvent,
  removeEventProduct,
  updateEventProduct,
} from "./event-products"
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
} from "./events"
import { planSchema } from "./faults"
import { parse, slice, time } from "./input"
import openapi from "./openapi.json"
import { issueOrderNumber } from "./orders"
import { createPage, deletePage, getPage, updatePage } from "./pages"
import { Random } from "./random"
import { readJson } from "./request-body"
import { restoreSnapshot, type Snapshot, stateView, takeSnapshot } from "./snapshots"
import { activateSubscriber, getSubscriber } from "./subscribers"
import type { World } from "./world"

type Call = { params: Record<string, string>; query: Record<string, string>; body: unknown }
type Control = (call: Call, reply: FastifyReply) => unknown

export type ControlOptions = {
  version: string
  /** Pages that a reset brings back. */
  seedPages(): void
  /** The seed given at start; without one, ids go on after a reset and never repeat. */
  seed: string | undefined
  snapshots: Map<string, Snapshot>
}

export function controlApi(app: FastifyInstance, world: World, options: ControlOptions): void {
  const { tables, clock, profiles, faults, journal, changes, dispatcher } = world

  const route = (method: "GET" | "POST" | "DELETE", url: string, control: Control) =>
    app.route({
      method,
      url: `/_sandbox${url}`,
      handler: async (request: FastifyRequest, reply: FastifyReply) =>
        control(
          {
            params: request.params as Record<string, string>,
            query: request.query as Record<string, string>,
            body: method === "GET" ? undefined : readJson(request),
          },
          reply,
        ),
    })

  // Health and state

  route("GET", "/health", () => ({
    status: "ok",
    url: world.url,
    now: clock.now(),
    seed: world.random.seed,
    version: options.version,
  }))
  route("GET", "/openapi.json", () => ({ ...openapi, servers: [{ url: world.url }] }))
  route("GET", "/state", () => stateView(world))
  route("POST", "/reset", ({ body }) => {
    const { seed } = parse(z.strictObject({ seed: z.string().optional() }), body)
    for (const table of Object.values(tables)) table.clear()
    dispatcher.abandon()
    clock.reset()
    profiles.reset()
    faults.clear()
    journal.clear()
    const wanted = seed ?? options.seed
    if (wanted !== undefined) world.random = new Random(wanted)
    options.seedPages()
    for (const table of ["products", "events", "orders", "subscribers", "deliveries"] as const) {
      changes.touch(table)
    }
    return { status: "ok" }
  })

  const named = z.strictObject({ name: z.string().min(1).max(100) })
  route("POST", "/snapshots", ({ body }, reply) => {
    const { name } = parse(named, body)
    const snapshot = takeSnapshot(world)
    options.snapshots.set(name, snapshot)
    reply.code(201)
    return { snapshot: { name, taken_at: snapshot.taken_at } }
  })
  route("GET", "/snapshots", () => ({
    snapshots: [...options.snapshots].map(([name, { taken_at }]) => ({ name, taken_at })),
  }))
  route("GET", "/snapshots/:name", ({ params }) => ({ snapshot: namedSnapshot(params.name) }))
  route("DELETE", "/snapshots/:name", ({ params }) => {
    namedSnapshot(params.name)
    return { deleted: options.snapshots.delete(params.name ?? "") }
  })
  route("POST", "/restore", ({ body }) => {
    const input = parse(
      z.union([named, z.strictObject({ snapshot: z.looseObject({ format: z.literal(1) }) })]),
      body,
    )
    const snapshot =
      "name" in input ? namedSnapshot(input.name) : (input.snapshot as unknown as Snapshot)
    restoreSnapshot(world, snapshot, "as it was")
    if (options.seed !== undefined) {
      world.random = new Random(snapshot.random.seed, snapshot.random.draws)
    }
    return { status: "ok", now: clock.now() }
  })
  function namedSnapshot(name = ""): Snapshot {
    const snapshot = options.snapshots.get(name)
    if (!snapshot) throw notFound("snapshot", name)
    return snapshot
  }

  // Pages and products

  route("GET", "/pages", () => ({ pages: [...tables.pages.values()] }))
  route("POST", "/pages", ({ body }, reply) => {
    reply.code(201)
    return { page: createPage(world, body) }
  })
  route("GET", "/pages/:uid", ({ params }) => ({ page: getPage(world, params.uid ?? "") }))
  route("POST", "/pages/:uid", ({ params, body }) => ({
    page: updatePage(world, params.uid ?? "", body),
  }))
  route("DELETE", "/pages/:uid", ({ params }) => {
    deletePage(world, params.uid ?? "")
    return { deleted: true }
  })

  route("GET", "/products", ({ query }) => {
    const wanted = query.q?.toLowerCase()
    const all = [...tables.products.values()].filter(
      ({ page_uid, product }) =>
        (!query.page_uid || page_uid === query.page_uid) &&
        (!wanted || JSON.stringify(product).toLowerCase().includes(wanted)),
    )
    return { products: slice(all, query, 100_000, 100_000).map(productView), count: all.length }
  })
  route("GET", "/products/:id", ({ params, query }) => {
    const id = params.id ?? ""
    const page = query.page_uid
      ? findProduct(world, query.page_uid, id)
      : [...tables.products.values()].find(({ product_id }) => product_id === id)
    if (!page) throw notFound("product", id)
    return { product: productView(page) }
  })

  // Events and their products

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
  route("GET", "/events/:id", ({ params }) => {
    const event = getEvent(world, params.id ?? "")
    return {
      event: eventView(world, event),
      products: productsOfEvent(world, event.id).map((product) => eventProductView(world, product)),
    }
  })
  route("POST", "/events/:id", ({ params, body }) => ({
    event: eventView(world, updateEvent(world, params.id ?? "", body)),
  }))
  route("DELETE", "/events/:id", ({ params }) => ({
    event: eventView(world, deleteEvent(world, params.id ?? "")),
  }))
  const moves = {
    start: startEvent,
    end: endEvent,
    complete: completeEvent,
    cancel: cancelEvent,
    move: moveEvent,
  }
  for (const [name, move] of Object.entries(moves)) {
    route("POST", `/events/:id/${name}`, ({ params, body }) => ({
      event: eventView(world, move(world, params.id ?? "", body)),
    }))
  }

  route("POST", "/events/:id/products", ({ params, body }, reply) => {
    reply.code(201)
    const product = addEventProduct(world, params.id ?? "", body)
    return { event_product: eventProductView(world, product) }
  })
  route("GET", "/events/:id/products/:uid", ({ params }) => ({
    event_product: eventProductView(
      world,
      getEventProduct(world, params.id ?? "", params.uid ?? ""),
    ),
  }))
  route("POST", "/events/:id/products/:uid", ({ params, body }) => ({
    event_product: eventProductView(
      world,
      updateEventProduct(world, params.id ?? "", params.uid ?? "", body),
    ),
  }))
  route("DELETE", "/events/:id/products/:uid", ({ params }) => ({
    event_product: eventProductView(
      world,
      removeEventProduct(world, params.id ?? "", params.uid ?? ""),
    ),
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
  route("GET", "/covers/:file", ({ params, query }, reply) => {
    const event = getEvent(world, (params.file ?? "").replace(/\.svg$/, ""))
    reply.type("image/svg+xml").header("access-control-allow-origin", "*")
    return cover(event, query.portrait === "1")
  })

  // Orders

  route("POST", "/order-numbers", ({ body }, reply) => {
    const { order_no, campaign_uid, page_uid } = issueOrderNumber(world, body)
    reply.code(201)
    return { order_no, campaign_uid, page_uid }
  })
  const orders = (query: Record<string, string>, converted: boolean) =>
    [...tables.orders.values()].filter(
      (order) =>
        (!query.page_uid || order.page_uid === query.page_uid) &&
        (!query.campaign_uid || order.campaign_uid === query.campaign_uid) &&
        (!converted || order.converted_at !== null),
    )
  route("GET", "/orders", ({ query }) => {
    const all = orders(query, false)
    return { orders: slice(all, query, 100_000, 100_000), count: all.length }
  })
  route("GET", "/conversions", ({ query }) => {
    const all = orders(query, true)
    return { conversions: slice(all, query, 100_000, 100_000), count: all.length }
  })

  // Subscribers and deliveries

  route("GET", "/subscribers", ({ query }) => ({
    subscribers: [...tables.subscribers.values()]
      .filter(({ page_uid }) => !query.page_uid || page_uid === query.page_uid)
      .map(subscriberView),
  }))
  route("POST", "/subscribers/:uid/activate", ({ params }) => ({
    subscriber: subscriberView(activateSubscriber(world, params.uid ?? "")),
  }))
  route("POST", "/subscribers/:uid/test", async ({ params }) => {
    const subscriber = getSubscriber(world, params.uid ?? "")
    if (subscriber.state === "disabled") {
      throw new SandboxError(409, "subscriber_disabled", "The subscriber is disabled.")
    }
    return { delivery: deliveryView(await dispatcher.test(subscriber), true) }
  })
  route("GET", "/notifications", () => ({
    notifications: [...tables.notifications.values()].reverse(),
  }))

  route("GET", "/deliveries", ({ query }) => {
    const all = [...tables.deliveries.values()].filter((delivery) =>
      (["subscriber_uid", "topic", "state", "event_uid", "page_uid"] as const).every(
        (field) => !query[field] || delivery[field] === query[field],
      ),
    )
    const page = slice(all.reverse(), query, 200, 20_000)
    return { deliveries: page.map((delivery) => deliveryView(delivery)), count: all.length }
  })
  const delivery = (id = "") => {
    const found = tables.deliveries.get(id)
    if (!found) throw notFound("delivery", id)
    return found
  }
  route("GET", "/deliveries/:id", ({ params }) => ({
    delivery: deliveryView(delivery(params.id), true),
  }))
  route("POST", "/deliveries/:id/resend", async ({ params }) => {
    const found = delivery(params.id)
    await dispatcher.resend(found)
    return { delivery: deliveryView(found, true) }
  })

  // Clock

  const clockView = () => {
    const { count, nextAt } = clock.pending()
    return {
      now: clock.now(),
      iso: new Date(clock.now()).toISOString(),
      running: clock.running,
      pending_timers: count,
      next_timer_at: nextAt,
      in_flight: clock.inFlight,
    }
  }
  const duration = z.union([z.number(), z.string()]).transform((value, context) => {
    const ms = parseDuration(value)
    if (ms !== null) return ms
    context.addIssue({ code: "custom", message: 'Milliseconds, or text like "90s", "30m", "1h".' })
    return z.NEVER
  })
  const clockCommand = z
    .strictObject({
      stop: z.literal(true).optional(),
      run: z.literal(true).optional(),
      set: time.optional(),
      advance: duration.optional(),
      run_until_idle: z.literal(true).optional(),
      settle: z.literal(true).optional(),
      grace_ms: z.number().min(0).max(60_000).default(DEFAULT_GRACE_MS),
    })
    .refine((command) => Object.keys(command).length > 1, {
      message: "One of stop, run, set, advance, run_until_idle, settle.",
    })
  route("GET", "/clock", clockView)
  route("POST", "/clock", async ({ body }) => {
    const command = parse(clockCommand, body)
    if (command.stop) clock.stop()
    if (command.set !== undefined && command.set < clock.now()) {
      throw new SandboxError(400, "clock_backwards", "The clock does not go backwards: reset it.")
    }
    if (command.set !== undefined) await clock.moveTo(command.set, command.grace_ms)
    if (command.advance !== undefined) {
      await clock.moveTo(clock.now() + command.advance, command.grace_ms)
    }
    if (command.run_until_idle) await clock.runUntilIdle(command.grace_ms)
    if (command.settle) await clock.settle(command.grace_ms)
    if (command.run) clock.run()
    changes.touch("clock")
    return clockView()
  })

  // Faults and profiles

  route("GET", "/faults", () => ({ faults: faults.list() }))
  route("POST", "/faults", ({ body }, reply) => {
    const fault = faults.add(world.random.id("flt"), parse(planSchema, body), world.random.seed)
    changes.touch("faults")
    reply.code(201)
    return { fault }
  })
  route("DELETE", "/faults", () => {
    faults.clear()
    changes.touch("faults")
    return { deleted: true }
  })
  route("DELETE", "/faults/:id", ({ params }) => {
    if (!faults.remove(params.id ?? "")) throw notFound("fault", params.id ?? "")
    changes.touch("faults")
    return { deleted: true }
  })

  route("GET", "/profiles", () => ({ profiles: profiles.list() }))
  route("POST", "/profiles", ({ body }) => {
    profiles.set(parse(z.record(z.string(), z.unknown()), body))
    changes.touch("profiles")
    return { profiles: profiles.list() }
  })
  route("DELETE", "/profiles", () => {
    profiles.reset()
    changes.touch("profiles")
    return { profiles: profiles.list() }
  })

  // Journal

  route("GET", "/journal", ({ query }) => {
    const found = journal.find(query.q ?? "")
    if (query.order === "desc") found.reverse()
    return { entries: slice(found, query, 1000, 20_000), count: found.length }
  })
  const waiting = z.strictObject({
    q: z.string().default(""),
    count: z.int().min(1).default(1),
    timeout_ms: z.int().min(0).max(60_000).default(5000),
  })
  route("POST", "/journal/wait", async ({ body }) => {
    const { q, count, timeout_ms } = parse(waiting, body)
    const entries = await journal.wait(q, count, timeout_ms)
    if (entries.length >= count) return { entries, count: entries.length }
    throw new SandboxError(
      408,
      "not_found_in_time",
      `${entries.length} of ${count} entries matched "${q}" within ${timeout_ms} ms.`,
    )
  })
  const assertion = z.strictObject({
    q: z.string(),
    count: z.int().min(0).optional(),
    at_least: z.int().min(0).optional(),
    at_most: z.int().min(0).optional(),
  })
  route("POST", "/journal/assert", ({ body }, reply) => {
    const { q, count, at_least, at_most } = parse(assertion, body)
    const entries = journal.find(q)
    const n = entries.length
    const least = count ?? at_least ?? (at_most === undefined ? 1 : 0)
    const most = count ?? at_most ?? Number.POSITIVE_INFINITY
    if (n >= least && n <= most) return { ok: true, count: n }
    reply.code(409)
    const wanted = least === most ? `${least}` : `${least} to ${most}`
    return {
      error: { code: "assertion_failed", message: `${n} entries match "${q}", not ${wanted}.` },
      count: n,
      entries: entries.slice(-50),
    }
  })
  route("DELETE", "/journal", () => {
    journal.clear()
    return { deleted: true }
  })
}
