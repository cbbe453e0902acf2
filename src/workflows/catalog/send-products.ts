import { SvcError } from "../../client"
import type { PushedProduct, PushFailure } from "../../contract"
import type { BatchSize } from "../../modules/svc/catalog/batch-size"
import { REASON } from "../../modules/svc/catalog/reasons"
import { type Reason, reasonOf } from "../../modules/svc/shared/reason"

/**
 * What became of a product in this round: taken by the service; refused for good; to be tried again; or not tried,
 * because the round ended before its turn.
 */
export type Outcome =
  | { kind: "accepted" }
  | { kind: "refused"; reason: Reason }
  | { kind: "later"; error: SvcError }
  | { kind: "untried" }

/** Calls under way at once: one slow answer must not slow all sending down. */
const IN_FLIGHT = 3
/** Answers that one bad product in the batch can cause: the batch is halved until that product is found. */
const BISECTED = new Set([400, 422])
const TOO_LARGE = 413

type Push = (products: PushedProduct[]) => Promise<PushFailure[]>

/**
 * Sends products in batches until all are sent or the service stops answering.
 *
 * @param push one `POST /products`; waits for the throttle by itself
 * @param mayStart asked before each call; false ends the round (the lease runs out)
 * @returns an outcome for each product id
 */
export async function sendProducts(
  products: PushedProduct[],
  size: BatchSize,
  push: Push,
  mayStart: () => boolean,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>(
    products.map((product) => [product.id, { kind: "untried" }]),
  )
  const waiting = [...products]
  let stopped = false

  async function send(batch: PushedProduct[]): Promise<void> {
    if (stopped || !mayStart()) return
    const record = (outcome: Outcome) => {
      for (const { id } of batch) outcomes.set(id, outcome)
    }
    try {
      const failures = await push(batch)
      record({ kind: "accepted" })
      for (const failure of failures) {
        if (!outcomes.has(failure.id)) continue
        outcomes.set(failure.id, {
          kind: "refused",
          reason: { ...REASON.rejected(failure.message), code: failure.code },
        })
      }
      size.grow()
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      if (error.code === "svc_timeout" || error.status === TOO_LARGE) size.shrink()
      if (error.failure !== "dead") {
        stopped = true
        return record({ kind: "later", error })
      }
      const divisible = error.status === TOO_LARGE || BISECTED.has(error.status ?? 0)
      if (!divisible || batch.length === 1) {
        return record({ kind: "refused", reason: refusalOf(error) })
      }
      const half = Math.ceil(batch.length / 2)
      await send(batch.slice(0, half))
      await send(batch.slice(half))
    }
  }

  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0 && !stopped && mayStart()) {
      await send(waiting.splice(0, size.current))
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendWaiting))
  return outcomes
}

/** The service's own words where it gave some: they name the field that is wrong. */
const refusalOf = (error: SvcError): Reason =>
  BISECTED.has(error.status ?? 0) && error.said ? REASON.rejected(error.said) : reasonOf(error)
