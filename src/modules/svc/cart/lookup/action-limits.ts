import { TokenBuckets } from "./token-buckets"

/** A household or an office behind one address. */
const BASKETS_PER_ADDRESS = 20

/** How many cart actions a basket and an address may make, in this process. */
export class ActionLimits {
  readonly #byCart: TokenBuckets
  readonly #byAddress: TokenBuckets

  /** @param perMinute of one basket; 0: any number */
  constructor(perMinute: number) {
    const each = (factor: number) =>
      new TokenBuckets(Math.ceil((perMinute * factor) / 2), (perMinute * factor) / 60)
    this.#byCart = each(1)
    this.#byAddress = each(BASKETS_PER_ADDRESS)
  }

  /** @returns seconds to wait; 0 where the action may go on */
  take(cartId: string, address: string | null, now: number): number {
    const ofAddress = address === null ? 0 : this.#byAddress.take(address, 1, now)
    return Math.max(ofAddress, this.#byCart.take(cartId, 1, now))
  }
}
