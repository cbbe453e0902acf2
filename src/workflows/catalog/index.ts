export { ITEM_COLUMNS, ITEM_FILTERS } from "../../modules/svc/catalog/item-list"
export { catalogSettings, changesCatalog } from "../../modules/svc/catalog/settings"
export {
  type CatalogEvents,
  IMPORT_COMPLETED,
  PRODUCT_REFUSED,
  PRODUCT_SYNCED,
} from "./announce"
export { compareWithCatalog } from "./compare-with-catalog"
export { eventIds } from "./event-ids"
export { closeFeed, openFeed, readFeed } from "./feed"
export {
  cancelImport,
  pauseImport,
  readSync,
  resumeImport,
  type Sync,
  startImport,
  tidyImports,
} from "./imports"
export { compareMarkets, explainAbsence, markChanged } from "./mark-products"
export {
  previewImport,
  previewProduct,
} from "./preview"
export { sendAgain } from "./send-again"
export {
  compareAll,
  compareOutdated,
  markRestored,
  pruneCatalog,
  sweepPriceLists,
} from "./sweep-catalog"
export { pushConnection, pushNow, wakeCatalog, workCatalog } from "./worker"
