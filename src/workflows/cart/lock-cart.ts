import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Modules } from "@medusajs/framework/utils"
import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import {
  refreshCartItemsWorkflow,
  releaseLockStep,
  updateTaxLinesWorkflow,
} from "@medusajs/medusa/core-flows"
import { messageOf } from "../../modules/svc/shared/error-message"
import { cartBusy } from "./read-situation"

/** How long we wait for another request that changes the cart. */
const PATIENCE_MS = 4_000
/**
 * How long the lock lasts at most, should the process die. A process that has too much to do needs more than ten seconds for
 * one change; where the lock ended meanwhile another request computes from the same quantities, and a piece is lost.
 */
const HOLD_SECONDS = 30
const RETRY_MS = 50

/**
 * Takes the lock of a cart that core's own cart workflows take; `releaseLockStep({ key: cartId, ownerId })` gives it back.
 * It has an owner: where we took longer than it lasts, somebody else holds it by then, and must not lose it by our giving
 * it back.
 *
 * Not core's `acquireLockStep`: when the lock stays taken it throws what the locking provider throws, and each provider
 * throws something else (an `Error` in memory and in Postgres, a `MedusaError` of type conflict in Redis), with its own
 * text. A shopper would get an error 500 from the one that we do not recognise.
 *
 * @returns the lock's owner
 * @throws SvcRefusal `cart_busy` when another request holds the lock for longer than we wait
 */
export const lockCartStep = createStep(
  "svc-lock-cart",
  async (cartId: string, { container, parentStepIdempotencyKey }) => {
    // As in core: a workflow that runs ours as a step has locked the cart itself.
    if (parentStepIdempotencyKey) return new StepResponse<string, Held | null>("", null)
    const ownerId = randomUUID()
    const locking = container.resolve(Modules.LOCKING)
    const giveUpAt = Date.now() + PATIENCE_MS
    for (;;) {
      try {
        await locking.acquire(cartId, { expire: HOLD_SECONDS, ownerId })
        return new StepResponse<string, Held | null>(ownerId, { cartId, ownerId })
      } catch (error) {
        if (Date.now() < giveUpAt) {
          await sleep(RETRY_MS)
          continue
        }
        // A provider that is down rejects as well; only its text tells, so an operator gets to read it.
        const reason = messageOf(error)
        container.resolve("logger").warn(`svc: cart ${cartId} could not be locked: ${reason}`)
        throw cartBusy()
      }
    }
  },
  async (held, { container }) => {
    if (!held) return
    const { cartId, ownerId } = held
    await container.resolve(Modules.LOCKING).release(cartId, { ownerId })
  },
)

type Held = { cartId: string; ownerId: string }

/**
 * Brings taxes, totals and the payment collection of a cart up to its lines.
 * @throws SvcRefusal `cart_busy`
 */
export const refreshTotalsWorkflow = createWorkflow("svc-refresh-totals", (cartId: string) => {
  const ownerId = lockCartStep(cartId)
  updateTaxLinesWorkflow.runAsStep({ input: { cart_id: cartId } })
  refreshCartItemsWorkflow.runAsStep({ input: { cart_id: cartId } })
  releaseLockStep({ key: cartId, ownerId })
  return new WorkflowResponse(cartId)
})
