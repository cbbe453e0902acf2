/** Addresses after the hash: `#/shows/ev_1?tab=links`. */

export type Query = Record<string, string | undefined>
export type Address = { path: string[]; query: Query }

export function route(): Address {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?")
  return {
    path: path.split("/").filter(Boolean).map(decodeURIComponent),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

export function href(path: string[], query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) params.set(name, value)
  const text = params.toString()
  return `#/${path.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`
}

export function go(path: string[], query?: Query): void {
  location.hash = href(path, query)
}

/** Changes the query without a new entry in the history: for search fields. */
export function replaceQuery(query: Query): void {
  history.replaceState(null, "", href(route().path, query))
  dispatchEvent(new HashChangeEvent("hashchange"))
}
