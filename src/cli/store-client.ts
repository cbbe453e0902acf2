import { CommandError, EXIT, messageOf } from "./exit"

/** For an answer that is read as a whole. Node's own `fetch` gives up, with other words, where nothing comes for five minutes. */
const PATIENCE_MS = 290_000
/** What a proxy answers for a store that it does not reach. */
const GATEWAY = [502, 503, 504]

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
 * @param patienceMs how long an answer may take to its end
 */
export function createStoreClient(
  url: string,
  apiKey: string,
  patienceMs = PATIENCE_MS,
): StoreClient {
  const base = url.replace(/\/$/, "")

  const unreachable = (why: string) =>
    new CommandError(
      "store_unreachable",
      `The store at ${base} does not answer: ${why}.`,
      "Start the store, or name its address: --url https://shop.example.com, or MEDUSA_BACKEND_URL.",
      EXIT.unreachable,
    )

  async function call(path: string, init: RequestInit, accept: number[] = []): Promise<Response> {
    const response = await fetch(`${base}${path}`, {
      ...init,
      redirect: "error",
      headers: {
        authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
        ...init.headers,
      },
    }).catch((error: Error) => {
      if (error.name === "TimeoutError") {
        throw new CommandError(
          "answer_late",
          `The store at ${base} has not answered for ${Math.round(patienceMs / 1000)} seconds. It may be at work still.`,
          "Look into the store's log, and run the command again.",
          EXIT.unreachable,
        )
      }
      // The cause names the host at most; the key is in no message of `fetch`.
      throw unreachable(messageOf(error.cause ?? error))
    })
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
    const said = await response
      .json()
      .then((body) => body as { code?: string; message?: string })
      .catch((): { code?: string; message?: string } => ({}))
    // What Medusa or we refuse has a code.
    if (said.code === undefined && GATEWAY.includes(response.status)) {
      throw unreachable(`what stands before it says ${response.status}`)
    }
    throw new CommandError(
      said.code ?? `http_${response.status}`,
      said.message ?? `The store answered ${response.status} to ${path}.`,
      response.status === 404
        ? "Check the id, and that this address is a store with medusa-plugin-svc."
        : "Read the sentence above, correct it and try again.",
      EXIT.problem,
    )
  }

  const json = async (path: string, init: RequestInit, accept?: number[]) => {
    const signal = AbortSignal.timeout(patienceMs)
    const response = await call(path, { ...init, signal }, accept)
    return await response.json().catch(cutOff)
  }

  return {
    get: (path, accept) => json(path, {}, accept),
    post: (path, body = {}) =>
      json(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    download: async (path) => chunksOf(await call(path, { headers: { accept: "text/csv" } })),
  }
}

const cutOff = (error: unknown): never => {
  throw new CommandError(
    "answer_cut_off",
    `The store stopped in the middle of its answer: ${messageOf(error)}.`,
    "Run the command again; the store's log says why. A file that was begun is not the whole one.",
    EXIT.unreachable,
  )
}

/** The body of an answer, as it comes. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    if (body) yield* body as unknown as AsyncIterable<Uint8Array>
  } catch (error) {
    cutOff(error)
  }
}
