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

  /** Whether a call may be made. After the pause the first that asks is the probe; others wait for what it finds. */
  admits(now: number): boolean {
    if (this.#openUntil === null) return true
    if (this.#openUntil > now) return false
    this.#openUntil = now + OPEN_MS
    return true
  }

  succeeded(): void {
    this.#failures = 0
    this.#openUntil = null
  }

  /** @returns whether it is open: the calls of a while have failed, and not this one alone */
  failed(now: number): boolean {
    this.#failures += 1
    if (this.#failures < THRESHOLD) return false
    this.#openUntil = now + OPEN_MS
    return true
  }
}
