import { MedusaError } from "@medusajs/framework/utils"
import { REASONS, type ReasonCode } from "../../../texts"

const { INVALID_DATA, NOT_FOUND, NOT_ALLOWED, CONFLICT, UNEXPECTED_STATE } = MedusaError.Types

/**
 * The plugin's own refusals: a stable code that storefronts, monitors and tests read, with Medusa's error type
 * and the HTTP status of the answer. (Medusa's handler overwrites the code of a 409; `api/answer.ts` does not.)
 */
export const REFUSALS = {
  /** A field of the request is missing, unknown or of the wrong form; the message names each. */
  invalid_request: { type: INVALID_DATA, status: 400 },
  /** The body is larger than the route takes. */
  body_too_large: { type: INVALID_DATA, status: 413 },
  /** The body is not JSON in UTF-8, sent as it is. */
  not_plain_json: { type: INVALID_DATA, status: 415 },
  /** An address that is none, or has a user, a query or a fragment in it. */
  invalid_url: { type: INVALID_DATA, status: 400 },
  /** A plain `http:` or private address, and `allowInsecureUrls` is off. */
  insecure_url: { type: INVALID_DATA, status: 400 },
  /** A new connection, or a new address of one, needs the API token. */
  token_required: { type: INVALID_DATA, status: 400 },
  /** The store has no sales channel with this id. */
  sales_channel_not_found: { type: INVALID_DATA, status: 400 },
  /** The store has no region with this id. */
  region_not_found: { type: INVALID_DATA, status: 400 },
  /** The service has to be told an address of this store: set `backendUrl`. */
  backend_url_missing: { type: INVALID_DATA, status: 400 },
  /** A secret can only be kept encrypted: set `encryptionKeys`. */
  encryption_key_missing: { type: NOT_ALLOWED, status: 400 },
  /** The secret was encrypted with a key that is not in `encryptionKeys` any more. */
  secret_unreadable: { type: NOT_ALLOWED, status: 409 },
  /** There is no such connection. */
  connection_not_found: { type: NOT_FOUND, status: 404 },
  /** There is no such record; for a cart also: it is somebody else's. */
  not_found: { type: NOT_FOUND, status: 404 },
  /** The connection is declared in `medusa-config.ts` and is changed there. */
  connection_read_only: { type: NOT_ALLOWED, status: 400 },
  /** Another connection has this page, at this address or in this sales channel. */
  connection_exists: { type: CONFLICT, status: 409 },
  /** A setting of the connection that decides what is sent cannot be read; the message names it. */
  setting_unreadable: { type: CONFLICT, status: 409 },
  /** The feed is open already, and a new password would end the one in use: `replace` says so. */
  feed_open: { type: CONFLICT, status: 409 },
  /** The store's products, or this one, cannot be read now; the message says why. */
  store_error: { type: UNEXPECTED_STATE, status: 503 },
  /** An import of this connection is running already. */
  sync_running: { type: CONFLICT, status: 409 },
  /** There is no import to pause, resume or cancel. */
  sync_not_running: { type: CONFLICT, status: 409 },
  /** The connection has no webhook yet. */
  webhook_not_registered: { type: CONFLICT, status: 409 },
  /** The page has as many webhooks as the service allows. */
  webhook_limit: { type: CONFLICT, status: 409 },
  /** The webhook leads to another store, of which this one may be a copy: `take_over` takes it from there. */
  webhook_of_another_store: { type: CONFLICT, status: 409 },
  /** The webhook has no signature key here: rotate it, or paste it. */
  webhook_key_unknown: { type: CONFLICT, status: 409 },
  /** The webhook's own headers cannot be read here: save them again. */
  webhook_headers_unknown: { type: CONFLICT, status: 409 },
  /** No connection of this store has the page that the player names. */
  page_not_connected: { type: NOT_ALLOWED, status: 400 },
  /** The connection sells in another sales channel or region than the cart is in. */
  channel_mismatch: { type: NOT_ALLOWED, status: 400 },
  /** The show sells another number of pieces. */
  quantity_limited: { type: NOT_ALLOWED, status: 400 },
  /** The product is not for sale in the show now. */
  not_available: { type: NOT_ALLOWED, status: 400 },
  /** The show was cancelled or deleted, or its deadline has passed. */
  campaign_ended: { type: NOT_ALLOWED, status: 400 },
  /** The cart has met no show yet, so the action needs `order_no`. */
  order_number_required: { type: INVALID_DATA, status: 400 },
  /** Too many in a short time; `Retry-After` says when to try again. */
  too_many_requests: { type: NOT_ALLOWED, status: 429 },
  /** The cart was ordered already. */
  cart_completed: { type: NOT_ALLOWED, status: 409 },
  /** Another order has this order number. */
  order_number_used: { type: CONFLICT, status: 409 },
  /** The connection has left the page that gave the order's number. */
  page_left: { type: CONFLICT, status: 409 },
  /** The order cannot be reported as it stands; its reason says why. */
  order_not_reportable: { type: NOT_ALLOWED, status: 409 },
  /** Another request holds the cart. Nothing was changed: send it again. */
  cart_busy: { type: CONFLICT, status: 409 },
  /** Another request changed the cart meanwhile, so what was asked may be done or not: read it before you ask again. */
  cart_moved: { type: CONFLICT, status: 409 },
  /** A payment of the cart was authorised or captured already: its order is what is missing. */
  payment_under_way: { type: CONFLICT, status: 409 },
  /** The service did not answer, or not with success; the message says how. */
  svc_call_failed: { type: NOT_ALLOWED, status: 502 },
  /** The service's answer was lost: the webhook may be registered, or not. */
  webhook_registration_unsure: { type: NOT_ALLOWED, status: 502 },
  /** The service's answer was lost: the webhook's key may be another one, or not. */
  webhook_rotation_unsure: { type: NOT_ALLOWED, status: 502 },
  /** The webhook was not registered, and the one before it is deleted. */
  webhook_before_gone: { type: NOT_ALLOWED, status: 502 },
  /** The webhook is registered, and the one before it is still there. */
  webhook_before_left: { type: NOT_ALLOWED, status: 502 },
  /** What the shopper saw is not what the cart costs now; `lines` names what changed. */
  svc_price_changed: { type: CONFLICT, status: 409 },
} as const

export type RefusalCode = keyof typeof REFUSALS

/** A request that the plugin refuses. The sentence says what happened, why, and what to do. */
export class SvcRefusal extends MedusaError {
  /** What a sentence in another language is made from. */
  readonly params: Readonly<Record<string, string | number>> | undefined
  /** The cart's, where it was read: in which language the shopper is told. */
  locale?: string | null

  constructor(
    code: RefusalCode,
    message: string,
    params?: Readonly<Record<string, string | number>>,
  ) {
    super(REFUSALS[code].type, message, code)
    this.params = params
  }
}

/** A refusal in the words of the catalogue: one that names nothing of the request. */
export function refusalOf(code: RefusalCode & ReasonCode): SvcRefusal {
  const { message, fix } = REASONS[code]
  return new SvcRefusal(code, `${message} ${fix}`)
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
