/** From a moment until before another, in ISO 8601, as the plugin's routes take them. */
export type TimeSpan = { from?: string; to?: string }

/** Days and hours are those of the person who looks. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The beginning of a day, by the clock of the person who looks. */
export function daysAgo(days: number, now: Date = new Date()): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
}

/**
 * What the date filter of Medusa's table keeps in the address: `{"$gte": "...", "$lte": "..."}`. A last day counts
 * whole. Whatever else stands there, typed by hand, is no filter.
 */
export function readTimeSpan(value: string | null): TimeSpan {
  const { $gte, $lte } = parse(value)
  const from = dateOf($gte)
  const last = dateOf($lte)
  return {
    ...(from && { from: from.toISOString() }),
    ...(last && { to: dayAfter(last).toISOString() }),
  }
}

function parse(value: string | null): { $gte?: unknown; $lte?: unknown } {
  try {
    const parsed: unknown = JSON.parse(value ?? "")
    return typeof parsed === "object" && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

function dateOf(value: unknown): Date | undefined {
  const date = new Date(typeof value === "string" ? value : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const dayAfter = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1)
