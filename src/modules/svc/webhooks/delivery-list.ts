import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Delivery } from "../models"
import {
  containsWords,
  inOrder,
  type ListedRows,
  type PageOfIds,
  readPageOfIds,
} from "../shared/page-of-ids"

/** What lists read of a row: not the body, which may be large. */
const LISTED_COLUMNS = [
  "id",
  "connection_id",
  "topic",
  "event_uid",
  "delivery_uid",
  "occurred_at",
  "received_at",
  "outcome",
  "reason",
  "attempts",
  "next_attempt_at",
  "repeats",
  "bytes",
] as const satisfies readonly (keyof Delivery)[]

export type ListedDelivery = Pick<Delivery, (typeof LISTED_COLUMNS)[number]>

/** What the list of deliveries can be narrowed by. */
export const DELIVERY_FILTERS = [
  "id",
  "connection_id",
  "topic",
  "outcome",
  "event_uid",
  "delivery_uid",
] as const

/** What it can be sorted by. */
export const DELIVERY_COLUMNS = [
  "received_at",
  "occurred_at",
  "topic",
  "outcome",
  "attempts",
  "event_uid",
  "id",
] as const

export type DeliveryQuery = {
  /** `q`, escaped for `LIKE`: a part of the topic, of the event's uid or of the delivery's. `from` and `to` (before): received. */
  filters: Partial<Record<(typeof DELIVERY_FILTERS)[number], string[]>> & {
    q?: string
    from?: Date
    to?: Date
  }
  order: { column: (typeof DELIVERY_COLUMNS)[number]; direction: "ASC" | "DESC" }
  limit: number
  offset: number
}

/**
 * Deliveries as the admin lists them. `IDX_svc_delivery_received_at_id` serves the newest and the oldest ones without
 * reading the rows before them, which have bodies.
 */
export class DeliveryList {
  constructor(private readonly knex: Knex) {}

  async list(query: DeliveryQuery): Promise<{ rows: ListedDelivery[]; count: number }> {
    const { ids, count } = await this.#page(query)
    const rows = await this.knex("svc_delivery")
      .select<ListedDelivery[]>([...LISTED_COLUMNS])
      .whereIn("id", ids)
    return { rows: inOrder(ids, rows), count }
  }

  #page({ filters, ...page }: DeliveryQuery): Promise<PageOfIds> {
    const where = ["delivery.deleted_at IS NULL"]
    const bindings: ListedRows["bindings"] = []
    const narrow = (condition: string, ...values: ListedRows["bindings"]) => {
      where.push(condition)
      bindings.push(...values)
    }
    for (const name of DELIVERY_FILTERS) {
      const wanted = filters[name]
      if (wanted) narrow(`delivery.${name} = ANY(?)`, wanted)
    }
    if (filters.from) narrow("delivery.received_at >= ?", filters.from)
    if (filters.to) narrow("delivery.received_at < ?", filters.to)
    if (filters.q) {
      const columns = ["delivery.topic", "delivery.event_uid", "delivery.delivery_uid"]
      const found = containsWords(columns, filters.q)
      narrow(found.where, ...found.bindings)
    }
    return readPageOfIds(this.knex, {
      from: "svc_delivery delivery",
      row: "delivery",
      where: where.join(" AND "),
      bindings,
      ...page,
      readsAll: filters.q !== undefined,
    })
  }
}
