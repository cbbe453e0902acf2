import type { SvcError } from "../../client"
import { type Reason, reasonFor, reasonOf } from "../../modules/svc/shared/reason"

/** Milliseconds that a person waits for the service. */
export const CHECK_TIMEOUT_MS = 8_000

/** What a live check found. `duration_ms` is the service's answer time. */
export type ConnectionCheck = {
  ok: boolean
  reachable: boolean
  token_accepted: boolean
  duration_ms: number
  error: Reason | null
}

/**
 * The list of webhooks is there for every page (interface §5), so a server that does not have it, or answers with something
 * that is no JSON, is not the service: a shop, a proxy, the service's website. What its page says is of no use to anybody.
 * JSON in a form that we do not know may be the service's all the same: the interface does not show the list (§4.4).
 */
const isAnotherServer = ({ code, status, excerpt }: SvcError): boolean =>
  status === 404 || (code === "svc_unreadable" && excerpt === null)

/** A maintenance page, a login, or another site: the client says so of a success that is a page. */
const isWebPage = ({ code, status, excerpt }: SvcError): boolean =>
  code === "svc_unreachable" && status === null && excerpt !== null

const hasAnswered = (error: SvcError): boolean =>
  error.status !== null || error.code === "svc_unreadable" || isWebPage(error)

/** @param error why the call failed; null where the service answered as it should */
export function checkOf(error: SvcError | null, started: number): ConnectionCheck {
  const another = error !== null && isAnotherServer(error)
  return {
    ok: error === null,
    reachable: error === null || hasAnswered(error),
    // Every endpoint gets the token (interface §5, gap 52), so its own answer shows that it was accepted. Any other shows
    // nothing: it may come from before the token was looked at, or from a server that is not the service (§7 rule 4).
    token_accepted: error === null,
    duration_ms: Date.now() - started,
    error: another ? reasonFor("not_the_service") : error && reasonOf(error),
  }
}

/** The same of an address that nobody has saved: there a web page is a wrong address, and not one that will pass. */
export function checkOfUnsaved(error: SvcError, started: number): ConnectionCheck {
  const check = checkOf(error, started)
  return isWebPage(error) ? { ...check, error: reasonFor("not_the_service") } : check
}
