/**
 * Counts requests that could not be verified, by address and by connection, within a minute. Over the limit they are
 * answered 429 and cost no look at the database; a well-signed delivery is never asked for its address. Only memory of
 * this process: nothing correct depends on it.
 */
export type FailureLimits = { perAddress: number; perConnection: number }

const WINDOW_MS = 60_000
/** Addresses, and connections, that are remembered; the oldest goes first. */
const MAX_REMEMBERED = 10_000

type Count = { failures: number; since: number }

export class FailureMeter {
  readonly #addresses = new Map<string, Count>()
  readonly #connections = new Map<string, Count>()

  constructor(private readonly limits: FailureLimits) {}

  /** @returns milliseconds until unverified requests are looked at again, 0 where they are now */
  waitMs(address: string, connectionId: string, now: number): number {
    return Math.max(
      restOf(this.#addresses.get(address), this.limits.perAddress, now),
      restOf(this.#connections.get(connectionId), this.limits.perConnection, now),
    )
  }

  failed(address: string, connectionId: string, now: number): void {
    count(this.#addresses, address, now)
    count(this.#connections, connectionId, now)
  }
}

const restOf = (known: Count | undefined, limit: number, now: number): number => {
  if (!known || known.failures < limit) return 0
  return Math.max(0, known.since + WINDOW_MS - now)
}

function count(counts: Map<string, Count>, key: string, now: number): void {
  const known = counts.get(key)
  if (known && now - known.since < WINDOW_MS) {
    known.failures += 1
    return
  }
  counts.delete(key)
  counts.set(key, { failures: 1, since: now })
  if (counts.size <= MAX_REMEMBERED) return
  for (const oldest of counts.keys()) {
    counts.delete(oldest)
    return
  }
}
