/** The store's API, as the demo's admin user or as a shopper, and the sandbox's control API. */
import { DEMO_ADMIN } from "../catalog/seed-names"

export type StoreApi = {
  /** Where it is. */
  url: string
  get: <T>(path: string) => Promise<T>
  post: <T>(path: string, body?: unknown) => Promise<T>
}

export class StoreApiError extends Error {
  constructor(
    readonly status: number,
    path: string,
    answer: string,
  ) {
    super(`${path} answered ${status}: ${answer.slice(0, 300)}`)
  }
}

async function call<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
  const text = await response.text()
  if (!response.ok) throw new StoreApiError(response.status, new URL(url).pathname, text)
  return (text ? JSON.parse(text) : undefined) as T
}

/** @param headers  who asks */
export function apiAt(url: string, headers: Record<string, string> = {}): StoreApi {
  return {
    url,
    get: (path) => call(url + path, { headers }),
    post: (path, body = {}) =>
      call(url + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
  }
}

export async function logIn(storeUrl: string): Promise<StoreApi> {
  const { token } = await apiAt(storeUrl).post<{ token: string }>(
    "/auth/user/emailpass",
    DEMO_ADMIN,
  )
  return apiAt(storeUrl, { authorization: `Bearer ${token}` })
}

/** A call of the sandbox's control API; without a body it reads. */
export function control<T>(sandboxUrl: string, path: string, body?: unknown): Promise<T> {
  const sandbox = apiAt(`${sandboxUrl}/_sandbox`)
  return body === undefined ? sandbox.get<T>(path) : sandbox.post<T>(path, body)
}
