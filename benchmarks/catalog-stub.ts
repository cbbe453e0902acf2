/**
 * Takes every product and remembers how many came, and when: a process of its own, so that its work is not counted. It
 * is a service (`POST /<market>/products`) for us and a search engine for the peer (`catalog-peer.ts`), and as quick for
 * one as for the other. `GET /seen?at=<market>` answers what came there, and with `&forget` begins anew.
 */
import { createServer } from "node:http"

export type Seen = {
  calls: number
  products: number
  /** Ms since the epoch of the first and the last call; 0 before. */
  first: number
  last: number
  /** When each name that begins with "Change" first came. */
  arrived: Record<string, number>
}

const seen = new Map<string, Seen>()
const indexes = new Map<string, number>()
let tasks = 0

function at(place: string): Seen {
  const known = seen.get(place) ?? { calls: 0, products: 0, first: 0, last: 0, arrived: {} }
  seen.set(place, known)
  return known
}

function took(place: string, products: { name?: string }[]): void {
  const known = at(place)
  const now = Date.now()
  known.calls += 1
  known.products += products.length
  known.first ||= now
  known.last = now
  for (const { name } of products) {
    if (name?.startsWith("Change")) known.arrived[name] ??= now
  }
}

const enqueued = (indexUid: string) => ({
  taskUid: ++tasks,
  indexUid,
  status: "enqueued",
  type: "documentAdditionOrUpdate",
  enqueuedAt: new Date().toISOString(),
})
const index = (uid: string) => ({
  uid,
  primaryKey: "id",
  createdAt: new Date(0).toISOString(),
  updatedAt: new Date(0).toISOString(),
})

/** What a search engine answers whose tasks are done at once. */
function engine(method: string, path: string, body: unknown): { status: number; answer: unknown } {
  const [kind = "", uid = "", what = ""] = path.split("/")
  if (kind === "tasks") {
    const done = { status: "succeeded", error: null, finishedAt: new Date().toISOString() }
    return { status: 200, answer: { ...enqueued("products"), uid: Number(uid), ...done } }
  }
  if (kind === "stats") {
    const counts = [...indexes].map(([name, numberOfDocuments]) => [
      name,
      { numberOfDocuments, isIndexing: false, fieldDistribution: {} },
    ])
    return { status: 200, answer: { databaseSize: 0, indexes: Object.fromEntries(counts) } }
  }
  if (kind === "multi-search") {
    const total = [...indexes.values()].reduce((sum, count) => sum + count, 0)
    const result = { hits: [], estimatedTotalHits: total, totalHits: total, processingTimeMs: 0 }
    return { status: 200, answer: { results: [result] } }
  }
  if (kind !== "indexes") return { status: 404, answer: {} }
  if (uid === "" && method === "POST") {
    const name = (body as { uid: string }).uid
    indexes.set(name, 0)
    return { status: 202, answer: enqueued(name) }
  }
  if (uid === "") {
    const results = [...indexes.keys()].map(index)
    return { status: 200, answer: { results, offset: 0, limit: 1_000, total: results.length } }
  }
  if (what === "documents" && method === "POST") {
    const documents = body as unknown[]
    indexes.set(uid, (indexes.get(uid) ?? 0) + documents.length)
    took(
      "peer",
      documents.map(() => ({})),
    )
    return { status: 202, answer: enqueued(uid) }
  }
  if (method !== "GET") return { status: 202, answer: enqueued(uid) }
  if (indexes.has(uid)) return { status: 200, answer: index(uid) }
  const error = { message: "Not found", code: "index_not_found", type: "invalid_request", link: "" }
  return { status: 404, answer: error }
}

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const url = new URL(request.url ?? "/", "http://stub")
    const path = url.pathname.slice(1)
    const send = (status: number, answer: unknown) => {
      response.writeHead(status, { "content-type": "application/json" })
      response.end(JSON.stringify(answer))
    }
    if (path === "seen") {
      const place = url.searchParams.get("at") ?? ""
      send(200, at(place))
      if (url.searchParams.has("forget")) seen.delete(place)
      return
    }
    const text = Buffer.concat(chunks).toString()
    const body: unknown = text ? JSON.parse(text) : {}
    if (path.startsWith("peer/")) {
      const { status, answer } = engine(request.method ?? "GET", path.slice("peer/".length), body)
      return send(status, answer)
    }
    const [market = "", endpoint] = path.split("/")
    if (endpoint === "products") took(market, (body as { products: { name: string }[] }).products)
    send(200, {})
  })
}).listen(Number(process.env.PORT), "127.0.0.1")
