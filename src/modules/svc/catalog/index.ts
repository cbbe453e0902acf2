import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { PUSH_BATCH_SIZE } from "../../../contract"
import { CatalogMarks } from "../core-tables/catalog-marks"
import { StoreProducts } from "../core-tables/store-products"
import type { ProcessLeases } from "../shared/process-leases"
import { ItemList } from "./item-list"
import { CatalogItemRows } from "./item-rows"
import type { OwnCode } from "./own-code"
import { CatalogPaceRows } from "./pace-rows"
import { productUrl } from "./product-payload"
import { addressesOf } from "./product-snapshot"
import { readCatalogSettings } from "./settings"
import { CatalogWalkRows } from "./walk-rows"

/**
 * Catalog: a row per product and connection, walks over all of them, what marks rows dirty, and the pace of calls.
 *
 * @param parts.pool of background work; only the admin's list is read with `knex`, which requests use
 */
export function createCatalog(parts: {
  knex: Knex
  pool: Knex
  leases: ProcessLeases
  callsPerSecond: number
  ownCode: () => OwnCode
}) {
  const { knex, pool, leases, callsPerSecond, ownCode } = parts
  return {
    items: new CatalogItemRows(pool, leases),
    itemList: new ItemList(knex),
    walks: new CatalogWalkRows(pool, leases, ownCode),
    marks: new CatalogMarks(pool),
    pace: new CatalogPaceRows(pool, { callsPerSecond, batchSize: PUSH_BATCH_SIZE }),
    /** The store's own products. */
    storeProducts: new StoreProducts(pool),
    /** Where a product is in a connection's shop: as the service is told, and as the player links to it. */
    addressOf: (
      connection: { storefront_url: string; catalog: unknown },
      product: { id: string; handle: string | null },
    ) =>
      productUrl(
        product,
        addressesOf(connection.storefront_url, readCatalogSettings(connection.catalog).settings),
      ),
  }
}

export type Catalog = ReturnType<typeof createCatalog>

export type { SourceProduct } from "../core-tables/store-products"
export { Brake } from "./brake"
// What workflows use of this room beside its face: pure decisions and the types of its rows.
export { type DiffContext, diffProduct, needsLastPayload, type ProductDiff } from "./diff-product"
export { type Difference, differences } from "./differences"
export {
  attemptsForHalf,
  backoffAloneMs,
  halved,
  holdReason,
  judgeFailure,
  productsHoldMs,
  sentence,
} from "./failure-policy"
export { feedTokenHash, makeFeedToken, opensFeed } from "./feed-token"
export { FEED_END, feedHead, feedItems } from "./feed-xml"
export { ITEM_COLUMNS, ITEM_FILTERS, type ItemQuery } from "./item-list"
export type {
  ClaimedRow,
  ItemFilters,
  ItemRow,
  Postponement,
  Settlement,
} from "./item-rows"
export {
  type FoundPrice,
  guestContext,
  type StoreMarket,
  taxedCountries,
} from "./market-price"
export { ownCodeOf } from "./own-code"
export type { Pace } from "./pace-rows"
export { applyMapper } from "./product-mapper"
export {
  type GuestPrices,
  goneBecause,
  type ProductSnapshot,
  snapshotOf,
  unreadable,
} from "./product-snapshot"
export { catalogReason } from "./reasons"
export {
  catalogChanges,
  catalogSettings,
  changesCatalog,
  readCatalogSettings,
  requireCatalogSettings,
} from "./settings"
export { targetOf } from "./target"
export type { ClaimedWalk, Concerned, WalkPage, WalkRow } from "./walk-rows"
