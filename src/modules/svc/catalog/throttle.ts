/**
 * Spaces calls out evenly: no burst that a rate limit would answer, and no wait where none is due. It works per
 * process: several workers call several times as often, until the service's own limit (429) slows them.
 */
export class Throttle {
  #next = 0

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Milliseconds to wait before the next call. Each answer reserves a slot of its own. */
  take(): number {
    const now = this.now()
    const at = Math.max(now, this.#next)
    this.#next = at + 1000 / this.perSecond
    return at - now
  }
}
