/**
 * Reads the fields of a payload one by one, so that a field of an unexpected type costs that field and not the whole
 * delivery: a delivery that we refuse is lost for good (interface §7).
 */
import { isId } from "./ids"
import { isObject, type Json } from "./json"

/** Before the year 10000, as far as databases write dates. */
const MAX_MOMENT = 253_402_300_799_999

const DECIMAL = /^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/
const ISO_DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

export const readText = (value: unknown): string | null => {
  if (typeof value === "string") return value
  return typeof value === "number" && Number.isFinite(value) ? String(value) : null
}

/** An id: text, or a number as its text; null where no id of the service is like it (`isId`). */
export const readId = (value: unknown): string | null => {
  const text = readText(value)
  return text !== null && isId(text) ? text : null
}

/** A number, or its decimal text. */
export const readNumber = (value: unknown): number | null => {
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (typeof value !== "string" || !DECIMAL.test(value.trim())) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

export const readBoolean = (value: unknown): boolean | null => {
  const said = typeof value === "string" ? value.trim().toLowerCase() : value
  if (said === true || said === 1 || said === "true" || said === "1") return true
  if (said === false || said === 0 || said === "false" || said === "0") return false
  return null
}

/** Milliseconds since the epoch, from a number, its text, or a date in ISO 8601; null for what no calendar has. */
export const readMoment = (value: unknown): number | null => {
  const isDate = typeof value === "string" && ISO_DATE.test(value.trim())
  const ms = isDate ? Date.parse(value.trim()) : readNumber(value)
  if (ms === null || Number.isNaN(ms) || ms < 0 || ms > MAX_MOMENT) return null
  return Math.trunc(ms)
}

/** A list of texts; one text alone is a list of one. */
export const readTexts = (value: unknown): string[] | null => {
  if (Array.isArray(value)) return value.map(readText).filter((text) => text !== null)
  const text = readText(value)
  return text === null ? null : [text]
}

/** Reads the fields of one object and takes down those that are there but cannot be read. */
export class FieldReader {
  readonly #source: Json

  /**
   * @param path where the object is in the payload, for the names of `unread`
   * @param unread collects the fields that could not be read; share it between the readers of one payload
   */
  constructor(
    source: unknown,
    private readonly path = "",
    readonly unread: string[] = [],
  ) {
    this.#source = isObject(source) ? source : {}
  }

  /** @returns null where the field is absent, null or unreadable */
  get<T>(name: string, reader: (value: unknown) => T | null): T | null {
    const value = Object.hasOwn(this.#source, name) ? this.#source[name] : undefined
    if (value === undefined || value === null) return null
    const read = reader(value)
    if (read === null) this.unread.push(`${this.path}${name}`)
    return read
  }

  /** A reader of the object in a field; an empty one where there is none. */
  inside(name: string): FieldReader {
    const value = Object.hasOwn(this.#source, name) ? this.#source[name] : undefined
    if (value !== undefined && value !== null && !isObject(value)) {
      this.unread.push(`${this.path}${name}`)
    }
    return new FieldReader(value, `${this.path}${name}.`, this.unread)
  }
}

/**
 * A payload that was read. Only the ids that name its record are required; `unread` names the other fields that are
 * there but could not be read.
 */
export type PayloadReading<T> =
  | { ok: true; value: T; unread: string[] }
  | { ok: false; missing: string[] }
