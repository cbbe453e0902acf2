import { refuses } from "./error-answer"
import { unwrapped } from "./layers"

/** The last two are those of webhooks. */
const LISTING_NAMES = [
  "data",
  "items",
  "results",
  "liveEvents",
  "shoppables",
  "webhooks",
  "subscribers",
]
const COUNT_NAMES = ["count", "total", "totalCount"]

/**
 * Answers of `GET /api/v1/liveEvents`, `/api/v1/shoppables` (interface §4.5) and `/api/v1/webhooks` (§4.4), whose shapes are not
 * shown: `{data: [...], count}`, a bare array, or a list under another usual name, also within the answer's `data` (gaps 13, 20).
 * `null` when it is none of these, or says that it refuses: an empty list beside that is not what there is.
 */
export function readListing(body: unknown): { entries: unknown[]; count: number | null } | null {
  if (Array.isArray(body)) return { entries: body, count: null }
  if (refuses(body)) return null
  const fields = unwrapped(body) ?? {}
  const entries = LISTING_NAMES.map((name) => fields[name]).find(Array.isArray)
  if (!entries) return null
  const count = COUNT_NAMES.map((name) => fields[name]).find(
    (value): value is number => typeof value === "number",
  )
  return { entries, count: count ?? null }
}
