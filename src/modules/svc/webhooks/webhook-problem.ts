import type { Webhook } from "../models"
import { type Reason, readReason } from "../shared/reason"

/** Shown where the service does not know our subscriber any more. Not one of its own states (interface §3.2). */
export const MISSING = "missing"

const NOT_REGISTERED: Reason = {
  code: "webhook_not_registered",
  message: "The service does not tell this store about shows: no webhook is registered.",
  fix: "Register the webhook.",
}

const KEY_UNKNOWN: Reason = {
  code: "webhook_key_unknown",
  message: "The webhook has no signature key, so its deliveries are refused.",
  fix: "Rotate the key, or paste it by hand.",
}

/** What is wrong with a connection's webhook, the worst first, for a merchant; null where all is well. */
export function webhookProblem(webhook: Webhook | null | undefined): Reason | null {
  // A subscriber that a person made in the service's own settings has only the key, which was pasted here.
  if (!webhook?.webhook_uid && !webhook?.signature_key) return NOT_REGISTERED
  return (
    stateProblem(webhook.state) ??
    (webhook.signature_key ? readReason(webhook.last_error) : KEY_UNKNOWN)
  )
}

/** What a subscriber's state means for a merchant; null where all is well. */
export function stateProblem(state: string | null): Reason | null {
  switch (state) {
    case "warning":
      return {
        code: "webhook_warning",
        message: "The service reports failing deliveries for 30 minutes and more.",
        fix: "Check that this store's address is reachable from outside. After 60 minutes the service stops sending.",
      }
    case "disabled":
      return {
        code: "webhook_disabled",
        message: "The service stopped sending after 60 minutes of failing deliveries.",
        fix: "Check that this store's address is reachable from outside, then register the webhook again, or press Activate in the service's dashboard. What was missed is read by itself.",
      }
    case MISSING:
      return {
        code: "webhook_missing",
        message: "The service does not know this webhook any more.",
        fix: "Register the webhook again.",
      }
    default:
      return null
  }
}
