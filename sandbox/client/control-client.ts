/**
 * A typed client of the control API (docs/sandbox.md), for tests, scripts and the dashboard. It needs
 * `fetch` and nothing else, so it runs in a browser too.
 *
 * Answers are those of the API: snake_case, times in ms since the epoch.
 */

import type { ClockCommand } from "../control-api/clock"
import type { DeliveryFilters } from "../control-api/deliveries"
import type { Emission, EventFilters } from "../control-api/events"
import type { JournalSearch } from "../control-api/journal"
import type { OrderFilters } from "../control-api/orders"
import type { ProductFilters } from "../control-api/products"
import type {
  ClockView,
  DeliverySummary,
  DeliveryView,
  EventProductView,
  EventView,
  ProductView,
  SubscriberView,
} from "../control-api/views"
import type { EventProductChanges, EventProductInput } from "../domain/event-products"
import type { EventChanges, EventInput, Relocation } from "../domain/events"
import type { OrderNumberInput } from "../domain/orders"
import type { PageChanges, PageInput } from "../domain/pages"
import type { FaultInput, PlanRecord } from "../simulation/faults"
import type { ProfileSettings, ProfileView } from "../simulation/profiles"
import type { JournalEntry } from "../store/journal"
import type { Snapshot } from "../store/snapshots"
import type { Notification, Order, Page } from "../store/tables"

/** An answer that was an error. `code` is stable; the message names status and code as well. */
export class ControlError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    /** The sentence of the answer alone. */
    readonly detail: string,
  ) {
    super(`${status} ${code}: ${detail}`)
    this.name = "ControlError"
  }
}

export type Method = "GET" | "POST" | "DELETE"
type Query = Record<string, unknown>
type Health = { status: "ok"; url: string; now: number; seed: string; version: string }
type EventAnswer = { event: EventView }
type ProductAnswer = { event_product: EventProductView }
/** Ms since the epoch, or ISO 8601. */
type Time = number | string

export type ControlClient = ReturnType<typeof createControlClient>

