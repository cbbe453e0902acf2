/** The body of a delivery (interface §2.5) and its bytes. */

import type { Envelope } from "../contract/payloads"
import type { ProfileValue } from "../simulation/profiles"

export type BodyFormat = ProfileValue<"body_format">

/**
 * The envelope as JSON text. `data` goes in as the text that was fixed when the change happened, so
 * that every attempt carries the same business data (interface §6.1).
 */
export function serialize(
  envelope: Omit<Envelope, "data" | "metadata"> & { metadata: Partial<Envelope["metadata"]> },
  data: string,
  format: BodyFormat,
): string {
  const head = JSON.stringify(envelope)
  const compact = `${head.slice(0, -1)},"data":${data}}`
  return format === "compact" ? compact : reformat(compact, format)
}

/** The same JSON in other bytes: only a receiver that signs the raw body will accept them. */
function reformat(json: string, format: Exclude<BodyFormat, "compact">): string {
  if (format === "escaped") return escapeNonAscii(json)
  const indented = JSON.stringify(JSON.parse(json), null, 2)
  return format === "pretty" ? indented : `${indented.replace(/\n\s*/g, " ")}\r\n`
}

/** The same JSON in ASCII alone. */
export function escapeNonAscii(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
