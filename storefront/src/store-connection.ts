/**
 * One way to talk to the store: publishable key, session cookie, a deadline, and errors that say
 * what kind of trouble it was.
 */

import { defaultMessages } from "./messages.ts"

type Getter = () => string | null | undefined | Promise<string | null | undefined>

/** Where the store is and how a browser may talk to it. */
export interface StoreConnection {
  /** Address of the Medusa server, such as `https://store.example.com`. */
  baseUrl: string
  /** Publishable API key of the shop's sales channel (`pk_...`). */
  publishableKey: string
  /** Token of the signed-in customer, where the shop uses tokens rather than cookies. */
  getAuthToken?: Getter
  /**
   * What the store is to speak to the shopper where the cart has no locale, as `Accept-Language` says it (`da`, `de-AT, en`).
   * By default the browser's languages; a server, which has none, hands on the shopper's.
   */
  language?: string | Getter | undefined
  /** How long one request, or one action of the player, may take. In ms; 15,000 by default (60,000 for a payment and an order). */
  timeoutMs?: number
}

/**
 * - `timeout`, `offline`: no answer; whether the store did the work is unknown
 * - `gone`: the store says that the thing is not there, or is an order by now
 * - `busy`: come back later (429, or the cart's lock is held)
 * - `rejected`: the store understood and said no (other 4xx)
 * - `broken`: the store failed (5xx), or answered what is not JSON
 */
export type StoreErrorKind = "timeout" | "offline" | "gone" | "busy" | "rejected" | "broken"

/** The store did not do what it was asked. */
export class StoreError extends Error {
  declare readonly kind: StoreErrorKind
  declare readonly status: number | undefined
  /** The store's own code, where it gave one. */
  declare readonly code: string | undefined
  /** What the store answered. */
  declare readonly body: unknown

  /** The message is the store's own, else a sentence that a shopper may read. */
  constructor(kind: StoreErrorKind, status?: number, body?: unknown) {
    const { message = defaultMessages[kind], code } = fieldsOf(body)
    super(String(message))
    Object.assign(this, { name: "StoreError", kind, status, code, body })
  }
}

/** An empty object where it is none. */
export const fieldsOf = (value: unknown): Record<string, unknown> => Object(value)

const DEFAULT_TIMEOUT_MS = 15_000

/** Medusa's ids. An id that came from a page or from storage must not climb out of its path. */
export const isId = (id: string | null | undefined): id is string => /^[\w-]+$/.test(id ?? "")

/** The path of a cart's route. Throws a `gone` {@link StoreError} for what cannot be an id. */
export function cartPath(id: string | null | undefined, route = ""): string {
  if (!isId(id)) throw new StoreError("gone")
  return `/store/carts/${id}${route}`
}

/**
 * Runs `work` under a deadline. When the time is up, or `stop` is aborted, the signal given to
 * `work` is aborted and a `timeout` {@link StoreError} is thrown, even where `work` ignores it.
 */
export async function withDeadline<T>(
  timeoutMs: number = DEFAULT_TIMEOUT_MS,
  work: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const deadline = new AbortController()
  const end = () => deadline.abort()
  const timer = setTimeout(end, timeoutMs)
  const late = new Promise<never>((_, reject) => {
    deadline.signal.addEventListener("abort", () => reject(new StoreError("timeout")))
  })
  // Stops listening when the deadline's own signal is aborted, which is at the end in any case.
  stop?.addEventListener("abort", end, deadline)
  if (stop?.aborted) end()
  try {
    return await Promise.race([work(deadline.signal), late])
  } finally {
    clearTimeout(timer)
    end()
  }
}

export interface StoreRequest {
  /** Makes it a POST. */
  body?: object
  headers?: Record<string, string>
}

/** One request to a store route under the store's own deadline, see {@link ask}. */
export const storeRequest = <T>(
  store: StoreConnection,
  path: string,
  request?: StoreRequest,
  stop?: AbortSignal,
): Promise<T> =>
  withDeadline(store.timeoutMs, (signal) => ask<T>(store, path, signal, request), stop)

/** Long enough for another request to let go of the cart, short enough to wait for. */
const BUSY_PAUSE_MS = 400

/**
 * One request to a store route. Answers the parsed JSON body; throws {@link StoreError}.
 *
 * A cart that another request holds (`cart_busy`) is asked for once more: the store gives that
 * answer before it does anything. Nothing else is repeated, because it may have been done.
 *
 * @param path with the leading slash and any query; ids in it have been checked by {@link isId}
 */
export async function ask<T>(
  store: StoreConnection,
  path: string,
  signal: AbortSignal,
  { body, headers }: StoreRequest = {},
  again = true,
): Promise<T> {
  const token = await store.getAuthToken?.()
  const language = typeof store.language === "function" ? await store.language() : store.language
  const response = await fetch(store.baseUrl.replace(/\/+$/, "") + path, {
    method: body ? "POST" : "GET",
    body: body && JSON.stringify(body),
    // A customer's cart needs the customer's session, as on every store route (gap 46).
    credentials: "include",
    headers: {
      "x-publishable-api-key": store.publishableKey,
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
      ...(language && { "accept-language": language }),
      ...headers,
    },
    signal,
  }).catch((cause: unknown) => {
    // Where it was aborted instead, `withDeadline` has thrown before this.
    throw Object.assign(new StoreError("offline"), { cause })
  })
  const { ok, status } = response
  // A proxy's error page is not JSON, and a connection may die in the middle of the body.
  const answer: unknown = await response.json().catch(() => undefined)
  if (ok && answer === Object(answer)) return answer as T
  const { code, message } = fieldsOf(answer)
  if (code === "cart_busy" && again) {
    await new Promise((done) => setTimeout(done, BUSY_PAUSE_MS))
    return ask(store, path, signal, { body, headers }, false)
  }
  throw new StoreError(ok ? "broken" : kindOf(status, code, message as string), status, answer)
}

function kindOf(status: number, code: unknown, message: string): StoreErrorKind {
  // A cart that was ordered, in another tab perhaps, can no more be filled than one that is lost.
  // A 404 of a gateway, of a store without this plugin, or of a store's own rule, says nothing of the cart: it must not be
  // thrown away.
  if (code === "not_found" || code === "cart_completed" || /^Cart.*not found/.test(message))
    return "gone"
  if (status === 429 || code === "cart_busy" || code === "invalid_state_error") return "busy"
  return status < 500 ? "rejected" : "broken"
}
