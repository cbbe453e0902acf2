export { pushNow } from "./drain"
export {
  cancelImport,
  pauseImport,
  readSync,
  resumeImport,
  type Sync,
  startImport,
  workImports,
} from "./import"
export { markChanged, markConnections, markProducts } from "./mark"
export { isSimple } from "./payload"
export { payloadNow } from "./payload-now"
export { sweepCatalog, sweepPriceLists } from "./sweep"
export { wakeCatalog, workCatalog } from "./wake"
