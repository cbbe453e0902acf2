import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import {
  type Family,
  type Json,
  readShownEvent,
  readShownProduct,
  type ShownEvent,
  type ShownProduct,
} from "../../../contract"
import { SELLS } from "../cart/campaign-state"
import { eventsOfCampaigns } from "./merged"
import { EVENT_FIELDS } from "./projection-rows"
import type { EventContent, ProductContent } from "./read-write"
import { isForgotten } from "./soon"

/** An event as it stands over both families (gap 6). */
export type KnownEvent = Omit<EventContent, "data"> & {
  id: string
  connection_id: string
  event_id: string
  kind: Family
  /** A delivery said so. */
  deleted_at: Date | null
  /** Listings lack it: it is not shown any more, but what it sells is for the price lookup to say (gap 20). */
  absent_at: Date | null
  occurred_at: Date
  /** Deliveries contradict each other: it is read again. */
  needs_reread: boolean
  /** Whether its campaign sells at all (gap 21); one that names no campaign sells nothing. */
  sells: boolean
  /** In which currency the service last answered for one of its prices; null where that is not known. */
  price_currency: string | null
  /** Whether the price of that answer included VAT; null where that is not known. */
  price_includes_vat: boolean | null
  /** What nothing is decided by. */
  shown: ShownEvent
}

/** A product in a campaign as it stands over both families. Prices in major units of the campaign's currency. */
export type KnownEventProduct = Omit<ProductContent, "data"> & {
  id: string
  connection_id: string
  uid: string
  kind: Family
  campaign_uid: string
  deleted_at: Date | null
  occurred_at: Date
  /** Deliveries contradict each other, or may have been missed: its price is looked up. */
  needs_reread: boolean
  shown: ShownProduct
}

/**
 * SQL: a show that is said to be live was told or read of lately, the row being `merged`. While nothing is heard of the
 * service it may be over for long.
 */
const IS_KNOWN = `(merged.status <> 'live' OR EXISTS (SELECT 1 FROM svc_connection_work w
  LEFT JOIN svc_webhook hook ON hook.connection_id = w.connection_id AND hook.deleted_at IS NULL
  WHERE w.connection_id = merged.connection_id AND w.kind = 'listings' AND w.deleted_at IS NULL
    AND greatest(w.created_at, hook.last_delivery_at, w.read_at) > now() - interval '6 hours'))`

/** Reads our copy of live events and their products, merged over both topic families. */
export class ShowQueries {
  constructor(private readonly knex: Knex) {}

  /**
   * Events merged over both families, those of deleted connections left out; where a status is asked for those, too, that are
   * deleted or that listings lack: the status that one had then is none of now.
   */
  async listEvents(query: EventQuery): Promise<{ events: KnownEvent[]; count: number }> {
    const events = this.#events()
    if (query.filters.status) events.whereNull("deleted_at").whereNull("absent_at")
    return this.#page(events, query)
  }

