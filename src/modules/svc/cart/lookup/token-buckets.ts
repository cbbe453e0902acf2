import { ShortMemory } from "./short-memory"

/** Keys kept in memory; the one that was used longest ago goes first. A full bucket needs no memory. */
const MAX_KEYS = 20_000

type Bucket = { tokens: number; at: number }

/**
 * Token buckets, one for each key (an address, a cart): so many at once, and so many a second after that. They only protect
 * the service and this process from a flood, so they may forget, and each process has its own.
 */
export class TokenBuckets {
  readonly #buckets = new ShortMemory<Bucket>(MAX_KEYS)

  /**
   * @param capacity how many at once; 0 turns the limit off
   * @param perSecond how many come back each second
   */
  constructor(
    private readonly capacity: number,
    private readonly perSecond: number,
  ) {}

  /** @returns seconds until there are so many again; 0 where they were taken */
  take(key: string, count: number, now: number): number {
    if (this.capacity === 0) return 0
    const known = this.#buckets.get(key, now)
    const back = known ? ((now - known.at) / 1000) * this.perSecond : 0
    const tokens = Math.min(this.capacity, (known?.tokens ?? this.capacity) + Math.max(0, back))
    const enough = tokens >= Math.min(count, this.capacity)
    const left = enough ? Math.max(0, tokens - count) : tokens
    this.#buckets.set(key, { tokens: left, at: now }, Number.POSITIVE_INFINITY)
    return enough
      ? 0
      : Math.max(1, Math.ceil((Math.min(count, this.capacity) - tokens) / this.perSecond))
  }
}
