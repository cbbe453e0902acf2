/**
 * The journal's query language: terms that must all hold.
 *
 * ```
 * query  = term*                     "" finds everything
 * term   = "-"? (field ":" value | word)
 * field  = name ("." name)*          request.body.products.0.id reads into a JSON body
 * value  = text | "text with spaces" | value "," value | (">" | ">=" | "<" | "<=") number
 * ```
 *
 * Texts are compared whole, without regard to case, and `*` stands for anything. A word alone is
 * looked for in the path and the bodies.
 */

import { SandboxError } from "../contract/errors"
import { wildcard } from "../contract/wildcard"
import type { EntryFilter, JournalEntry } from "./journal"

/** @throws SandboxError 400 `invalid_query` */
export function parseQuery(query: string): EntryFilter {
  const predicates = tokens(query).map(parseTerm)
  return (entry) => predicates.every((holds) => holds(entry))
}

type Token = { negated: boolean; field: string | null; values: string[] }

const TERM = /(-)?(?:([A-Za-z0-9_.-]+):)?((?:"(?:[^"\\]|\\.)*"|[^\s"])+)(?=\s|$)/y

function tokens(query: string): Token[] {
  const found: Token[] = []
  let at = 0
  while (at < query.length) {
    if (/\s/.test(query.charAt(at))) {
      at++
      continue
    }
    TERM.lastIndex = at
    const match = TERM.exec(query)
    if (!match?.[3]) {
      throw new SandboxError(400, "invalid_query", `Cannot read the query at "${query.slice(at)}".`)
    }
    found.push({ negated: Boolean(match[1]), field: match[2] ?? null, values: split(match[3]) })
    at = TERM.lastIndex
  }
  return found
}

/** At commas outside quotes; quotes are taken off. */
function split(text: string): string[] {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []
  return parts.map((part) =>
    part.replace(/"((?:[^"\\]|\\.)*)"/g, (_, s: string) => s.replace(/\\(.)/g, "$1")),
  )
}

const FIELDS: (string & keyof JournalEntry)[] = [
  ...([
    "seq",
    "direction",
    "at",
    "ms",
    "endpoint",
    "method",
    "path",
    "page_uid",
    "status",
  ] as const),
  ...(["fault", "request", "response", "topic", "subscriber_uid", "event_uid"] as const),
  ...(["delivery_uid", "attempt", "outcome"] as const),
]
const IN_MESSAGES = ["headers", "body", "body_base64"]

/** A misspelt field would match nothing, or with "-" everything, and look as if it had been asked. */
function refuseUnknownField(field: string): void {
  const [head = "", part, ...rest] = field.split(".")
  const isMessage = head === "request" || head === "response"
  const known = isMessage
    ? part === undefined ||
      (IN_MESSAGES.includes(part) && (rest.length === 0 || part !== "body_base64"))
    : FIELDS.some((name) => name === head) && part === undefined
  if (known) return
  const messages = IN_MESSAGES.map((name) => `request.${name}`).join(", ")
  throw new SandboxError(
    400,
    "invalid_query",
    `No entry has a field "${field}". They have ${FIELDS.join(", ")}; with ${messages} and the same of the response. A text with a colon is put in quotes.`,
  )
}

function parseTerm({ negated, field, values }: Token): EntryFilter {
  if (field) refuseUnknownField(field)
  const tests = values.map((value) => (field ? comparison(value) : null))
  const holds: EntryFilter = field
    ? (entry) => {
        const value = read(entry, field)
        return tests.some((test) => test?.(value))
      }
    : (entry) => values.some((word) => haystack(entry).includes(word.toLowerCase()))
  return negated ? (entry) => !holds(entry) : holds
}

function comparison(value: string): (actual: unknown) => boolean {
  const order = /^(>=|<=|>|<)(-?\d+(?:\.\d+)?)$/.exec(value)
  if (order) {
    const bound = Number(order[2])
    return (actual) => {
      const number = typeof actual === "number" ? actual : Number.parseFloat(String(actual))
      if (order[1] === ">") return number > bound
      if (order[1] === ">=") return number >= bound
      return order[1] === "<" ? number < bound : number <= bound
    }
  }
  const pattern = wildcard(value, "i")
  return (actual) => {
    if (actual === undefined) return false
    if (actual === null) return value === "null"
    return pattern.test(typeof actual === "object" ? JSON.stringify(actual) : String(actual))
  }
}

function read(entry: JournalEntry, field: string): unknown {
  const [head, ...rest] = field.split(".")
  if ((head === "request" || head === "response") && rest[0] === "body" && rest.length > 1) {
    return dig(json(entry[head]?.body), rest.slice(1))
  }
  if ((head === "request" || head === "response") && rest[0] === "headers") {
    return dig(entry[head]?.headers, [rest.slice(1).join(".").toLowerCase()])
  }
  return dig(entry, [head ?? "", ...rest])
}

function dig(value: unknown, path: string[]): unknown {
  let at = value
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<string, unknown>)[step]
  }
  return at
}

function json(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function haystack(entry: JournalEntry): string {
  return `${entry.path}\n${entry.request.body}\n${entry.response?.body ?? ""}`.toLowerCase()
}