  async #page(
    found: Knex.QueryBuilder,
    { filters, order, limit, offset }: EventQuery,
  ): Promise<{ events: KnownEvent[]; count: number }> {
    found.where((where) => {
      for (const name of EVENT_FILTERS) {
        if (filters[name]) where.whereRaw("??::text = ANY(?)", [name, filters[name]])
      }
      if (filters.q) where.whereILike("name", `%${filters.q}%`)
    })
    const [column, direction] = Object.entries(order)[0] ?? []
    const [events, counted] = await Promise.all([
      found
        .clone()
        .select<EventRow[]>("*")
        .modify((rows) => {
          if (column)
            rows.orderByRaw(`?? ${direction === "ASC" ? "ASC" : "DESC"} NULLS LAST`, column)
        })
        .orderByRaw(
          "CASE status WHEN 'live' THEN 0 WHEN 'planned' THEN 1 ELSE 2 END, starts_at NULLS LAST, id",
        )
        .limit(limit)
        .offset(offset),
      found.clone().count<{ count: string }[]>("* as count"),
    ])
    return { events: events.map(knownEvent), count: Number(counted[0]?.count ?? 0) }
  }

  /** @param id our id of one of its rows, whichever family it came in, or the service's event id */
  async event(id: string): Promise<KnownEvent | null> {
    const ids = this.knex("svc_live_event")
      .select("connection_id", "event_id")
      .where({ id })
      .orWhere({ event_id: id })
    const [event] = await this.#events()
      .select<EventRow[]>("*")
      .whereIn(["connection_id", "event_id"], ids)
    return event ? knownEvent(event) : null
  }

  /** Events that run or come, in the order in which they begin; none that was deleted or forgotten. */
  async currentEvents(filters: EventQuery["filters"], limit: number): Promise<KnownEvent[]> {
    const current = this.#events()
      .whereNull("deleted_at")
      .whereNull("absent_at")
      .whereRaw(`NOT coalesce(${isForgotten("merged")}, false)`)
    const { events } = await this.#page(current, { filters, order: {}, limit, offset: 0 })
    return events
  }

  /** Events that are over, the last one first, also those that were deleted or that listings lack: they have earned what they have. */
  async pastEvents(limit: number): Promise<KnownEvent[]> {
    const { events } = await this.#page(this.#events(), {
      filters: { status: ["processing", "vod"] },
      order: { live_ended_at: "DESC" },
      limit,
      offset: 0,
    })
    return events
  }

  /** When the last of the shows began that are live now, by connection; those that may be over by their deadline left out. */
  async liveSince(): Promise<Map<string, Date>> {
    const live = this.#events()
      .where({ status: "live" })
      .whereNull("absent_at")
      .whereRaw(SELLS)
      .select<{ connection_id: string; since: Date }[]>(
        "connection_id",
        this.knex.raw("max(coalesce(live_started_at, occurred_at)) AS since"),
      )
      .groupBy("connection_id")
    return new Map((await live).map(({ connection_id, since }) => [connection_id, since]))
  }

  /**
   * Published events that are coming, running, or open shoppables (`clip`), running ones first. Shows that are over and
   * still sell (`vod`) where they are asked for: a shop that announces what comes does not expect them.
   */
  async announcedEvents(
    connectionIds: string[],
    query: EventQuery,
  ): Promise<{ events: KnownEvent[]; count: number }> {
    const announced = this.#events()
      .whereIn("connection_id", connectionIds)
      .where({ is_published: true })
      .whereNull("absent_at")
      .whereIn("status", query.filters.status ?? ["live", "planned", "clip"])
      .whereIn("status", ["live", "planned", "clip", "vod"])
      .whereRaw(SELLS)
      // Baskets sell nothing then. A date that is still to come is not called off by another that was.
      .whereRaw("(campaign_status IS DISTINCT FROM 'cancelled' OR status = 'planned')")
      .whereRaw(`NOT coalesce(${isForgotten("merged")}, false)`)
      .whereRaw(IS_KNOWN)
    return this.#page(announced, query)
  }

  /** Products of campaigns, merged over both families, in the show's order. Deleted ones too: see `deleted_at`. */
  async productsOf(connectionId: string, campaignUids: string[]): Promise<KnownEventProduct[]> {
    if (campaignUids.length === 0) return []
    const rows = await this.knex("svc_event_product")
      .select<ProductRow[]>(
        "id",
        "connection_id",
        "uid",
        "kind",
        "sku",
        "external_id",
        "campaign_uid",
        "name",
        "price",
        "suggested_retail_price",
        "available",
        "min_purchase_qty",
        "max_qty_per_customer",
        "variants",
        this.knex.raw("deleted_in_svc_at AS deleted_at"),
        "occurred_at",
        "needs_reread",
        "data",
      )
      .where({ connection_id: connectionId, shown: true })
      .whereIn("campaign_uid", campaignUids)
      .whereNull("deleted_at")
      .orderByRaw("data->'sorting' NULLS LAST, name, uid")
    return rows.map(knownProduct)
  }

  /** Campaigns that have a product of the store now, by its id in the store. */
  async campaignsOfProduct(
    productId: string,
  ): Promise<{ connection_id: string; campaign_uid: string }[]> {
    return this.knex("svc_event_product AS product")
      .distinct<{ connection_id: string; campaign_uid: string }[]>(
        "product.connection_id",
        "product.campaign_uid",
      )
      .join("svc_connection AS connection", "connection.id", "product.connection_id")
      .where("product.external_id", productId)
      .whereNull("product.deleted_in_svc_at")
      .whereNull("product.deleted_at")
      .whereNull("connection.deleted_at")
  }

  /** How many products each event's campaign has now, by `connection_id` and `campaign_uid`. */
  async countProducts(events: KnownEvent[]): Promise<Map<KnownEvent, number>> {
    const pairs = events.map((event) => [event.connection_id, event.campaign_uid])
    if (pairs.length === 0) return new Map()
    const rows = await this.knex("svc_event_product")
      .select<(Campaign & { count: string })[]>(
        "connection_id",
        "campaign_uid",
        this.knex.raw("count(*) AS count"),
      )
      .whereIn(["connection_id", "campaign_uid"], pairs)
      .where({ shown: true })
      .whereNull("deleted_in_svc_at")
      .whereNull("deleted_at")
      .groupBy("connection_id", "campaign_uid")
    const counts = new Map(rows.map((row) => [campaignKey(row), Number(row.count)]))
    return new Map(events.map((event) => [event, counts.get(campaignKey(event)) ?? 0]))
  }

  /**
   * Events as people see them, to be narrowed: those of connections that there are. The deadline is the campaign's, whichever
   * of its events told it last: baskets are priced by that one. So is the basis of its prices. `campaign_status` is what stands
   * for the campaign.
   */
  #events(): Knex.QueryBuilder {
    const columns = [
      "id",
      "connection_id",
      "event_id",
      "kind",
      ...EVENT_FIELDS.filter((name) => name !== "deadline"),
      "occurred_at",
      "needs_reread",
      "absent_at",
      "data",
    ]
    return this.knex.from(
      this.knex("svc_live_event AS e")
        .select(columns.map((column) => `e.${column}`))
        .select(this.knex.raw("e.deleted_in_svc_at AS deleted_at"))
        .select(
          this.knex.raw(
            "CASE e.campaign_uid WHEN '' THEN e.deadline ELSE campaign.deadline END AS deadline",
          ),
        )
        .select(
          "campaign.status AS campaign_status",
          "campaign.price_currency",
          "campaign.price_includes_vat",
        )
        .select(this.knex.raw("coalesce(campaign.sells, false) AS sells"))
        .join("svc_connection AS c", "c.id", "e.connection_id")
        .joinRaw(
          `LEFT JOIN (
             SELECT *, ${SELLS} AS sells FROM (${eventsOfCampaigns("told.campaign_uid <> ''")}) event
           ) campaign
             ON campaign.connection_id = e.connection_id AND campaign.campaign_uid = e.campaign_uid`,
        )
        .whereNull("c.deleted_at")
        .whereNull("e.deleted_at")
        .where("e.shown", true)
        .as("merged"),
    )
  }
}

