import { MedusaError } from "@medusajs/framework/utils"

const { INVALID_DATA, NOT_FOUND, NOT_ALLOWED, CONFLICT } = MedusaError.Types

/**
 * The plugin's own refusals: a stable code that storefronts, monitors and tests read, with Medusa's error type
 * and the HTTP status of the answer. (Medusa's handler overwrites the code of a 409; `api/answer.ts` does not.)
 */
export const REFUSALS = {
  invalid_request: { type: INVALID_DATA, status: 400 },
  body_too_large: { type: INVALID_DATA, status: 413 },
  not_plain_json: { type: INVALID_DATA, status: 415 },
  invalid_url: { type: INVALID_DATA, status: 400 },
  insecure_url: { type: INVALID_DATA, status: 400 },
  token_required: { type: INVALID_DATA, status: 400 },
  sales_channel_not_found: { type: INVALID_DATA, status: 400 },
  region_not_found: { type: INVALID_DATA, status: 400 },
  backend_url_missing: { type: INVALID_DATA, status: 400 },
  encryption_key_missing: { type: NOT_ALLOWED, status: 400 },
  secret_unreadable: { type: NOT_ALLOWED, status: 409 },
  connection_not_found: { type: NOT_FOUND, status: 404 },
  not_found: { type: NOT_FOUND, status: 404 },
  connection_read_only: { type: NOT_ALLOWED, status: 400 },
  connection_exists: { type: CONFLICT, status: 409 },
  sync_running: { type: CONFLICT, status: 409 },
  sync_not_running: { type: CONFLICT, status: 409 },
  webhook_not_registered: { type: CONFLICT, status: 409 },
  webhook_limit: { type: CONFLICT, status: 409 },
  webhook_key_unknown: { type: CONFLICT, status: 409 },
  webhook_headers_unknown: { type: CONFLICT, status: 409 },
  page_not_connected: { type: NOT_ALLOWED, status: 400 },
  channel_mismatch: { type: NOT_ALLOWED, status: 400 },
  quantity_limited: { type: NOT_ALLOWED, status: 400 },
  not_available: { type: NOT_ALLOWED, status: 400 },
  campaign_ended: { type: NOT_ALLOWED, status: 400 },
  order_number_required: { type: INVALID_DATA, status: 400 },
  too_many_requests: { type: NOT_ALLOWED, status: 429 },
  cart_completed: { type: NOT_ALLOWED, status: 409 },
  order_number_used: { type: CONFLICT, status: 409 },
  order_not_reportable: { type: NOT_ALLOWED, status: 409 },
  cart_busy: { type: CONFLICT, status: 409 },
  /** The cart changed while its prices were looked up: begin again. */
  cart_moved: { type: CONFLICT, status: 409 },
  /** A payment that was begun for the cart cannot be ended any more: the money was taken. */
  payment_under_way: { type: CONFLICT, status: 409 },
  svc_call_failed: { type: NOT_ALLOWED, status: 502 },
  svc_price_changed: { type: CONFLICT, status: 409 },
} as const

export type RefusalCode = keyof typeof REFUSALS

/**
 * Refusals without a sentence in the admin's languages (`admin/i18n/reasons`): what only shoppers and storefronts meet,
 * and what says with the server's words which part of a request is wrong.
 */
export const NOT_FOR_THE_ADMIN = [
  "invalid_request",
  "body_too_large",
  "not_plain_json",
  "page_not_connected",
  "channel_mismatch",
  "quantity_limited",
  "campaign_ended",
  "order_number_required",
  "too_many_requests",
  "cart_completed",
  "cart_busy",
  "cart_moved",
  "payment_under_way",
  "svc_price_changed",
] as const satisfies RefusalCode[]

/** A request that the plugin refuses. The sentence says what happened, why, and what to do. */
export class SvcRefusal extends MedusaError {
  /** What a sentence in another language is made from. */
  readonly params: Readonly<Record<string, string | number>> | undefined

  constructor(
    code: RefusalCode,
    message: string,
    params?: Readonly<Record<string, string | number>>,
  ) {
    super(REFUSALS[code].type, message, code)
    this.params = params
  }
}

/**
 * The code of a refusal, or null. Recognised by its shape, not by its class: a workflow engine may pass an error on
 * as a copy.
 */
export function refusalCode(error: unknown): RefusalCode | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null
  const { code } = error
  return typeof code === "string" && Object.hasOwn(REFUSALS, code) ? (code as RefusalCode) : null
}
