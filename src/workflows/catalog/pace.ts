/**
 * Spaces calls out evenly: no burst that a rate limit would answer, and no wait where none is due.
 * Per process: several workers are several paces, and the service's own limit (429) is what binds them all.
 */
export class Pace {
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

/** How many products go in one call: halved when a call is too large or too slow, grown back slowly (gap 22). */
export class BatchSize {
  #current: number

  constructor(private readonly limit: number) {
    this.#current = limit
  }

  get current(): number {
    return this.#current
  }

  shrink(): void {
    this.#current = Math.max(1, Math.floor(this.#current / 2))
  }

  grow(): void {
    this.#current = Math.min(this.limit, this.#current + 1 + Math.floor(this.#current / 10))
  }
}
