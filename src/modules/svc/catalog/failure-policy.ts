/**
 * What a failed `POST /products` says, and how long a connection is left alone after it. Pure. Together with
 * `brake.ts` this is the whole policy:
 *
 *   400 422       something in the batch is wrong: its products are sent again with half as many others, until the bad
 *                 one stands alone
 *   413           the batch is too large: the same, and the next ones are smaller
 *   429           nothing is sent for as long as the service says, then more slowly
 *   401           the token is refused: nothing is sent; one call every 45 s finds out when it is taken again
 *   anything else the service, its address or one product: only other batches can tell. Where one succeeds, the
 *                 failed batch is narrowed down to the product that fails by itself. Where none does, nothing is sent
 *                 for 2 s, 4 s ... 45 s, and each time a smaller batch tries
 *
 * A product is blamed only when it stands alone and others pass. It is then tried less and less often, without an end.
 */
import type { SvcError } from "../../../client"
import { backoffMs } from "../shared/backoff"
import { type Reason, reasonOf } from "../shared/reason"
import { catalogReason } from "./reasons"

export type CallVerdict = "content" | "too_large" | "slow_down" | "token" | "unclear"

/**
 * 402, 404, 405, 409, 410, 415 and the like: nothing is wrong with the products, but with whom we ask (gap 23). A conflict is of
 * no single product here, and a 403 may be of one.
 */
const speaksOfTheEndpoint = ({ failure, status }: SvcError): boolean =>
  status === 409 || (failure === "endpoint" && status !== 403)

export function judgeFailure(error: SvcError): CallVerdict {
  const { status } = error
  if (status === 400 || status === 422) return "content"
  if (status === 413) return "too_large"
  if (status === 429) return "slow_down"
  if (error.failure === "broken") return "token"
  return "unclear"
}

/** The reason that a connection gives while it sends nothing. */
export function holdReason(error: SvcError): Reason {
  if (error.isHeldBack) return reasonOf(error)
  const answer = error.said ?? error.message
  if (error.status === 429) return catalogReason("slow_down")
  if (speaksOfTheEndpoint(error)) {
    return catalogReason("endpoint_refuses", { status: String(error.status), answer })
  }
  return catalogReason("service_fails", { answer: sentence(error) })
}

/** What happened, with the service's own words where it sent some. */
export const sentence = (error: SvcError): string =>
  error.said ? `${error.message} Answer: ${error.said}` : error.message

const HOLD_BASE_MS = 2_000
/** A service that is well again is noticed within a minute. */
const HOLD_CAP_MS = 45_000
const SLOW_DOWN_MS = 1_000

/**
 * How long a connection is left alone.
 *
 * @param holds holds in a row without a call that succeeded in between, 0 for the first
 * @param random a number in [0, 1): several connections to one service do not come back together
 */
export function productsHoldMs(error: SvcError, holds: number, random: number): number {
  const growing = Math.min(HOLD_CAP_MS, HOLD_BASE_MS * 2 ** Math.min(holds, 10))
  if (error.status === 429) {
    // Who asks us to slow down and to come back at once has not said for how long.
    return error.retryAfterMs || Math.min(HOLD_CAP_MS, SLOW_DOWN_MS * 2 ** Math.min(holds, 10))
  }
  return Math.max(Math.round(growing * (0.75 + 0.25 * random)), error.retryAfterMs ?? 0)
}

/** Products in a call, of which the first has `batchSize`, after so many failures: half as many each time. */
export const halved = (batchSize: number, times: number): number =>
  Math.max(1, Math.floor(batchSize / 2 ** Math.min(times, 20)))

/**
 * `attempts` with which products go with half as many others as in the call that failed.
 *
 * @param attempts that the row has already
 * @param count products of that call
 */
export function attemptsForHalf(batchSize: number, attempts: number, count: number): number {
  let enough = attempts
  while (halved(batchSize, enough) > Math.ceil(count / 2)) enough += 1
  return enough
}

/** When a product that fails by itself is tried again: counted from when it stood alone first. */
export function backoffAloneMs(batchSize: number, attempts: number, random: number): number {
  const narrowed = attemptsForHalf(batchSize, 0, 1)
  return backoffMs(Math.max(1, attempts - narrowed), random)
}
