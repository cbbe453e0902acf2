import { createHash } from "node:crypto"

export type Json = Record<string, unknown>

/** A JSON object: no list, no null. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Deeper than any payload of the service. A limit, because writing JSON out again is recursive and could overflow the
 * stack.
 */
const MAX_DEPTH = 64

/**
 * The text of UTF-8 bytes, a byte order mark included, so that it is the same bytes again when it is encoded.
 *
 * @returns `undefined` when the bytes are not UTF-8
 */
export function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Parses text as one JSON value, as strictly as the interface allows (§2.5), with or without a byte order mark.
 *
 * @returns `undefined` when it is broken or nested deeper than 64. Characters that no database takes are replaced.
 */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text)
    if (isDeeperThan(value, MAX_DEPTH)) return undefined
    return MAY_NOT_BE_STORABLE.test(text) ? replaced(value) : value
  } catch {
    return undefined
  }
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false
  if (depth === 0) return true
  return Object.values(value).some((inner) => isDeeperThan(inner, depth - 1))
}

/** The one canonical text of a JSON value: keys sorted, no spaces. Equal data has an equal text. */
export function canonicalJson(value: unknown): string {
  const parts: string[] = []
  write(value, parts)
  return parts.join("")
}

/** Makes no text but the parts: a comparison of the catalog writes every product, and what it throws away is memory. */
function write(value: unknown, parts: string[]): void {
  if (typeof value === "string") {
    parts.push(quoted(value))
  } else if (Array.isArray(value)) {
    parts.push("[")
    for (let place = 0; place < value.length; place += 1) {
      if (place > 0) parts.push(",")
      write(value[place], parts)
    }
    parts.push("]")
  } else if (isObject(value)) {
    const keys = sorted(Object.keys(value))
    let separator = "{"
    for (const key of keys) {
      const inner = value[key]
      if (inner === undefined) continue
      parts.push(separator, quoted(key), ":")
      write(inner, parts)
      separator = ","
    }
    parts.push(separator === "{" ? "{}" : "}")
  } else {
    parts.push(JSON.stringify(value) ?? "null")
  }
}

/** Few keys are put in order where they are; `sort` makes copies of the list. */
const FEW_KEYS = 32

function sorted(keys: string[]): string[] {
  if (keys.length > FEW_KEYS) return keys.sort()
  for (let n = 1; n < keys.length; n += 1) {
    const key = keys[n] ?? ""
    let place = n
    for (; place > 0 && (keys[place - 1] ?? "") > key; place -= 1)
      keys[place] = keys[place - 1] ?? ""
    keys[place] = key
  }
  return keys
}

/** Characters that JSON may write as an escape. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u

/** As `JSON.stringify` writes a text, in half the time for the usual one. */
const quoted = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`)

/** SHA-256 of the canonical spelling, in hex. */
export const canonicalHash = (value: unknown): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex")

const MAY_NOT_BE_STORABLE = /\\u(0000|d[89a-f])/i

/**
 * JSON that a database takes. JSON can carry a NUL or half a surrogate pair in its escapes, and Postgres' `jsonb` and
 * `text` refuse both: they become U+FFFD, so that one such character does not lose a delivery.
 */
export function wellFormed(value: unknown): unknown {
  return MAY_NOT_BE_STORABLE.test(JSON.stringify(value) ?? "") ? replaced(value) : value
}

/** The JSON of a value, as a database takes it. */
export function storableJson(value: object): string {
  const text = JSON.stringify(value)
  return MAY_NOT_BE_STORABLE.test(text) ? JSON.stringify(replaced(value)) : text
}

function replaced(value: unknown): unknown {
  if (typeof value === "string") return storable(value)
  if (Array.isArray(value)) return value.map(replaced)
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [storable(key), replaced(inner)]),
  )
}

/** Text that a database takes, for the same reason as `wellFormed`. */
export const storable = (text: string): string =>
  text.replace(/\p{Cs}/gu, "\ufffd").replaceAll("\0", "\ufffd")
