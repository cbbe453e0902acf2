import type { RefusalReason } from "./reasons"

/** One refused request, without its body. */
export type RefusalSample = {
  /** ISO 8601. */
  at: string
  address: string
  user_agent: string | null
  content_type: string | null
  /** What came, or was announced; null where neither is known. */
  bytes: number | null
  /** Our clock less `X-Svc-Timestamp`; only where that could be read. */
  off_ms: number | null
}

/** Requests of one connection that were refused for one reason. */
export type RefusalCount = {
  connectionId: string
  reason: RefusalReason
  count: number
  /** Newest first. */
  samples: RefusalSample[]
}

/** Samples kept for each connection and reason. */
export const KEPT_SAMPLES = 5
/** Strangers can name connections that there are not: more pairs than this within a second are only counted. */
const MAX_PAIRS = 1_000

/**
 * Gathers refusals in memory, to be written once a second: a flood of them must not become a flood of statements. Pure;
 * the admission writes what it takes from here.
 */
export class RefusalLog {
  #counts = new Map<string, RefusalCount>()

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }

  note(connectionId: string, reason: RefusalReason, sample: RefusalSample): void {
    const key = `${reason} ${connectionId}`
    const known = this.#counts.get(key)
    if (known) {
      known.count += 1
      known.samples = [sample, ...known.samples].slice(0, KEPT_SAMPLES)
    } else if (this.#counts.size < MAX_PAIRS) {
      this.#counts.set(key, { connectionId, reason, count: 1, samples: [sample] })
    }
  }

  /** Takes everything out. */
  take(): RefusalCount[] {
    const counts = [...this.#counts.values()]
    this.#counts = new Map()
    return counts
  }

  /** Puts back what could not be written. */
  putBack(counts: RefusalCount[]): void {
    for (const { connectionId, reason, count, samples } of counts) {
      const key = `${reason} ${connectionId}`
      const known = this.#counts.get(key)
      if (known) {
        known.count += count
        known.samples = [...known.samples, ...samples].slice(0, KEPT_SAMPLES)
      } else if (this.#counts.size < MAX_PAIRS) {
        this.#counts.set(key, { connectionId, reason, count, samples })
      }
    }
  }
}
