const THRESHOLD = 5
/** Short: a shopper waits, and one probe every few seconds is no burden. */
const OPEN_MS = 5_000

/**
 * Breaker of the price lookups of one connection, in this process. It is not the connection's breaker in the database: a
 * flood of lookups must not hold back the catalog and the orders, and a failed lookup must not lock a row.
 *
 * closed --5 failures in a row--> open for 5 s --> one probe --success--> closed
 *                                      ^-----------failure----------'
 */
export class LookupBreaker {
  #failures = 0
  #openUntil: number | null = null
  /** Of what is on sale, since the last price. */
  #refusals = 0

  /** Whether a call may be made. After the pause the first that asks is the probe; others wait for what it finds. */
  admits(now: number): boolean {
    if (this.#openUntil === null) return true
    if (this.#openUntil > now) return false
    this.#openUntil = now + OPEN_MS
    return true
  }

  /** The service answered, whatever it said. */
  succeeded(): void {
    this.#failures = 0
    this.#openUntil = null
  }

  priced(): void {
    this.succeeded()
    this.#refusals = 0
  }

  /**
   * The service refused the price of what a delivery told to be on sale. One product may have been taken off a moment ago.
   *
   * @returns whether it has refused so many in a row, and priced none between
   */
  refused(): boolean {
    this.#refusals += 1
    return this.#refusals >= THRESHOLD
  }

  /** @returns whether it is open: the calls of a while have failed, and not this one alone */
  failed(now: number): boolean {
    this.#failures += 1
    if (this.#failures < THRESHOLD) return false
    this.#openUntil = now + OPEN_MS
    return true
  }
}
