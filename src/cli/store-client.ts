import { CommandError, EXIT } from "./exit"

/** Node's own `fetch` follows redirects and has no timeout; both are decided here. */
const TIMEOUT_MS = 60_000

export type StoreClient = {
  /** @param accept statuses that are an answer, besides 2xx */
  get: <T>(path: string, accept?: number[]) => Promise<T>
  post: <T>(path: string, body?: unknown) => Promise<T>
  /** A file, as it comes. */
  download: (path: string) => Promise<ReadableStream<Uint8Array>>
}

/**
 * Speaks to a running store by its admin routes. The store does the work: it has the options, the keys and the database.
 *
 * @param url address of the store
 * @param apiKey secret API key of the admin (Settings → Secret API keys)
 */
export function createStoreClient(url: string, apiKey: string): StoreClient {
  const base = url.replace(/\/$/, "")

  async function call(path: string, init: RequestInit, accept: number[] = []): Promise<Response> {
    let response: Response
    try {
      response = await fetch(`${base}${path}`, {
        ...init,
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
          ...init.headers,
        },
      })
    } catch (error) {
      // The cause names the host at most; the key is in no message of `fetch`.
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      throw new CommandError(
        "store_unreachable",
        `The store at ${base} does not answer: ${cause instanceof Error ? cause.message : "no connection"}.`,
        "Start the store, or name its address: --url https://shop.example.com, or MEDUSA_BACKEND_URL.",
        EXIT.unreachable,
      )
    }
    if (response.ok || accept.includes(response.status)) return response
    if (response.status === 401 || response.status === 403) {
      throw new CommandError(
        "api_key_refused",
        "The store does not take the API key.",
        "Make a secret API key in the admin (Settings → Secret API keys) and set SVC_ADMIN_API_KEY to it.",
        EXIT.unreachable,
      )
    }
    const said = (await response.json().catch(() => ({}))) as { code?: string; message?: string }
    throw new CommandError(
      said.code ?? `http_${response.status}`,
      said.message ?? `The store answered ${response.status} to ${path}.`,
      response.status === 404
        ? "Check the id, and that this address is a store with medusa-plugin-svc."
        : "Read the sentence above, correct it and try again.",
      EXIT.problem,
    )
  }

  return {
    get: async <T>(path: string, accept?: number[]) =>
      (await (await call(path, {}, accept)).json()) as T,
    post: async <T>(path: string, body: unknown = {}) =>
      (await (
        await call(path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        })
      ).json()) as T,
    download: async (path) => {
      const { body } = await call(path, { headers: { accept: "text/csv" } })
      if (!body) throw new Error("The store answered without a body.")
      return body
    },
  }
}
