import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Delivery } from "../models"
import { Conditions, type Filtered } from "../shared/conditions"
import { type AskedPage, listRows } from "../shared/page-of-ids"

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

export type DeliveryQuery = AskedPage<(typeof DELIVERY_COLUMNS)[number]> & {
  /** `q`, escaped for `LIKE`: a part of the topic, of the event's uid or of the delivery's. `from` and `to` (before): received. */
  filters: Filtered<typeof DELIVERY_FILTERS>
}

/**
 * Deliveries as the admin lists them. `IDX_svc_delivery_received_at_id` serves the newest and the oldest ones without
 * reading the rows before them, which have bodies.
 */
export class DeliveryList {
  constructor(private readonly knex: Knex) {}

  list({ filters, ...page }: DeliveryQuery): Promise<{ rows: ListedDelivery[]; count: number }> {
    return listRows(this.knex, {
      table: "svc_delivery",
      columns: LISTED_COLUMNS,
      conditions: new Conditions("listed")
        .oneOf(DELIVERY_FILTERS, filters)
        .within("received_at", filters)
        .contain(["listed.topic", "listed.event_uid", "listed.delivery_uid"], filters.q),
      ...page,
      readsAll: filters.q !== undefined,
    })
  }
}
