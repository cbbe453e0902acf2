/**
 * Spaces calls out evenly: no burst that a rate limit would answer, and no wait where none is due.
 * Per process: several workers are several paces, and the service's own limit (429) is what binds them all.
 */
export class Throttle {
  #next = 0

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Milliseconds to wait before the next call; takes the place in line. */
  take(): number {
    const now = this.now()
    const at = Math.max(now, this.#next)
    this.#next = at + 1000 / this.perSecond
    return at - now
  }
}
