/** Addresses after the hash: `#/shows/ev_1?tab=links`. */

/** @returns {{ path: string[], query: Record<string, string> }} */
export function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?")
  return {
    path: path.split("/").filter(Boolean).map(decodeURIComponent),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** @param {string[]} path @param {Record<string, string | undefined>} [query] */
export function href(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value)
  const text = new URLSearchParams(given).toString()
  return `#/${path.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`
}

export const go = (...address) => {
  location.hash = href(...address)
}

/** Changes the query without a new entry in the history: for search fields. */
export function replaceQuery(query) {
  history.replaceState(null, "", href(route().path, query))
  dispatchEvent(new HashChangeEvent("hashchange"))
}
