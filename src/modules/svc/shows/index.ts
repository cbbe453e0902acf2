import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { ProcessLeases } from "../shared/process-leases"
import { ListingWriter } from "./listing-writer"
import { LookupRows } from "./lookup-rows"
import { PriceBases } from "./price-bases"
import { ProjectionWriter } from "./projection-writer"
import { PullRows } from "./pull-rows"
import { ShowQueries } from "./show-queries"

/**
 * Shows: the projection is written by deliveries and listings, and read merged; when listings are read.
 *
 * @param parts.pool for what is written: a batch is one transaction. Shows are read with `knex`
 */
export function createShows(parts: { knex: Knex; pool: Knex; leases: ProcessLeases }) {
  const { knex, pool, leases } = parts
  const projection = new ProjectionWriter(pool)
  return {
    projection,
    listings: new ListingWriter(projection),
    pulls: new PullRows(pool, leases),
    lookups: new LookupRows(pool, leases),
    priceBases: new PriceBases(pool),
    queries: new ShowQueries(knex),
  }
}

export type Shows = ReturnType<typeof createShows>

// What workflows use of this room beside its face: pure decisions and the types of its rows.
export type {
  Announcement,
  EventProductPayload,
  LiveEventPayload,
  ShowEvents,
} from "./announcements"
export { catalogRange, type PriceRange } from "./catalog-range"
export type { ClaimedWork } from "./connection-work"
export {
  CONFIRM_AFTER_MS,
  type ListingPage,
  type ListingTime,
  nextPage,
  WARM_MS,
} from "./listing"
export type { Whole } from "./listing-writer"
export type { OpenProduct } from "./lookup-rows"
export type { ShowsTransaction } from "./projection-rows"
export { recordOf } from "./projection-writer"
export { PULL_CAUSES } from "./pull-causes"
export {
  type EventWrite,
  type Oddities,
  type ProductWrite,
  readListedEvent,
  readWrite,
} from "./read-write"
export { type Readiness, readinessOf } from "./readiness"
export { campaignKey, EVENT_COLUMNS, EVENT_FILTERS } from "./show-queries"