/** What lists of events can be sorted by. */
export const EVENT_COLUMNS = [
  "starts_at",
  "live_started_at",
  "live_ended_at",
  "deadline",
  "occurred_at",
  "name",
  "status",
  "kind",
  "event_id",
  "campaign_uid",
  "id",
] as const

/** What lists of events can be narrowed by. */
export const EVENT_FILTERS = [
  "id",
  "connection_id",
  "event_id",
  "campaign_uid",
  "kind",
  "status",
  "is_published",
] as const

export type EventQuery = {
  /** `q` is a `LIKE` pattern's inside: part of the name. */
  filters: Partial<Record<(typeof EVENT_FILTERS)[number], string[]>> & { q?: string }
  /** One of `EVENT_COLUMNS`; empty: running ones first. */
  order: Record<string, "ASC" | "DESC">
  limit: number
  offset: number
}

type EventRow = Omit<KnownEvent, "shown"> & { data: Json; campaign_status: string | null }

const knownEvent = ({ data, campaign_status: _, ...row }: EventRow): KnownEvent => ({
  ...row,
  shown: readShownEvent(data),
})

/** The driver hands decimals over as text. */
type ProductRow = Omit<KnownEventProduct, "price" | "suggested_retail_price" | "shown"> & {
  price: string | null
  suggested_retail_price: string | null
  data: Json
}

const knownProduct = ({ data, ...row }: ProductRow): KnownEventProduct => ({
  ...row,
  shown: readShownProduct(data),
  price: row.price === null ? null : Number(row.price),
  suggested_retail_price:
    row.suggested_retail_price === null ? null : Number(row.suggested_retail_price),
})

type Campaign = { connection_id: string; campaign_uid: string }

/** Ids are the service's and may hold anything: a JSON list of them is unmistakable. */
export const campaignKey = ({ connection_id, campaign_uid }: Campaign): string =>
  JSON.stringify([connection_id, campaign_uid])
