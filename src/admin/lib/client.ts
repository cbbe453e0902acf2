import Medusa from "@medusajs/js-sdk"

const BACKEND_URL = __BACKEND_URL__ ?? "/"
const AUTH_TYPE = __AUTH_TYPE__ ?? "session"

/** For Medusa's own routes: regions, sales channels. Signs in the way the dashboard does. */
export const sdk = new Medusa({
  baseUrl: BACKEND_URL,
  auth: { type: AUTH_TYPE, jwtTokenStorageKey: __JWT_TOKEN_STORAGE_KEY__ || undefined },
})

/** A refused or failed request to the plugin's routes. */
export class ApiError extends Error {
  /** Stable, as in the answer; `network_error` when there was none. */
  readonly code: string
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** What the sentence names, so that it can be said in another language. */
  readonly params: Record<string, unknown> | undefined

  constructor(input: {
    code: string
    status: number
    message: string
    params?: Record<string, unknown>
  }) {
    super(input.message)
    this.name = "ApiError"
    this.code = input.code
    this.status = input.status
    this.params = input.params
  }
}

type QueryValue = string | number | boolean | string[] | undefined
export type Query = Record<string, QueryValue>

function search(query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one))
  }
  const text = params.toString()
  return text ? `?${text}` : ""
}

/** A status that carries an answer, beside 2xx, and a field that the answer has: a gateway may say the same status. */
export type AlsoAnswers = { status: number; field: string }

type Init = {
  method?: "GET" | "POST" | "DELETE"
  body?: object
  query?: Query
  signal?: AbortSignal
  alsoAnswers?: AlsoAnswers
}

/** The store's own address, without a last slash. */
export const storeAddress = (): string =>
  (BACKEND_URL === "/" || BACKEND_URL === "" ? window.location.origin : BACKEND_URL).replace(
    /\/$/,
    "",
  )

/** Sends a request to `/admin/svc` and `path`, signed in as the dashboard is. */
async function request(path: string, accept: string, init: Init): Promise<Response> {
  const headers: Record<string, string> = { accept }
  if (init.body) headers["content-type"] = "application/json"
  if (AUTH_TYPE === "jwt") {
    const token = await sdk.client.getToken()
    if (token) headers.authorization = `Bearer ${token}`
  }
  const url = `${storeAddress()}/admin/svc${path}${search(init.query)}`
  return fetch(url, {
    method: init.method ?? "GET",
    headers,
    credentials: AUTH_TYPE === "session" ? "include" : "omit",
    body: init.body && JSON.stringify(init.body),
    signal: init.signal,
  }).catch((error: Error) => {
    if (error.name === "AbortError") throw error
    throw new ApiError({ code: "network_error", status: 0, message: error.message })
  })
}

type Refusal = {
  code?: string
  type?: string
  message?: string
  params?: Record<string, unknown>
}

const errorOf = (response: Response, answer: Refusal | null) =>
  new ApiError({
    code: answer?.code ?? answer?.type ?? `http_${response.status}`,
    status: response.status,
    // None of the store: a proxy answered, or a page to log in to something else.
    message: answer?.message ?? "",
    params: answer?.params,
  })

/**
 * Calls a route of the plugin. The SDK's own client is not used for this, because its errors drop the `code` of the
 * answer, and the pages say what to do by the code.
 *
 * @throws ApiError
 */
export async function svcFetch<T>(path: string, init: Init = {}): Promise<T> {
  const response = await request(path, "application/json", init)
  const answer = (await response.json().catch(() => null)) as (T & Refusal) | null
  const also = init.alsoAnswers
  const isAnswer =
    response.ok || (response.status === also?.status && Object.hasOwn(Object(answer), also.field))
  if (!isAnswer || answer === null) throw errorOf(response, answer)
  return answer
}

/**
 * All rows of a list as a CSV file.
 *
 * @throws ApiError
 */
export async function fetchCsv(path: string, query: Query): Promise<Blob> {
  const response = await request(path, "text/csv", { query })
  const isFile = response.headers.get("content-type")?.startsWith("text/csv")
  if (!response.ok || !isFile) throw errorOf(response, await response.json().catch(() => null))
  // A file that the store could not finish ends in the middle, which is an error of reading it.
  return response.blob().catch((error: Error) => {
    throw new ApiError({ code: "network_error", status: 0, message: error.message })
  })
}
