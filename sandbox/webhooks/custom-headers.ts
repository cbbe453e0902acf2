/** The rules for a subscriber's own headers (interface §6.5, §8). */

import { z } from "zod"
import type { FieldError } from "../contract/errors"
import { LIMITS } from "../contract/interface"
import { type CustomHeader, customHeader } from "../contract/payloads"

const FORBIDDEN_NAMES = new Set([
  "content-type",
  "content-length",
  "host",
  "user-agent",
  "transfer-encoding",
])
const FORBIDDEN_PREFIX = "x-svc-"

const list = z.array(customHeader)
const record = z.record(z.string(), z.string())

/** Reads either form of the create request: a list of pairs, or an object (gap 13). */
export function readCustomHeaders(value: unknown): CustomHeader[] | null {
  if (value === undefined || value === null) return []
  const asList = list.safeParse(value)
  if (asList.success) return asList.data.map(({ name, value }) => ({ name, value }))
  const asRecord = record.safeParse(value)
  if (asRecord.success) {
    return Object.entries(asRecord.data).map(([name, value]) => ({ name, value }))
  }
  return null
}

/** What is wrong with them; empty where nothing is. */
export function checkCustomHeaders(headers: CustomHeader[]): FieldError[] {
  const errors: FieldError[] = []
  const say = (field: string, message: string) => errors.push({ field, message })

  if (headers.length > LIMITS.customHeaders) {
    say("customHeaders", `At most ${LIMITS.customHeaders} custom headers.`)
  }
  headers.forEach(({ name, value }, i) => {
    const field = `customHeaders.${i}`
    if (name.length < 1 || name.length > LIMITS.customHeaderName) {
      say(`${field}.name`, `1 to ${LIMITS.customHeaderName} characters.`)
    } else if (!/^[A-Za-z0-9-]+$/.test(name)) {
      say(`${field}.name`, "Letters, digits and hyphens only.")
    } else if (name.toLowerCase().startsWith(FORBIDDEN_PREFIX)) {
      say(`${field}.name`, "Must not begin with X-Svc-.")
    } else if (FORBIDDEN_NAMES.has(name.toLowerCase())) {
      say(`${field}.name`, `${name} is not allowed.`)
    }
    if (value.length < 1 || value.length > LIMITS.customHeaderValue) {
      say(`${field}.value`, `1 to ${LIMITS.customHeaderValue} characters.`)
    } else if (/[\r\n]/.test(value)) {
      say(`${field}.value`, "Must not hold CR or LF.")
    } else if (hasControlCharacter(value)) {
      // Not in §6.5, but no HTTP message can carry it.
      say(`${field}.value`, "Must not hold control characters.")
    }
  })
  return errors
}

function hasControlCharacter(value: string): boolean {
  for (const character of value) {
    const code = character.charCodeAt(0)
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) return true
  }
  return false
}

/**
 * The request's headers with the custom ones at the end; a custom header that is already there is
 * dropped, whatever its case, so that the service's own always win (interface §6.5).
 */
export function appendCustomHeaders(
  own: [string, string][],
  custom: CustomHeader[],
): [string, string][] {
  if (custom.length === 0) return own
  const taken = new Set(own.map(([name]) => name.toLowerCase()))
  const all = [...own]
  for (const { name, value } of custom) {
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    all.push([name, value])
  }
  return all
}
