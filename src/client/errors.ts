import { readErrorSentence } from "../contract"

/**
 * What went wrong in a call to the service, and what follows from it (gap 53).
 *
 * - `retry`: may pass by itself (network, timeout, redirect, 408, 425, 429, 5xx); the work stays due.
 * - `broken`: the token is refused (401, 403); nothing will pass until a person acts, and the work waits.
 * - `dead`: this request will never be accepted as it is (other 4xx, an answer that breaks the contract).
 */
type FailureClass = "retry" | "broken" | "dead"

type SvcErrorCode =
  | "svc_unreachable"
  | "svc_timeout"
  | "svc_unavailable"
  | "svc_rate_limited"
  | "svc_unauthorized"
  | "svc_not_found"
  | "svc_rejected"
  | "svc_unreadable"
  | "svc_paused"
  | "svc_insecure"

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

  constructor(input: {
    code: SvcErrorCode
    failure: FailureClass
    message: string
    status?: number
    retryAfterMs?: number | null
    connectionRefused?: boolean
    excerpt?: string | null
    notCarriedOut?: boolean
  }) {
    super(input.message)
    this.code = input.code
    this.failure = input.failure
    this.status = input.status ?? null
    this.retryAfterMs = input.retryAfterMs ?? null
    this.connectionRefused = input.connectionRefused ?? false
    this.excerpt = input.excerpt ?? null
    this.notCarriedOut = input.notCarriedOut ?? input.failure !== "retry"
  }

  /** What the service said, for people: the sentence in the excerpt, or all of it. */
  get said(): string | null {
    return this.excerpt && readErrorSentence(this.excerpt)
  }
}

/** One sentence for a merchant: what to do about a code. */
export const FIX: Record<SvcErrorCode, string> = {
  svc_unreachable:
    "Check the service address in the connection's settings. We keep trying by ourselves.",
  svc_timeout: "Nothing to do: we keep trying by ourselves.",
  svc_unavailable: "Nothing to do: the service has a problem, and we keep trying by ourselves.",
  svc_rate_limited: "Nothing to do: we wait as long as the service asks, then go on.",
  svc_unauthorized:
    "Make a new API token in the service's page settings and paste it in the connection's settings.",
  svc_not_found: "Check that the campaign or record still exists at the service.",
  svc_rejected: "Read the service's answer, correct the data, then send again.",
  svc_unreadable:
    "The service answered in a form that this version does not know. Update the plugin or report it.",
  svc_insecure:
    "Enter an address that starts with https:// and is not in a private network. For development, set SVC_ALLOW_INSECURE_URLS=true and restart the store.",
  svc_paused:
    "Nothing to do: after several failures in a row we pause for a moment, then try again.",
}

const RETRIED = new Set([408, 425, 429])
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

/** Maps the status of an answer to an error: gap 53. */
export function errorForStatus(
  status: number,
  context: { what: string; excerpt: string | null; retryAfterMs: number | null },
): SvcError {
  const { what, excerpt, retryAfterMs } = context
  if (status === 401 || status === 403) {
    return new SvcError({
      code: "svc_unauthorized",
      failure: "broken",
      message: `The service refused the API token (${status}) while we tried to ${what}.`,
      status,
    })
  }
  if (status === 429) {
    return new SvcError({
      code: "svc_rate_limited",
      failure: "retry",
      message: `The service asked us to slow down (429) while we tried to ${what}.`,
      status,
      retryAfterMs,
      excerpt,
      notCarriedOut: true,
    })
  }
  if (status >= 500 || RETRIED.has(status)) {
    return new SvcError({
      code: "svc_unavailable",
      failure: "retry",
      message: `The service answered ${status} while we tried to ${what}.`,
      status,
      retryAfterMs,
      excerpt,
    })
  }
  if (status < 400) {
    // Redirects are never followed, because the token would go with them. A redirect to a maintenance page passes; a
    // service that has moved is told to the merchant.
    return new SvcError({
      code: "svc_unreachable",
      failure: "retry",
      message: `The service sends us to another address (${status}) instead of letting us ${what}.`,
      status,
      notCarriedOut: true,
    })
  }
  return new SvcError({
    code: status === 404 ? "svc_not_found" : "svc_rejected",
    failure: "dead",
    message: `The service refused (${status}) to ${what}.`,
    status,
    excerpt,
  })
}
