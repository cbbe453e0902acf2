import { CommandError, EXIT, messageOf } from "./exit"

/** Node's own `fetch` follows redirects and has no timeout; both are decided here. */
const PATIENCE_MS = 60_000
/** An answer that is read as a whole has ended after so many times that patience, and is no larger than this. */
const MOST_PATIENCE = 10
const MOST_BYTES = 16 * 1024 * 1024

export type StoreClient = {
  /** @param accept statuses that are an answer, besides 2xx */
  get: <T>(path: string, accept?: number[]) => Promise<T>
  post: <T>(path: string, body?: unknown) => Promise<T>
  /** A file, as it comes. It may take any time, as long as it comes. */
  download: (path: string) => Promise<AsyncIterable<Uint8Array>>
}

/**
 * Speaks to a running store by its admin routes. The store does the work: it has the options, the keys and the database.
 *
 * @param url address of the store
 * @param apiKey secret API key of the admin (Settings → Secret API keys)
 * @param patienceMs how long nothing may come: of an answer, and then of its body
 */
export function createStoreClient(
  url: string,
  apiKey: string,
  patienceMs = PATIENCE_MS,
): StoreClient {
  const base = url.replace(/\/$/, "")

  async function call(path: string, init: RequestInit, accept: number[] = []): Promise<Response> {
    let response: Response
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(new Error(TOO_LONG)), patienceMs)
    try {
      response = await fetch(`${base}${path}`, {
        ...init,
        redirect: "error",
        signal: giveUp.signal,
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
    } finally {
      clearTimeout(timer)
    }
    if (response.ok || accept.includes(response.status)) return response
    if (response.status === 401 || response.status === 403) {
      // Left unread, it would keep the process alive for as long as it comes.
      await response.body?.cancel().catch(() => undefined)
      throw new CommandError(
        "api_key_refused",
        "The store does not take the API key.",
        "Make a secret API key in the admin (Settings → Secret API keys) and set SVC_ADMIN_API_KEY to it.",
        EXIT.unreachable,
      )
    }
    const said = await json<{ code?: string; message?: string }>(path, response).catch(
      (): { code?: string; message?: string } => ({}),
    )
    throw new CommandError(
      said.code ?? `http_${response.status}`,
      said.message ?? `The store answered ${response.status} to ${path}.`,
      response.status === 404
        ? "Check the id, and that this address is a store with medusa-plugin-svc."
        : "Read the sentence above, correct it and try again.",
      EXIT.problem,
    )
  }

  /** Reads an answer as a whole: unlike a file, it must end. */
  async function json<T>(path: string, response: Response): Promise<T> {
    const chunks: Uint8Array[] = []
    const until = Date.now() + MOST_PATIENCE * patienceMs
    let bytes = 0
    for await (const chunk of chunksOf(response, patienceMs)) {
      bytes += chunk.byteLength
      if (bytes > MOST_BYTES) throw tooLong(path, `is over ${MOST_BYTES / 1024 / 1024} MiB`)
      if (Date.now() > until) {
        throw tooLong(path, `has not ended after ${(MOST_PATIENCE * patienceMs) / 1000} s`)
      }
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString("utf8"))
  }

  const tooLong = (path: string, why: string): CommandError =>
    new CommandError(
      "answer_too_long",
      `The answer of ${base} to ${path} ${why}, so it was not read to its end.`,
      "Check that this address is a store with medusa-plugin-svc, and what stands between it and you.",
      EXIT.unreachable,
    )

  return {
    get: async (path, accept) => json(path, await call(path, {}, accept)),
    post: async (path, body = {}) =>
      json(
        path,
        await call(path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      ),
    download: async (path) =>
      chunksOf(await call(path, { headers: { accept: "text/csv" } }), patienceMs),
  }
}

const TOO_LONG = "it takes too long"

/** The body of an answer, as it comes. Time that the reader takes in between does not count. */
async function* chunksOf(response: Response, patienceMs: number): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await within(patienceMs, reader.read())
      if (done) return
      yield value
    }
  } catch (error) {
    throw new CommandError(
      "answer_cut_off",
      `The store stopped in the middle of its answer: ${messageOf(error)}.`,
      "Run the command again; the store's log says why. A file that was begun is not the whole one.",
      EXIT.unreachable,
    )
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(TOO_LONG)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
