import { TokenBuckets } from "./token-buckets"

/** Cart actions of one basket in a minute: nobody taps as often. */
const PER_MINUTE = 120

/**
 * How many cart actions a basket may make, in this process. Nothing is counted by address: behind a storefront's own server
 * or two proxies all shoppers have one, and without a proxy anybody can name another. That is the gateway's work.
 */
export class ActionLimits {
  readonly #byCart: TokenBuckets

  /** @param perMinute of one basket */
  constructor(perMinute = PER_MINUTE) {
    this.#byCart = new TokenBuckets(Math.ceil(perMinute / 2), perMinute / 60)
  }

  /** @returns seconds to wait; 0 where the action may go on */
  take(cartId: string, now: number): number {
    return this.#byCart.take(cartId, 1, now)
  }
}
