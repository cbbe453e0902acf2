/** Workflows that other plugins and the store's own code may run: `medusa-plugin-svc/workflows`. */
export { changeCart, changeCartWorkflow, guardCart } from "./cart"
export {
  type CatalogEvents,
  IMPORT_COMPLETED,
  PRODUCT_REFUSED,
  PRODUCT_SYNCED,
  startImport,
  wakeCatalog,
} from "./catalog"
export {
  checkConnectionWorkflow,
  createConnectionWorkflow,
  deleteConnectionWorkflow,
  updateConnectionWorkflow,
} from "./connections"
export {
  attributeOrderWorkflow,
  rebuildLedger,
  SVC_ORDER_EVENTS,
  type SvcOrderEvent,
} from "./orders"
export {
  type EventProductPayload,
  type LiveEventPayload,
  SHOW_EVENTS,
  type ShowEvents,
} from "./shows"
export {
  pasteWebhookKeyWorkflow,
  registerWebhookWorkflow,
  removeWebhookWorkflow,
  replayDeliveriesWorkflow,
  replayDeliveryWorkflow,
  rotateWebhookKeyWorkflow,
} from "./webhooks"
