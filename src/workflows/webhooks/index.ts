export type { Topic } from "../../contract"
export type { ReceivingProblem } from "../../modules/svc/webhooks"
export { DELIVERY_COLUMNS, DELIVERY_FILTERS } from "../../modules/svc/webhooks"
export { wakeInbox, workInbox } from "./apply-inbox"
export * from "./await-test"
export * from "./diagnose-webhook"
export * from "./paste-webhook-key"
export * from "./pause-applying"
export * from "./read-receiving"
export * from "./receive-delivery"
export * from "./refresh-webhook"
export { refusalsByReason } from "./refusals-by-reason"
export * from "./register-webhook"
export * from "./remove-webhook"
export * from "./replay-delivery"
export * from "./rotate-webhook-key"
export {
  addressProblem,
  findWebhook,
  leaveWebhook,
  readList,
  webhookProblem,
  withWebhookLock,
} from "./subscriber-row"
