import { useSearchParams } from "react-router-dom"
import type { Query } from "../lib/client"
import { readTimeSpan } from "../lib/time-span"

export const PAGE_SIZE = 20

type TableQuery = {
  pageSize?: number
  filters?: readonly string[]
  /** The table's date filter; it is asked for as `from` and `to`. */
  span?: string
  /** The order that a list has before a person chooses one. */
  order?: string
}

function readFilter(value: string): string[] {
  try {
    const parsed: unknown = JSON.parse(value)
    return [parsed].flat().map(String)
  } catch {
    return [value]
  }
}

/** What the table's part of the address asks for, as the plugin's lists take it. */
export function useTableQuery({
  pageSize = PAGE_SIZE,
  filters = [],
  span,
  order,
}: TableQuery): Query {
  const [params] = useSearchParams()
  const query: Query = {
    limit: pageSize,
    offset: Number(params.get("offset")) || 0,
    order: params.get("order") ?? order,
    q: params.get("q") || undefined,
    ...(span && readTimeSpan(params.get(span))),
  }
  for (const name of filters) {
    const value = params.get(name)
    const chosen = value ? readFilter(value) : []
    if (chosen.length > 0) query[name] = chosen
  }
  return query
}
