export { readReason } from "../../modules/svc/shared/reason"
export {
  type ReceivingProblem,
  receivingProblems,
  webhookProblem,
} from "../../modules/svc/webhooks/webhook-problem"
export { wakeInbox, workInbox } from "./apply-inbox"
export * from "./await-test"
export * from "./diagnose-webhook"
export * from "./paste-webhook-key"
export * from "./pause-applying"
export * from "./read-receiving"
export * from "./receive-delivery"
export * from "./refresh-webhook"
export * from "./register-webhook"
export * from "./remove-webhook"
export * from "./replay-delivery"
export * from "./rotate-webhook-key"
export { findWebhook, readList, withWebhookLock } from "./subscriber-row"
