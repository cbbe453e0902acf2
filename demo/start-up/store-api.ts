/** The store's admin API, as the demo's admin user. */
import { DEMO_ADMIN } from "../catalog/seed-names"

export type StoreApi = {
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

export async function logIn(storeUrl: string): Promise<StoreApi> {
  const json = { "content-type": "application/json" }
  const { token } = await call<{ token: string }>(`${storeUrl}/auth/user/emailpass`, {
    method: "POST",
    headers: json,
    body: JSON.stringify(DEMO_ADMIN),
  })
  const headers = { ...json, authorization: `Bearer ${token}` }
  return {
    get: (path) => call(`${storeUrl}${path}`, { headers }),
    post: (path, body) =>
      call(`${storeUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body ?? {}) }),
  }
}
