import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { refused } from "../../modules/svc/cart"
import { messageOf } from "../../modules/svc/shared/error-message"

/** How long we wait for another request that changes the cart. */
const PATIENCE_MS = 4_000
/**
 * How long the lock lasts at most, should the process die. A process that has too much to do needs more than ten seconds for
 * one change; where the lock ended meanwhile another request computes from the same quantities, and a piece is lost.
 */
const HOLD_SECONDS = 30
const RETRY_MS = 50

/**
 * The lock of a cart that core's own cart workflows take. It has an owner: where we took longer than it lasts, somebody else
 * holds it by then, and must not lose it by our giving it back.
 *
 * Not core's `acquireLockStep`: when the lock stays taken it throws what the locking provider throws, and each provider
 * throws something else (an `Error` in memory and in Postgres, a `MedusaError` of type conflict in Redis), with its own
 * text. A shopper would get an error 500 from the one that we do not recognise.
 */
export class CartLock {
  /** Null: it is not held. */
  ownerId: string | null = null

  /** @param isOthers the workflow that runs ours as a step has locked the cart itself, as in core */
  constructor(
    private readonly container: MedusaContainer,
    private readonly cartId: string,
    private readonly isOthers: boolean,
  ) {}

  /** @throws SvcRefusal `cart_busy` when another request holds the lock for longer than we wait */
  async take(): Promise<void> {
    if (this.ownerId !== null) return
    const ownerId = randomUUID()
    const giveUpAt = Date.now() + PATIENCE_MS
    while (!this.isOthers) {
      try {
        await this.container
          .resolve(Modules.LOCKING)
          .acquire(this.cartId, { expire: HOLD_SECONDS, ownerId })
        break
      } catch (error) {
        if (Date.now() >= giveUpAt) {
          // A provider that is down rejects as well; only its text tells, so an operator gets to read it.
          const reason = messageOf(error)
          this.container
            .resolve("logger")
            .warn(`svc: cart ${this.cartId} could not be locked: ${reason}`)
          throw refused("cart_busy")
        }
        await sleep(RETRY_MS)
      }
    }
    this.ownerId = ownerId
  }

  async giveBack(): Promise<void> {
    const { ownerId } = this
    this.ownerId = null
    if (ownerId === null || this.isOthers) return
    await this.container.resolve(Modules.LOCKING).release(this.cartId, { ownerId })
  }
}
