/**
 * Holds every answer that a test of the sandbox gets over HTTP against the OpenAPI document: a field
 * that is missing, of another type or not documented fails the test, and so does a status that no
 * document names.
 *
 * Profiles and faults make the service answer in other shapes on purpose. From the moment a test sets
 * one, until it starts over, only the control API is looked at, and not that either where payloads
 * carry unknown fields.
 */

import Ajv2020, { type ValidateFunction } from "ajv/dist/2020"

type Json = { [key: string]: unknown }
type Answered = { content?: { "application/json"?: { schema: { $ref: string } } } }
type Operation = { "x-own"?: boolean; responses: Record<string, Answered> }
export type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<
    string,
    {
      post: {
        security: unknown
        parameters: { name: string; required: boolean }[]
        requestBody: { content: { "application/json": { schema: { $ref: string } } } }
      }
    }
  >
  components: { schemas: Record<string, Json> }
}

/** `GET /path/{id}` of every right answer that was looked at. */
export const seen = new Set<string>()

const drift: string[] = []
/** Where a profile or a fault is set, and where payloads carry fields that no document names. */
const strange = new Set<string>()
const unknown = new Set<string>()
const origins = new Set<string>()
let reading: Promise<Documented> | undefined

afterEach(() => {
  expect(drift.splice(0)).toEqual([])
})

/** Looks at every answer of the sandbox at `origin` from now on. */
export function watch(origin: string): void {
  if (reading) {
    origins.add(origin)
    return
  }
  const { fetch } = globalThis
  reading = fetch(`${origin}/_sandbox/openapi.json`)
    .then((response) => response.json())
    .then((document) => new Documented(document as Document))
  origins.add(origin)
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    const url = new URL(input instanceof Request ? input.url : input)
    const method = (init?.method ?? "GET").toUpperCase()
    if (!origins.has(url.origin)) return response
    const { pathname } = url
    if (method === "POST" && /^\/_sandbox\/(faults|profiles|restore)$/.test(pathname)) {
      strange.add(url.origin)
      if (String(init?.body).includes('"unknowns"')) unknown.add(url.origin)
    }
    if (method === "POST" && pathname === "/_sandbox/reset") {
      strange.delete(url.origin)
      unknown.delete(url.origin)
    }
    const ours = pathname.startsWith("/_sandbox/") && !unknown.has(url.origin)
    // A stream of events has no end to be read to.
    const isStream = response.headers.get("content-type") === "text/event-stream"
    if (!isStream && (ours || !strange.has(url.origin))) {
      const text = await response.clone().text()
      const problem = (await reading)?.problem(method, pathname, response.status, text)
      if (problem) drift.push(problem)
    }
    return response
  }
}

export class Documented {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true })
  private readonly checks = new Map<string, ValidateFunction>()
  private readonly operations: { method: string; path: string; pattern: RegExp; is: Operation }[]

  constructor(readonly document: Document) {
    this.ajv.addSchema({ $id: "doc", components: closed(document.components) as Json })
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, is]) => ({
        method: method.toUpperCase(),
        path,
        pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
        is,
      })),
    )
  }

  /** What is not as documented; null where all is, or where the document has no such call. */
  problem(method: string, pathname: string, status: number, text: string): string | null {
    const found = this.operations.find((one) => one.method === method && one.pattern.test(pathname))
    if (!found) return null
    const { is, path } = found
    const name = `${method} ${path} ${status}`
    const answer = is.responses[status] ?? is.responses[`${String(status)[0]}XX`]
    if (!answer) return `${name}: no such status`
    if (status < 300) seen.add(`${method} ${path}`)
    const $ref = answer.content?.["application/json"]?.schema.$ref
    if ($ref === undefined) return text === "" ? null : `${name}: a body, though there is none`
    const problems = this.problemsOf($ref, json(text))
    return problems.length > 0 ? `${name}: ${problems.join("; ")}` : null
  }

  problemsOf($ref: string, value: unknown): string[] {
    let check = this.checks.get($ref)
    if (!check) {
      check = this.ajv.compile({ $ref: `doc${$ref}` })
      this.checks.set($ref, check)
    }
    if (check(value)) return []
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}

/** The document leaves room for fields of later versions; a test knows that there are none yet. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== "object" || value === null) return value
  const copy: Json = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, closed(inner)]),
  )
  const isShape = typeof copy.properties === "object" && copy.type === "object"
  if (isShape && !("additionalProperties" in copy)) copy.additionalProperties = false
  return copy
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
