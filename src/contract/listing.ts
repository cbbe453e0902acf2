const LISTING_NAMES = ["data", "items", "results", "liveEvents", "shoppables"]
const COUNT_NAMES = ["count", "total", "totalCount"]

/**
 * Answers of `GET /api/v1/liveEvents` and `/api/v1/shoppables` (interface §4.5), whose shapes are not shown:
 * `{data: [...], count}`, a bare array, or a list under another usual name (gap 20). `null` when it is neither.
 */
export function readListing(body: unknown): { entries: unknown[]; count: number | null } | null {
  if (Array.isArray(body)) return { entries: body, count: null }
  if (typeof body !== "object" || body === null) return null
  const members = new Map<string, unknown>(Object.entries(body))
  const entries = LISTING_NAMES.map((name) => members.get(name)).find(Array.isArray)
  if (!entries) return null
  const count = COUNT_NAMES.map((name) => members.get(name)).find(
    (value): value is number => typeof value === "number",
  )
  return { entries, count: count ?? null }
}
