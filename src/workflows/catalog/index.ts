export {
  catalogChanges,
  catalogSettings,
  changesCatalog,
  ITEM_COLUMNS,
  ITEM_FILTERS,
  type ItemQuery,
  readCatalogSettings,
} from "../../modules/svc/catalog"
export { type AbsentProduct, absentProducts } from "./absent-products"
export {
  type CatalogEvents,
  IMPORT_COMPLETED,
  PRODUCT_REFUSED,
  PRODUCT_SYNCED,
} from "./announce"
export { compareWithCatalog } from "./compare-with-catalog"
export { eventIds } from "./event-ids"
export { closeFeed, openFeed, openFeedInput, readFeed } from "./feed"
export {
  changeImport,
  readSync,
  type Sync,
  startImport,
} from "./imports"
export { compareMarkets, markChanged } from "./mark-products"
export {
  type Preview,
  previewImport,
  previewProduct,
} from "./preview"
export { sendAgain } from "./send-again"
export { sendNothing } from "./send-nothing"
export { sweepEachMinute, sweepEachNight } from "./sweep-catalog"
export { pushConnection, pushNow, wakeCatalog, workCatalog } from "./worker"
