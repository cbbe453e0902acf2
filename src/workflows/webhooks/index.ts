export type { Topic } from "../../contract"
export type { ReceivingProblem } from "../../modules/svc/webhooks"
export { DELIVERY_COLUMNS, DELIVERY_FILTERS } from "../../modules/svc/webhooks"
export { wakeInbox, workInbox } from "./apply-inbox"
export * from "./await-test"
export {
  registerWebhookInput,
  registerWebhookWorkflow,
  removeWebhookWorkflow,
  rotateWebhookKeyWorkflow,
} from "./change-subscriber"
export * from "./diagnose-webhook"
export * from "./paste-webhook-key"
export * from "./read-receiving"
export * from "./receive-delivery"
export { refreshForPerson, refreshWebhooks } from "./refresh-webhook"
export * from "./replay-delivery"
export {
  addressProblem,
  findWebhook,
  leavePage,
  leaveWebhook,
  readList,
  type WebhookLeft,
  webhookProblem,
  withWebhookLock,
} from "./subscriber-row"
