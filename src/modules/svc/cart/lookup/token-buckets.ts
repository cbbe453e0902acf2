import { ShortMemory } from "../../shared/short-memory"

/** Keys kept in memory; the one that was used longest ago goes first. A full bucket needs no memory. */
const MAX_KEYS = 20_000

type Bucket = { tokens: number; at: number }

/**
 * Token buckets, one for each key (a cart, a connection): so many at once, and so many a second after that. They only protect
 * the service and this process from a flood, so they may forget, and each process has its own.
 */
export class TokenBuckets {
  readonly #buckets = new ShortMemory<Bucket>(MAX_KEYS)

  /**
   * @param usual how many at once; 0 turns the limit off
   * @param perSecond how many come back each second
   */
  constructor(
    private readonly usual: number,
    private readonly perSecond: number,
  ) {}

  /**
   * @param least how many at once for this key, where that is more than usual
   * @returns seconds until there are so many again; 0 where they were taken
   */
  take(key: string, now: number, count = 1, least = 0): number {
    if (this.usual === 0) return 0
    const capacity = Math.max(this.usual, least)
    const known = this.#buckets.get(key, now)
    const back = known ? ((now - known.at) / 1000) * this.perSecond : 0
    const tokens = Math.min(capacity, (known?.tokens ?? capacity) + Math.max(0, back))
    // Who asks for more than the bucket holds waits until it is full, not for ever.
    const needed = Math.min(count, capacity)
    const left = tokens < needed ? tokens : tokens - needed
    this.#buckets.set(key, { tokens: left, at: now }, Number.POSITIVE_INFINITY)
    return tokens < needed ? Math.ceil((needed - tokens) / this.perSecond) : 0
  }
}
