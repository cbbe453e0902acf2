/** Workflows that other plugins and the store's own code may run: `medusa-plugin-svc/workflows`. */
export { changeCart, changeCartWorkflow, guardCart } from "./cart"
export { startImport, wakeCatalog } from "./catalog"
export {
  checkConnectionWorkflow,
  createConnectionWorkflow,
  deleteConnectionWorkflow,
  updateConnectionWorkflow,
} from "./connections"
export { SVC_EVENTS, type SvcEvents } from "./events"
export { attributeOrderWorkflow, rebuildLedger } from "./orders"
export type { EventProductPayload, LiveEventPayload } from "./shows"
export {
  pasteWebhookKeyWorkflow,
  registerWebhookWorkflow,
  removeWebhookWorkflow,
  replayDeliveriesWorkflow,
  replayDeliveryWorkflow,
  rotateWebhookKeyWorkflow,
} from "./webhooks"
