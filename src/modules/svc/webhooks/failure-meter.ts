/**
 * Counts requests that could not be verified, by address, within a minute. Over the limit they are answered 429; a
 * well-signed delivery is never asked for its address. Only memory of this process: nothing correct depends on it.
 */
const WINDOW_MS = 60_000
/** Addresses that are remembered; the oldest goes first. */
const MAX_REMEMBERED = 10_000

export class FailureMeter {
  readonly #counts = new Map<string, { failures: number; since: number }>()

  constructor(private readonly limit: number) {}

  /** @returns milliseconds until unverified requests are looked at again, 0 where they are now */
  waitMs(address: string, now: number): number {
    const known = this.#counts.get(address)
    if (!known || known.failures < this.limit) return 0
    return Math.max(0, known.since + WINDOW_MS - now)
  }

  failed(address: string, now: number): void {
    const known = this.#counts.get(address)
    if (known && now - known.since < WINDOW_MS) {
      known.failures += 1
      return
    }
    this.#counts.delete(address)
    this.#counts.set(address, { failures: 1, since: now })
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > MAX_REMEMBERED && oldest !== undefined) this.#counts.delete(oldest)
  }
}
