/** Every reason of this domain with what its sentences name; the sentences are in the catalogue of all texts. */
import { type Reason, reasonFor } from "../shared/reason"

/** Why an order is not reported yet. */
export const WAITING = {
  payment_not_authorised: (): Reason => reasonFor("payment_not_authorised"),
  payment_not_captured: (): Reason => reasonFor("payment_not_captured"),
  consent_missing: (): Reason => reasonFor("consent_missing"),
} as const

/** Why an order is not reported at all. */
export const EXCLUDED = {
  order_cancelled: (): Reason => reasonFor("order_cancelled"),
  order_cancelled_maybe_told: (): Reason => reasonFor("order_cancelled_maybe_told"),
  left_out_maybe_told: (): Reason => reasonFor("left_out_maybe_told"),
  order_deleted: (): Reason => reasonFor("order_deleted"),
  page_left: (): Reason => reasonFor("page_left"),
  email_excluded: (pattern: string): Reason => reasonFor("email_excluded", { pattern }),
  test_order: (): Reason => reasonFor("test_order"),
  waited_too_long: (days: number): Reason => reasonFor("waited_too_long", { days: String(days) }),
} as const

/** What a person has to look at. */
export const FAILED = {
  order_conflict: (said: string | null): Reason => {
    const told = reasonFor("order_conflict")
    if (!said) return told
    return { ...told, message: `${told.message} Answer: ${said}`, params: { answer: said } }
  },
  order_number_used: (orderId: string): Reason =>
    reasonFor("order_number_used", { order_id: orderId }),
  order_number_shared: (campaignUid: string): Reason =>
    reasonFor("order_number_shared", { campaign_uid: campaignUid }),
  connection_not_found: (): Reason => reasonFor("connection_not_found"),
  connection_not_found_maybe_told: (): Reason => reasonFor("connection_not_found_maybe_told"),
  report_fields_failed: (problem: string): Reason => reasonFor("report_fields_failed", { problem }),
  report_store_error: (problem: string): Reason => reasonFor("report_store_error", { problem }),
  ledger_store_error: (problem: string): Reason => reasonFor("ledger_store_error", { problem }),
} as const
