import { createHash } from "node:crypto"

/**
 * SHA-256 of a payload as canonical JSON (keys sorted, absent and `undefined` alike), so that the order in which
 * the store hands fields over never looks like a change.
 */
export const payloadHash = (payload: unknown): string =>
  createHash("sha256").update(canonical(payload)).digest("hex")

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`)
    return `{${entries.join(",")}}`
  }
  return JSON.stringify(value) ?? "null"
}