/** @param url  where the sandbox is, for example `http://127.0.0.1:9400`; "" for the page's own origin */
export function createControlClient(url: string) {
  const base = url.replace(/\/+$/, "")

  /**
   * Any call of the control API.
   *
   * @param path  without `/_sandbox`
   * @throws ControlError for an answer that is an error, or where nobody answers
   */
  async function request<T>(method: Method, path: string, body?: unknown): Promise<T> {
    let response: Response
    try {
      response = await fetch(`${base}/_sandbox${path}`, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
      })
    } catch {
      throw new ControlError(0, "unreachable", "The sandbox does not answer. Is it still running?")
    }
    // An answer spoilt by whatever stands in between may be anything.
    const answer: unknown = await response.json().catch(() => null)
    if (!response.ok) {
      const { code, message } = errorOf(answer)
      throw new ControlError(
        response.status,
        code ?? "error",
        message ?? `${method} ${path} answered ${response.status}.`,
      )
    }
    return answer as T
  }

  const get = <T>(path: string, query?: Query) => request<T>("GET", `${path}${queryString(query)}`)
  const post = <T>(path: string, body: unknown = {}) => request<T>("POST", path, body)
  const remove = <T>(path: string) => request<T>("DELETE", path)
  const turn = (command: ClockCommand) => post<ClockView>("/clock", command)

  async function move(id: string, name: string, body?: object): Promise<EventView> {
    return (await post<EventAnswer>(at`/events/${id}/${name}`, body)).event
  }

  return {
    url: base,
    request,

    health: () => get<Health>("/health"),
    /** Everything at a glance, signature keys left out. */
    state: () => get<Record<string, unknown>>("/state"),
    reset: (seed?: string) => post<{ status: "ok" }>("/reset", seed === undefined ? {} : { seed }),

    clock: {
      get: () => get<ClockView>("/clock"),
      stop: () => turn({ stop: true }),
      run: () => turn({ run: true }),
      set: (time: Time, graceMs?: number) => turn({ set: time, grace_ms: graceMs }),
      /** @param by  ms, or text like "90s", "30m", "1h" */
      advance: (by: number | string, graceMs?: number) => turn({ advance: by, grace_ms: graceMs }),
      runUntilIdle: (graceMs?: number) => turn({ run_until_idle: true, grace_ms: graceMs }),
      /** Waits until nothing is in flight, without moving time. */
      settle: (graceMs?: number) => turn({ settle: true, grace_ms: graceMs }),
    },

    pages: {
      list: () => get<{ pages: Page[] }>("/pages"),
      get: async (uid: string) => (await get<{ page: Page }>(at`/pages/${uid}`)).page,
      create: async (input: PageInput) => (await post<{ page: Page }>("/pages", input)).page,
      update: async (uid: string, changes: PageChanges) =>
        (await post<{ page: Page }>(at`/pages/${uid}`, changes)).page,
      remove: (uid: string) => remove<{ deleted: true }>(at`/pages/${uid}`),
    },

    products: {
      list: (filters?: ProductFilters) =>
        get<{ products: ProductView[]; count: number }>("/products", filters),
      get: async (id: string, filters?: { page_uid?: string }) =>
        (await get<{ product: ProductView }>(at`/products/${id}`, filters)).product,
      clear: () => remove<{ deleted: true }>("/products"),
    },

    events: {
      list: (filters?: EventFilters) =>
        get<{ events: EventView[]; count: number }>("/events", filters),
      get: (id: string) => get<EventAnswer & { products: EventProductView[] }>(at`/events/${id}`),
      create: async (input: EventInput) => (await post<EventAnswer>("/events", input)).event,
      update: async (id: string, changes: EventChanges) =>
        (await post<EventAnswer>(at`/events/${id}`, changes)).event,
      remove: async (id: string) => (await remove<EventAnswer>(at`/events/${id}`)).event,
      start: (id: string) => move(id, "start"),
      end: (id: string) => move(id, "end"),
      complete: (id: string, input: { video_url?: string } = {}) => move(id, "complete", input),
      cancel: (id: string) => move(id, "cancel"),
      move: (id: string, input: Relocation) => move(id, "move", input),
      addProduct: async (id: string, input: EventProductInput) =>
        (await post<ProductAnswer>(at`/events/${id}/products`, input)).event_product,
      getProduct: async (id: string, uid: string) =>
        (await get<ProductAnswer>(at`/events/${id}/products/${uid}`)).event_product,
      updateProduct: async (id: string, uid: string, changes: EventProductChanges) =>
        (await post<ProductAnswer>(at`/events/${id}/products/${uid}`, changes)).event_product,
      removeProduct: async (id: string, uid: string) =>
        (await remove<ProductAnswer>(at`/events/${id}/products/${uid}`)).event_product,
    },
    /** A delivery of any topic and body, unknown ones too. */
    emit: (input: Emission) =>
      post<{ event_uid: string; deliveries: DeliverySummary[] }>("/emit", input),

    orders: {
      /** What the player does at the start of a checkout. */
      issueNumber: (input: OrderNumberInput) =>
        post<Pick<Order, "order_no" | "campaign_uid" | "page_uid">>("/order-numbers", input),
      list: (filters?: OrderFilters) => get<{ orders: Order[]; count: number }>("/orders", filters),
      conversions: (filters?: OrderFilters) =>
        get<{ conversions: Order[]; count: number }>("/conversions", filters),
    },

    subscribers: {
      list: (filters?: { page_uid?: string }) =>
        get<{ subscribers: SubscriberView[] }>("/subscribers", filters),
      /** What somebody changes in the service's own pages, without the shop. */
      update: async (uid: string, changes: { name?: string; url?: string; topics?: string[] }) =>
        (await post<{ subscriber: SubscriberView }>(at`/subscribers/${uid}`, changes)).subscriber,
      activate: async (uid: string) =>
        (await post<{ subscriber: SubscriberView }>(at`/subscribers/${uid}/activate`)).subscriber,
      test: async (uid: string) =>
        (await post<{ delivery: DeliveryView }>(at`/subscribers/${uid}/test`)).delivery,
    },
    notifications: () => get<{ notifications: Notification[] }>("/notifications"),
    deliveries: {
      list: (filters?: DeliveryFilters) =>
        get<{ deliveries: DeliverySummary[]; count: number }>("/deliveries", filters),
      get: async (id: string) =>
        (await get<{ delivery: DeliveryView }>(at`/deliveries/${id}`)).delivery,
      resend: async (id: string) =>
        (await post<{ delivery: DeliveryView }>(at`/deliveries/${id}/resend`)).delivery,
    },

    faults: {
      list: () => get<{ faults: PlanRecord[] }>("/faults"),
      add: async (input: FaultInput) => (await post<{ fault: PlanRecord }>("/faults", input)).fault,
      remove: (id: string) => remove<{ deleted: true }>(at`/faults/${id}`),
      clear: () => remove<{ deleted: true }>("/faults"),
    },
    profiles: {
      list: () => get<{ profiles: ProfileView[] }>("/profiles"),
      set: (settings: Partial<ProfileSettings>) =>
        post<{ profiles: ProfileView[] }>("/profiles", settings),
      reset: () => remove<{ profiles: ProfileView[] }>("/profiles"),
    },

    journal: {
      find: (search?: JournalSearch) =>
        get<{ entries: JournalEntry[]; count: number }>("/journal", search),
      /** @throws ControlError 408 where they do not come in time (5 s unless told) */
      wait: (q: string, { count, timeoutMs }: { count?: number; timeoutMs?: number } = {}) =>
        post<{ entries: JournalEntry[]; count: number }>("/journal/wait", {
          q,
          count,
          timeout_ms: timeoutMs,
        }),
      clear: () => remove<{ deleted: true }>("/journal"),
    },

    /** Everything but the journal, keys included: this sandbox or another one can be set to it. */
    snapshot: async () => (await get<{ snapshot: Snapshot }>("/snapshot")).snapshot,
    restore: (snapshot: Snapshot) => post<{ status: "ok"; now: number }>("/restore", { snapshot }),
  }
}

/** A path with its ids encoded. */
function at(texts: TemplateStringsArray, ...ids: string[]): string {
  return String.raw({ raw: texts }, ...ids.map(encodeURIComponent))
}

/** What is undefined, null or empty is left out. */
function queryString(query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value))
  }
  const text = params.toString()
  return text ? `?${text}` : ""
}

function errorOf(answer: unknown): { code?: string; message?: string } {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return {}
  const { error } = answer
  if (typeof error !== "object" || error === null) return {}
  return {
    ...("code" in error && typeof error.code === "string" && { code: error.code }),
    ...("message" in error && typeof error.message === "string" && { message: error.message }),
  }
}
