import { refuses } from "./error-answer"
import { readBoolean, readNumber } from "./fields"
import { isObject } from "./json"
import { isSaid, unwrapped } from "./layers"

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
const TOTAL_NAMES = ["total", "totalCount", "total_count"]
/** The last one may be the page's own. */
const COUNT_NAMES = [...TOTAL_NAMES, "count"]
const MORE_NAMES = ["hasMore", "has_more", "hasNextPage", "has_next_page"]
const NEXT_NAMES = ["next", "nextCursor", "next_cursor", "nextPage", "next_page"]
/** Where else an answer may count and say whether there is more. */
const PAGING_NAMES = ["meta", "pagination", "paging", "pageInfo", "page_info", "links"]

/** A list, how many there are in all, and whether there is more than it has; null where it does not say so. */
export type Listing = { entries: unknown[]; count: number | null; more: boolean | null }

/**
 * Answers of `GET /api/v1/liveEvents`, `/api/v1/shoppables` (interface §4.5) and `/api/v1/webhooks` (§4.4), whose shapes are not
 * shown: `{data: [...], count}`, a bare array, or a list under another usual name, also within the answer's `data` (gaps 13, 20).
 * `null` when it is none of these, or says that it refuses: an empty list beside that is not what there is.
 */
export function readListing(body: unknown): Listing | null {
  if (Array.isArray(body)) return { entries: body, count: null, more: null }
  if (refuses(body)) return null
  const fields = unwrapped(body) ?? {}
  const entries = LISTING_NAMES.map((name) => fields[name]).find(Array.isArray)
  if (!entries) return null
  const places = [fields, ...PAGING_NAMES.map((name) => fields[name]).filter(isObject)]
  const saidOf = (names: string[]) =>
    names.flatMap((name) => places.map((place) => place[name])).filter(isSaid)
  const numbersOf = (names: string[]) => saidOf(names).flatMap((value) => readNumber(value) ?? [])
  const [count = null] = numbersOf(COUNT_NAMES)
  const [more = null] = saidOf(MORE_NAMES).flatMap((value) => readBoolean(value) ?? [])
  const hasNext = saidOf(NEXT_NAMES).length > 0 || null
  const isAll = numbersOf(TOTAL_NAMES)[0] === entries.length
  return { entries, count, more: more ?? hasNext ?? (isAll ? false : null) }
}
