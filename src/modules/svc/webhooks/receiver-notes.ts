import { setTimeout as sleep } from "node:timers/promises"
import type { RefusalReason } from "./reasons"

/** Requests of one connection that were refused for one reason. */
export type RefusalCount = {
  connectionId: string
  reason: RefusalReason
  count: number
  /** Of the last, by `performance.now()`: what is stored runs on the database's clock. */
  at: number
  /** Of the last: our clock less `X-Svc-Timestamp`, where that is why it was refused. */
  offMs: number | null
}

/** The last that was heard of a subscriber. `skewMs`: our clock less the service's, latency included (gap 7). */
export type Heard = {
  connectionId: string
  /** By the database's clock. */
  at: Date
  skewMs: number
  /** The version of the keys whose current one verified it; null where a candidate did. */
  currentKeyVersion: number | null
  /** Whose delivery it was, by the service's id; null where it did not say so. */
  subscriberUid: string | null
}

/** Where notes are written. */
export type NotedRows = {
  refused: (counts: RefusalCount[]) => Promise<void>
  heard: (heard: Heard) => Promise<void>
}

const WRITE_EVERY_MS = 1_000
/** A write that is under way for longer holds no later one up: its connection may be dead. */
const HANGS_MS = 5_000
/** Strangers can name connections that there are not: more pairs than this within a second are not noted. */
const MAX_PAIRS = 1_000

/**
 * What the receiver notes for people: which subscribers were heard from, and what was refused. Gathered in memory and
 * written once a second: no delivery waits for it, and a flood of refusals is no flood of statements. A process that is
 * killed loses the last second.
 */
export class ReceiverNotes {
  #refusals = new Map<string, RefusalCount>()
  #heard = new Map<string, Heard>()
  #timer: NodeJS.Timeout | undefined
  #written: Promise<void> = Promise.resolve()

  constructor(private readonly rows: NotedRows) {}

  refused(count: RefusalCount): void {
    const key = `${count.reason} ${count.connectionId}`
    const known = this.#refusals.get(key)
    if (known) Object.assign(known, { ...count, count: known.count + count.count })
    else if (this.#refusals.size < MAX_PAIRS) this.#refusals.set(key, count)
    this.#later()
  }

  heard(heard: Heard): void {
    const before = this.#heard.get(heard.connectionId)
    const subscriberUid = heard.subscriberUid ?? before?.subscriberUid ?? null
    this.#heard.set(heard.connectionId, { ...heard, subscriberUid })
    this.#later()
  }

  #later(): void {
    this.#timer ??= setTimeout(() => void this.write(), WRITE_EVERY_MS).unref()
  }

  /**
   * Until all that was noted was written, or could not be, also by a write that was under way. Never rejects: what could not
   * be written is kept for the next time, as far as there is room.
   */
  async write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const [refusals, heard] = [[...this.#refusals.values()], [...this.#heard.values()]]
    this.#refusals = new Map()
    this.#heard = new Map()
    const writing = heard.map((one) =>
      this.rows.heard(one).catch(() => this.heard(this.#heard.get(one.connectionId) ?? one)),
    )
    if (refusals.length > 0) {
      const putBack = (count: RefusalCount) => {
        const later = this.#refusals.get(`${count.reason} ${count.connectionId}`)
        this.refused({ ...count, ...later, count: count.count })
      }
      writing.push(this.rows.refused(refusals).catch(() => refusals.forEach(putBack)))
    }
    const before = Promise.race([this.#written, sleep(HANGS_MS, undefined, { ref: false })])
    this.#written = Promise.all([before, ...writing]).then(() => undefined)
    await this.#written
  }
}
