/**
 * One way to talk to the store: publishable key, session cookie, a deadline, and errors that say
 * what kind of trouble it was.
 */

/** Where the store is and how a browser may talk to it. */
export interface StoreConnection {
  /** Address of the Medusa server, such as `https://store.example.com`. */
  baseUrl: string
  /** Publishable API key of the shop's sales channel (`pk_...`). */
  publishableKey: string
  /** Token of the signed-in customer, where the shop uses tokens rather than cookies. */
  getAuthToken?: () => string | null | undefined | Promise<string | null | undefined>
  /** How long one request, or one action of the player, may take. In ms; 15,000 by default. */
  timeoutMs?: number
}

/**
 * - `timeout`, `offline`: no answer; whether the store did the work is unknown
 * - `gone`: the thing is not there (404), or is an order by now
 * - `busy`: come back later (429, or the basket's lock is held)
 * - `rejected`: the store understood and said no (other 4xx)
 * - `broken`: the store failed (5xx), or answered what is not JSON
 */
export type StoreErrorKind = "timeout" | "offline" | "gone" | "busy" | "rejected" | "broken"

/** The store did not do what it was asked. `code` is the store's own, where it gave one. */
export class StoreError extends Error {
  override readonly name = "StoreError"

  constructor(
    readonly kind: StoreErrorKind,
    message: string,
    readonly status?: number,
    readonly code?: string,
    readonly body?: unknown,
  ) {
    super(message)
  }
}

export const DEFAULT_TIMEOUT_MS = 15_000

/** Medusa's ids. An id that came from a page or from storage must not climb out of its path. */
export const isId = (id: string): boolean => /^[A-Za-z0-9_-]+$/.test(id)

/** The path segment for an id. Throws a `gone` {@link StoreError} for what cannot be an id. */
export function idSegment(id: string): string {
  if (!isId(id)) {
    throw new StoreError("gone", "This is not an id")
  }
  return id
}

/**
 * Runs `work` under a deadline. When the time is up, or `stop` is aborted, the signal given to
 * `work` is aborted and a `timeout` {@link StoreError} is thrown, even where `work` ignores it.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const deadline = new AbortController()
  const end = () => deadline.abort()
  const timer = setTimeout(end, timeoutMs)
  stop?.addEventListener("abort", end)
  if (stop?.aborted) {
    end()
  }
  const late = new Promise<never>((_, reject) => {
    const refuse = () => reject(new StoreError("timeout", "The store did not answer in time"))
    deadline.signal.addEventListener("abort", refuse)
    if (deadline.signal.aborted) {
      refuse()
    }
  })
  try {
    return await Promise.race([work(deadline.signal), late])
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener("abort", end)
  }
}

/**
 * One request to a store route. Answers the parsed JSON body; throws {@link StoreError}.
 *
 * @param path with the leading slash and any query; ids in it have been through {@link idSegment}
 */
export function storeRequest<T>(
  store: StoreConnection,
  path: string,
  body?: unknown,
  stop?: AbortSignal,
): Promise<T> {
  return withDeadline(
    store.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    async (signal) => {
      const token = await store.getAuthToken?.()
      const response = await fetch(store.baseUrl.replace(/\/+$/, "") + path, {
        method: body === undefined ? "GET" : "POST",
        body: body === undefined ? undefined : JSON.stringify(body),
        // A customer's basket needs the customer's session, as on every store route (gap 46).
        credentials: "include",
        headers: {
          accept: "application/json",
          "x-publishable-api-key": store.publishableKey,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(token && { authorization: `Bearer ${token}` }),
        },
        signal,
      }).catch((cause: unknown) => {
        throw signal.aborted ? cause : new StoreError("offline", String(cause))
      })
      // A proxy's error page is not JSON, and a connection may die in the middle of the body.
      const parsed: unknown = await response.json().catch(() => undefined)
      if (!response.ok) {
        throw errorOf(response.status, parsed)
      }
      if (typeof parsed !== "object" || parsed === null) {
        throw new StoreError("broken", "The store's answer is not JSON", response.status)
      }
      return parsed as T
    },
    stop,
  )
}

function errorOf(status: number, body: unknown): StoreError {
  const { message, code } = (body ?? {}) as { message?: unknown; code?: unknown }
  const kind = kindOf(status, code)
  return new StoreError(
    kind,
    typeof message === "string" ? message : `The store answered ${status}`,
    status,
    typeof code === "string" ? code : undefined,
    body,
  )
}

function kindOf(status: number, code: unknown): StoreErrorKind {
  // A basket that was ordered, in another tab perhaps, can no more be filled than one that is lost.
  if (status === 404 || code === "cart_completed") {
    return "gone"
  }
  if (status === 429 || code === "cart_busy") {
    return "busy"
  }
  return status < 500 ? "rejected" : "broken"
}
