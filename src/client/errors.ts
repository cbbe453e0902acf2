import { readErrorSentence } from "../contract"

/**
 * Of what a failed call to the service speaks, and what follows from it (gap 53). Decided here, for every caller.
 *
 * - `retry`: of the moment (network, timeout, redirect, 408, 425, 429, 5xx); the work stays due.
 * - `endpoint`: of the endpoint (403, 404, 405, 410, 415 and the like): it is not open to us. Its work waits, and that of
 *   no other endpoint.
 * - `broken`: of the token (401, or none that we could send); all work of the connection waits for a person.
 * - `dead`: of this one thing (400, 409, 413, 422; 404 and 410 where the address names it; an answer that breaks the
 *   contract, unless it may have taken a part of what was sent): it will never be accepted as it is.
 */
type FailureClass = "retry" | "endpoint" | "broken" | "dead"

/** What a call asks: each may be held for itself. */
export type Endpoint = "products" | "prices" | "orders" | "webhooks" | "listings"

type SvcErrorCode =
  | "svc_unreachable"
  | "svc_timeout"
  | "svc_unavailable"
  | "svc_rate_limited"
  | "svc_unauthorized"
  | "svc_forbidden"
  | "svc_endpoint_closed"
  | "svc_not_found"
  | "svc_rejected"
  | "svc_unreadable"
  | "svc_paused"
  | "svc_insecure"
  | "undeclared"
  | "secret_unreadable"
  | "store_address_missing"
  | "copy_of_another_store"

/** Every failed call to the service. Carries no header, no token and no request body. */
export class SvcError extends Error {
  override readonly name = "SvcError"
  readonly code: SvcErrorCode
  readonly failure: FailureClass
  /** HTTP status of the answer, or null when there was none. */
  readonly status: number | null
  /** How long the service asked us to wait, in milliseconds. */
  readonly retryAfterMs: number | null
  /** Nobody listened at the address, so the request reached nobody. */
  readonly connectionRefused: boolean
  /** Up to 500 characters of the answer's body: what a merchant can hand to the service's support. */
  readonly excerpt: string | null
  /** True where the service surely did not do what was asked: it said so, or the request never reached it. */
  readonly notCarriedOut: boolean
  /** This process stood still while it waited for the answer: that none came says nothing about the service. */
  readonly stoodStill: boolean
  /** What the sentences of its code name. */
  readonly params: Record<string, string> | null

  constructor(input: {
    code: SvcErrorCode
    failure: FailureClass
    message: string
    status?: number
    retryAfterMs?: number | null
    connectionRefused?: boolean
    excerpt?: string | null
    notCarriedOut?: boolean
    stoodStill?: boolean
    params?: Record<string, string>
  }) {
    super(input.message)
    this.code = input.code
    this.failure = input.failure
    this.status = input.status ?? null
    this.retryAfterMs = input.retryAfterMs ?? null
    this.connectionRefused = input.connectionRefused ?? false
    this.excerpt = input.excerpt ?? null
    this.notCarriedOut = input.notCarriedOut ?? input.failure !== "retry"
    this.stoodStill = input.stoodStill ?? false
    this.params = input.params ?? null
  }

  /**
   * The service may have done what was asked although the call failed: there was no answer, or one of somebody who stands
   * before it, or it failed in the middle of its work.
   */
  get mayHaveBeenCarriedOut(): boolean {
    const { status } = this
    if (this.notCarriedOut) return false
    return status === null || status === 408 || (status >= 500 && status !== 503)
  }

  /** Nobody was asked, for a reason that says nothing about the service: the work is not ours, or not now. */
  get isHeldBack(): boolean {
    return HELD_BACK.has(this.code)
  }

  /** What the service said, for people: the sentence in the excerpt, or all of it. */
  get said(): string | null {
    return this.excerpt && readErrorSentence(this.excerpt)
  }
}

const HELD_BACK = new Set(["svc_paused", "store_address_missing", "copy_of_another_store"])
const RETRIED = new Set([408, 425, 429])
/** The service has read this request and does not take it. */
const OF_THE_REQUEST = new Set([400, 409, 413, 422])
/** The thing that the address names is not there. */
const OF_WHAT_IS_NAMED = new Set([404, 410])
/** Longest wait that a service may ask for: one hour. */
const MAX_RETRY_AFTER_MS = 3_600_000

/** The three forms of an HTTP date begin with the day of the week; `Date.parse` would read any odd text as a date. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/
const ZONE = / GMT$/

/** Reads `Retry-After` in seconds or as an HTTP date; null when absent or unreadable. */
export function readRetryAfter(value: unknown, now: number): number | null {
  const text = typeof value === "string" ? value.trim() : ""
  let ms = Number.NaN
  if (/^\d+$/.test(text)) ms = Number(text) * 1000
  // The oldest form names no zone and means UTC.
  else if (HTTP_DATE.test(text)) ms = Date.parse(ZONE.test(text) ? text : `${text} GMT`) - now
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS)
}

/**
 * Maps the status of an answer to an error: gap 53.
 *
 * @param context.namesThing the address names one thing (a campaign, a webhook), and not an endpoint alone
 */
export function errorForStatus(
  status: number,
  context: {
    what: string
    excerpt: string | null
    retryAfterMs: number | null
    namesThing?: boolean
  },
): SvcError {
  const { what, excerpt, retryAfterMs, namesThing = false } = context
  const error = (input: ConstructorParameters<typeof SvcError>[0]) =>
    new SvcError({ status, excerpt, ...input })
  if (status === 401) {
    const message = `The service refused the API token (${status}) while we tried to ${what}.`
    return error({ code: "svc_unauthorized", failure: "broken", message, excerpt: null })
  }
  if (status === 429) {
    const message = `The service asked us to slow down (429) while we tried to ${what}.`
    const asked = { retryAfterMs, notCarriedOut: true }
    return error({ code: "svc_rate_limited", failure: "retry", message, ...asked })
  }
  if (status >= 500 || RETRIED.has(status)) {
    const message = `The service answered ${status} while we tried to ${what}.`
    return error({ code: "svc_unavailable", failure: "retry", message, retryAfterMs })
  }
  if (status < 400) {
    // Redirects are never followed, because the token would go with them. A redirect to a maintenance page passes; a
    // service that has moved is told to the merchant.
    const message = `The service sends us to another address (${status}) instead of letting us ${what}.`
    const elsewhere = { excerpt: null, notCarriedOut: true }
    return error({ code: "svc_unreachable", failure: "retry", message, ...elsewhere })
  }
  if (status === 403) {
    const message = `The API token has no right to ${what} (403).`
    return error({ code: "svc_forbidden", failure: "endpoint", message, retryAfterMs })
  }
  const isNamed = namesThing && OF_WHAT_IS_NAMED.has(status)
  if (!isNamed && !OF_THE_REQUEST.has(status)) {
    const message = `The service does not let anybody ${what} at its address (${status}).`
    return error({ code: "svc_endpoint_closed", failure: "endpoint", message, retryAfterMs })
  }
  const code = isNamed ? "svc_not_found" : "svc_rejected"
  return error({ code, failure: "dead", message: `The service refused (${status}) to ${what}.` })
}
