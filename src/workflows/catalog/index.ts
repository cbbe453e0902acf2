export { eventIds } from "./event-ids"
export { markChanged, markMarkets } from "./mark-products"
export { payloadNow } from "./payload-now"
export { pushDueProducts, pushNow } from "./push-worker"
export {
  cancelImport,
  pauseImport,
  readSync,
  resumeImport,
  type Sync,
  startImport,
  workImports,
} from "./run-import"
export { sweepCatalog, sweepPriceLists } from "./sweep-catalog"
export { wakeCatalog, workCatalog } from "./wake-worker"
