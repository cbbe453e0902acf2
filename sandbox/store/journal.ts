/**
 * Every call of the service and every delivery attempt, as it went over the wire (interface §7
 * rule 1 asks for the log of requests and responses; the rest is for whoever tests against it).
 *
 * API tokens are taken out before anything is kept.
 */

import type { Endpoint } from "../contract/endpoints"
import type { LoggedBody } from "./tables"

type Message = LoggedBody & { headers: Record<string, string> }

export type JournalEntry = {
  seq: number
  direction: "in" | "out"
  at: number
  /** Real milliseconds that it took; on a stopped clock those of that clock, so that runs compare. */
  ms: number
  /** Null where the service has no such path. */
  endpoint: Endpoint | "delivery" | "player" | null
  method: string
  path: string
  page_uid: string | null
  status: number | null
  fault: string | null
  request: Message
  response: Message | null
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

  /** A place in the order for something that begins now and is added when it has ended. */
  reserve(): number {
    return ++this.seq
  }

  add(entry: Omit<JournalEntry, "seq">, seq = this.reserve()): void {
    const kept = {
      ...entry,
      request: clipped(entry.request),
      response: entry.response && clipped(entry.response),
      seq,
    }
    // Nearly always at the end, or a few places before it.
    let at = this.entries.length
    while ((this.entries[at - 1]?.seq ?? 0) > seq) at--
    this.entries.splice(at, 0, kept)
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

  /** Empty, and counting from the beginning: for a sandbox that begins anew. */
  reset(): void {
    this.clear()
    this.seq = 0
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

function clipped<M extends LoggedBody>(message: M): M {
  if (message.body.length <= KEEP_BODY) return message
  const { body_base64, ...rest } = message
  return {
    ...message,
    body: rest.body.slice(0, KEEP_BODY),
    ...(body_base64 && { body_base64: body_base64.slice(0, KEEP_BODY) }),
  }
}

function sizeOf({ request, response }: JournalEntry): number {
  return charactersOf(request) + (response ? charactersOf(response) : 0)
}

function charactersOf({ body, body_base64 }: LoggedBody): number {
  return body.length + (body_base64?.length ?? 0)
}

/** Only the scheme. A token that was sent without one is no scheme. */
const withoutToken = (text: string): string =>
  /^\S+\s+\S/.test(text) ? text.replace(/^(\S+).*$/s, "$1 ***") : "***"

/** Headers as one object, without the token. */
export function loggedHeaders(
  headers: Iterable<[string, string | string[] | number | undefined]>,
): Record<string, string> {
  const logged: Record<string, string> = {}
  for (const [name, value] of headers) {
    if (value === undefined) continue
    const key = name.toLowerCase()
    const text =
      typeof value === "string" ? value : Array.isArray(value) ? value.join(", ") : String(value)
    logged[key] = key === "authorization" ? withoutToken(text) : text
  }
  return logged
}
