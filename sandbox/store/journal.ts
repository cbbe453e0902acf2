/**
 * Every call of the service and every delivery attempt, as it went over the wire (interface §7
 * rule 1 asks for the log of requests and responses; the rest is for whoever tests against it).
 *
 * API tokens are taken out before anything is kept.
 */

import type { Endpoint } from "../contract/endpoints"

export type JournalEntry = {
  seq: number
  direction: "in" | "out"
  at: number
  /** Real milliseconds that it took. */
  ms: number
  /** null where the service has no such path. */
  endpoint: Endpoint | "delivery" | null
  method: string
  path: string
  page_uid: string | null
  status: number | null
  fault: string | null
  request: { headers: Record<string, string>; body: string }
  response: { headers: Record<string, string>; body: string } | null
  topic: string | null
  subscriber_uid: string | null
  event_uid: string | null
  delivery_uid: string | null
  attempt: number | null
  outcome: string | null
}

export type EntryFilter = (entry: JournalEntry) => boolean

const KEEP_ENTRIES = 20_000
/** An import of a large catalog is thousands of calls of 100 kB: their bodies must not pile up. */
const KEEP_CHARACTERS = 64 * 1024 * 1024
const KEEP_BODY = 256 * 1024

export class Journal {
  private entries: JournalEntry[] = []
  private characters = 0
  private seq = 0
  private readonly listeners = new Set<() => void>()

  add(entry: Omit<JournalEntry, "seq">): void {
    const kept = {
      ...entry,
      request: clipped(entry.request),
      response: entry.response && clipped(entry.response),
      seq: ++this.seq,
    }
    this.entries.push(kept)
    this.characters += sizeOf(kept)
    // A tenth at once: moving the whole list for each call would cost more than the call itself.
    if (this.entries.length > KEEP_ENTRIES * 1.1 || this.characters > KEEP_CHARACTERS * 1.1) {
      this.forgetOldest()
    }
    for (const listener of this.listeners) listener()
  }

  find(matches: EntryFilter): JournalEntry[] {
    return this.entries.filter(matches)
  }

  clear(): void {
    this.entries = []
    this.characters = 0
  }

  private forgetOldest(): void {
    let first = 0
    for (; first < this.entries.length - 1; first++) {
      const left = this.entries.length - first
      if (left <= KEEP_ENTRIES && this.characters <= KEEP_CHARACTERS) break
      const oldest = this.entries[first]
      if (oldest) this.characters -= sizeOf(oldest)
    }
    this.entries = this.entries.slice(first)
  }

  /** Resolves as soon as `count` entries match, or after `timeoutMs` with those that there are. */
  async wait(matches: EntryFilter, count: number, timeoutMs: number): Promise<JournalEntry[]> {
    const found = () => this.entries.filter(matches)
    if (found().length >= count) return found()
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        this.listeners.delete(look)
        resolve(found())
      }
      const look = () => {
        if (found().length >= count) finish()
      }
      const timer = setTimeout(finish, timeoutMs)
      this.listeners.add(look)
    })
  }
}

function clipped(message: { headers: Record<string, string>; body: string }) {
  if (message.body.length <= KEEP_BODY) return message
  return { ...message, body: message.body.slice(0, KEEP_BODY) }
}

function sizeOf({ request, response }: JournalEntry): number {
  return request.body.length + (response?.body.length ?? 0)
}

/** Headers as one object, without the token. */
export function loggedHeaders(
  headers: Iterable<[string, string | string[] | number | undefined]>,
): Record<string, string> {
  const logged: Record<string, string> = {}
  for (const [name, value] of headers) {
    if (value === undefined) continue
    const key = name.toLowerCase()
    const text = Array.isArray(value) ? value.join(", ") : String(value)
    logged[key] = key === "authorization" ? text.replace(/^(\S+).*$/s, "$1 ***") : text
  }
  return logged
}
