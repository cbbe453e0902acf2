import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import axios, { AxiosError, type AxiosInstance, type AxiosRequestConfig } from "axios"
import {
  type CampaignPrice,
  type CreateWebhookRequest,
  contradictionIn,
  isObject,
  type Listing,
  type PriceRequest,
  type ProcessOrdersRequest,
  type PushFailure,
  readCampaignPrice,
  readListing,
  readPushFailures,
  readSignatureKey,
  readSubscriber,
  readSubscribers,
  refuses,
  type Subscriber,
  type SubscriberList,
  serviceId,
  storable,
} from "../contract"
import { endedLate } from "./ended-late"
import { errorForStatus, readRetryAfter, SvcError } from "./errors"
import { type CallRecord, flowId } from "./flow"
import { agentsFor, PROXY_REFUSED, PROXY_UNREADABLE } from "./proxy"
import { PRIVATE_ADDRESS } from "./url"

/** Milliseconds for a whole call, unless the caller has less. */
const DEFAULT_TIMEOUT_MS = 15_000
/** Between two calls, also where the service asks for no pause (`Retry-After: 0`). */
const SHORTEST_WAIT_MS = 300
const MAX_REQUEST_BYTES = 16 * 1024 * 1024
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024
const EXCERPT_LENGTH = 500
const WEBHOOKS = "/api/v1/webhooks"
/** A shorter value of a header is no secret, and masked it would take single letters out of every answer. */
const SHORTEST_SECRET = 4

type SvcClientOptions = {
  /** Address of the service, as `checkServiceUrl` returned it. */
  baseUrl: string
  /** Plaintext token; lives in this object only. */
  apiToken: string
  /** Whether the address may lead into a private network (option `allowInsecureUrls`). */
  allowInsecure?: boolean
  /** Is told of each call once it ended. */
  onCall?: (call: CallRecord) => void
  /** Connections at a time; 16 by default. */
  maxSockets?: number
  /** Reads the answer of the price lookup, instead of the reader that knows the usual spellings (gap 33). */
  readPrice?: (answer: unknown) => CampaignPrice | null
}

/** How a call is limited: `timeoutMs` and `signal` end it, whichever comes first. */
export type CallLimits = {
  timeoutMs?: number
  signal?: AbortSignal
  /** For so long the call is made again where the service puts it off (429): a person waits for it, and no row does. */
  patienceMs?: number
}

/** A subscriber and the key that is shown once (interface §2.4); the key is null where the answer had none. */
type SubscriberWithKey = { subscriber: Subscriber | null; signatureKey: string | null }

/**
 * The service's REST interface, one method per endpoint (interface §4). It makes no call
 * again but one that is put off while somebody waits (`patienceMs`): retrying is the business of the row that asked for the
 * call, on one layer only. Every failure is a `SvcError`.
 */
export class SvcClient {
  readonly #http: AxiosInstance
  /** The token, however a body spells it. */
  readonly #token: RegExp
  /** Values of custom headers that we sent, and those of the last list: they may be secrets of the merchant's gateway. */
  readonly #sentHeaders = new Set<string>()
  #listedHeaders: string[] = []
  readonly #agents: ReturnType<typeof agentsFor>
  readonly #readPrice: (answer: unknown) => CampaignPrice | null
  readonly #onCall: ((call: CallRecord) => void) | undefined
  readonly #closed = new AbortController()

  constructor(options: SvcClientOptions) {
    this.#onCall = options.onCall
    this.#token = spellingsInJson([options.apiToken])
    this.#readPrice = options.readPrice ?? readCampaignPrice
    this.#agents = agentsFor(options.baseUrl, {
      allowInsecure: options.allowInsecure ?? false,
      keepAlive: true,
      maxSockets: options.maxSockets ?? 16,
    })
    this.#http = axios.create({
      baseURL: options.baseUrl,
      // A redirect would send the token to an address that nobody entered.
      maxRedirects: 0,
      allowAbsoluteUrls: false,
      maxBodyLength: MAX_REQUEST_BYTES,
      maxContentLength: MAX_RESPONSE_BYTES,
      proxy: false,
      httpAgent: this.#agents.http,
      httpsAgent: this.#agents.https,
      responseType: "text",
      transformResponse: (body: unknown) => body,
      validateStatus: () => true,
      headers: {
        Authorization: `Token ${options.apiToken}`,
        Accept: "application/json",
        "User-Agent": "medusa-plugin-svc",
      },
    })
  }

  /**
   * For a client that is not used afterwards: closes idle connections now, and each other one with its answer. A call that
   * is under way was made for a reason; cut off, nobody would know what became of it. One that was put off fails as put off.
   */
  close(): void {
    this.#closed.abort()
    for (const agent of [this.#agents.http, this.#agents.https]) {
      agent.maxFreeSockets = 0
      for (const idle of Object.values(agent.freeSockets).flat()) idle?.destroy()
    }
  }

  /**
   * `POST /products` (interface §4.2): inserts or updates. Resolves with the products that the service named
   * as failed although it accepted the batch, or with the only one where it refused that (gap 23).
   * @throws SvcError `svc_unreadable` where it names failed ones of several by nothing that was sent
   *
   * @param products each written out as JSON: the same text is stored once the service has accepted it
   */
  async pushProducts(products: string[], limits?: CallLimits): Promise<PushFailure[]> {
    const what = "send products"
    const url = "/products"
    const request = {
      method: "POST",
      url,
      // Bytes: axios would read a text once more, to see whether it is JSON.
      data: Buffer.from(`{"products":[${products.join(",")}]}`),
      headers: { "Content-Type": "application/json" },
    }
    const body = await this.#call(what, request, limits)
    const failures = readPushFailures(body, products, (words) => this.#masked(words))
    if (failures === null) {
      // Not `dead`: the service may have taken all the others.
      throw new SvcError({
        code: "svc_unreadable",
        failure: "retry",
        message: "The service refused products and does not say which, by their ids in the store.",
        excerpt: this.#excerpt(JSON.stringify(body)),
      })
    }
    if (failures.length > 0) return failures
    const refusal = this.#refusal(what, url, body)
    if (!refusal) return []
    const [only, ...others] = products
    if (only === undefined || others.length > 0) throw refusal
    return [{ id: JSON.parse(only).id, code: null, message: refusal.said ?? refusal.message }]
  }

  /**
   * `POST /getCampaignProductPrice/{campaignUid}` (interface §4.1), once per product.
   * @throws SvcError `svc_unreadable` when the answer has no usable price
   */
  async getCampaignProductPrice(
    campaignUid: string,
    product: PriceRequest,
    limits?: CallLimits,
  ): Promise<CampaignPrice> {
    const what = "look up a campaign price"
    const url = `/getCampaignProductPrice/${segment(what, campaignUid)}`
    const body = await this.#call(what, { method: "POST", url, data: product }, limits)
    const price = this.#readPrice(body)
    if (price) return price
    const contradiction = contradictionIn(body)
    return this.#unreadable(
      what,
      body,
      contradiction &&
        `The service's answer says different things of one price: ${contradiction}. Say which is right with the option readCampaignPrice.`,
    )
  }

  /**
   * `POST /processOrders` (interface §4.3). The same key is sent on every attempt (gap 47).
   * @param idempotencyKey of characters that a header carries
   * @param fields what else is told of the order; nothing by default
   */
  async processOrder(
    svcOrderNumber: string,
    idempotencyKey: string,
    limits?: CallLimits,
    fields: Record<string, unknown> = {},
  ): Promise<void> {
    const what = "report an order"
    const data: ProcessOrdersRequest = { ...fields, svcOrderNumber }
    const headers = { "Idempotency-Key": idempotencyKey }
    const url = "/processOrders"
    const body = await this.#call(what, { method: "POST", url, data, headers }, limits)
    this.#accepted(what, url, body)
  }

  /** Creates a subscriber (interface §4.4, gap 13). Never repeated blindly: the key is shown once. */
  async createWebhook(
    request: CreateWebhookRequest,
    limits?: CallLimits,
  ): Promise<SubscriberWithKey> {
    const what = "create the webhook"
    const url = WEBHOOKS
    for (const value of secretsOf([request])) this.#sentHeaders.add(value)
    const body = await this.#call(what, { method: "POST", url, data: request }, limits)
    this.#accepted(what, url, body)
    return { subscriber: readSubscriber(body), signatureKey: readSignatureKey(body) }
  }

  async listWebhooks(limits?: CallLimits): Promise<SubscriberList> {
    const what = "list the webhooks"
    const body = await this.#call(what, { method: "GET", url: WEBHOOKS }, limits)
    // Of an answer only the names of its fields: it may have custom headers, whose values may be secrets.
    const shown = isObject(body) ? { fields: Object.keys(body) } : body
    const listed = readSubscribers(body) ?? this.#unreadable(what, shown)
    this.#listedHeaders = secretsOf(listed.subscribers)
    return listed
  }

  /**
   * Asks what only the service can answer: which webhooks the page has (interface §4.4). A gateway, or a parked domain, may
   * answer everything with the same empty list: it has one at the address of a webhook that nobody has, too.
   */
  async checkService(limits?: CallLimits): Promise<void> {
    if ((await this.listWebhooks(limits)).subscribers.length > 0) return
    const what = "read a webhook that nobody has"
    const url = webhookPath(what, `nobodys-${randomUUID()}`)
    const answer = await this.#call(what, { method: "GET", url }, limits).catch((error) => {
      // Whatever it says against it is not that list.
      if (error instanceof SvcError && error.status !== null) return null
      throw error
    })
    if (readSubscribers(answer)) this.#unreadable("list the webhooks", null)
  }

  async updateWebhook(
    webhookUid: string,
    change: Partial<CreateWebhookRequest>,
    limits?: CallLimits,
  ): Promise<Subscriber | null> {
    const what = "change the webhook"
    const url = webhookPath(what, webhookUid)
    const body = await this.#call(what, { method: "PATCH", url, data: change }, limits)
    this.#changed(what, url, body)
    return readSubscriber(body)
  }

  async deleteWebhook(webhookUid: string, limits?: CallLimits): Promise<void> {
    const what = "delete the webhook"
    const url = webhookPath(what, webhookUid)
    this.#changed(what, url, await this.#call(what, { method: "DELETE", url }, limits))
  }

  /** Of a webhook that is answered as it is now an error may be that of its last delivery. */
  #changed(what: string, url: string, body: unknown): void {
    if (readSubscriber(body) === null) this.#accepted(what, url, body)
  }

  /** Issues a new key; the old one stops verifying at once (interface §4.4, gap 12). Never repeated blindly. */
  async rotateSignatureKey(webhookUid: string, limits?: CallLimits): Promise<string | null> {
    const what = "rotate the signature key"
    const url = `${webhookPath(what, webhookUid)}/rotateSignatureKey`
    const body = await this.#call(what, { method: "POST", url }, limits)
    this.#accepted(what, url, body)
    return readSignatureKey(body)
  }

  /** One page of `GET /api/v1/liveEvents` or `/api/v1/shoppables` (interface §4.5, gap 20). */
  async listEvents(
    kind: "live" | "shoppable",
    page: { limit: number; offset: number },
  ): Promise<Listing> {
    const what = kind === "live" ? "list live events" : "list shoppables"
    const url = kind === "live" ? "/api/v1/liveEvents" : "/api/v1/shoppables"
    const body = await this.#call(what, { method: "GET", url, params: page })
    return readListing(body) ?? this.#unreadable(what, body)
  }

  async #call(what: string, request: AxiosRequestConfig, limits?: CallLimits): Promise<unknown> {
    const until = performance.now() + (limits?.patienceMs ?? 0)
    for (;;) {
      try {
        return await this.#attempt(what, request, limits)
      } catch (error) {
        const isPutOff = error instanceof SvcError && error.status === 429
        const askedMs = isPutOff ? error.retryAfterMs : null
        if (askedMs === null) throw error
        const waitMs = Math.max(askedMs, SHORTEST_WAIT_MS)
        if (performance.now() + waitMs > until) throw error
        const ends = [this.#closed.signal, limits?.signal].filter((signal) => signal !== undefined)
        await sleep(waitMs, undefined, { signal: AbortSignal.any(ends) }).catch(() => {
          throw error
        })
      }
    }
  }

  async #attempt(
    what: string,
    request: AxiosRequestConfig,
    limits: CallLimits | undefined,
  ): Promise<unknown> {
    const requestId = flowId()
    const started = Date.now()
    const ended = (status: number | null) =>
      this.#onCall?.({
        request_id: requestId,
        what,
        method: String(request.method),
        path: String(request.url),
        status,
        duration_ms: Date.now() - started,
      })
    const timeout = limits?.timeoutMs ?? DEFAULT_TIMEOUT_MS
    // axios' timeout ends when the headers of a slow answer arrive; the signal also ends a body that comes in drops.
    const deadline = AbortSignal.timeout(timeout)
    const signal = limits?.signal ? AbortSignal.any([limits.signal, deadline]) : deadline
    let status: number
    let body: string
    let retryAfter: unknown
    let contentType: unknown
    try {
      const headers = { ...request.headers, "X-Request-Id": requestId }
      const answer = await this.#http.request<string>({ ...request, headers, signal, timeout })
      status = answer.status
      body = answer.data ?? ""
      retryAfter = answer.headers["retry-after"]
      contentType = answer.headers["content-type"]
    } catch (error) {
      ended(null)
      throw connectionError(what, error, endedLate(started + timeout, Date.now()))
    }
    ended(status)
    if (status < 200 || status > 299) {
      throw errorForStatus(status, {
        what,
        excerpt: this.#excerpt(body, request.url),
        retryAfterMs: readRetryAfter(retryAfter, Date.now()),
        namesThing: NAMES_THING.test(String(request.url)),
      })
    }
    try {
      return body === "" ? null : JSON.parse(body)
    } catch {
      // A maintenance page, a login, another site, or somebody's thanks: nobody knows whether anything was taken. A word that
      // a server calls HTML is no page.
      if (/^\s*text\/html\b/i.test(String(contentType)) && /^\s*</.test(body)) {
        throw new SvcError({
          code: "svc_unreachable",
          failure: "retry",
          message: `A web page answered instead of the service when we tried to ${what}.`,
          excerpt: this.#excerpt(body, request.url),
        })
      }
      // Any other 2xx means that the service accepted the request. A caller that needs JSON finds none and says so.
      return null
    }
  }

  /** Some services refuse in a 2xx. */
  #refusal(what: string, url: string, body: unknown): SvcError | null {
    if (!refuses(body)) return null
    // A key is shown once, here: it is kept, and is in no message.
    if (readSignatureKey(body) !== null) return null
    return new SvcError({
      code: "svc_rejected",
      failure: "dead",
      message: `The service answered that it refused when we tried to ${what}.`,
      excerpt: this.#excerpt(JSON.stringify(body), url),
    })
  }

  #accepted(what: string, url: string, body: unknown): void {
    const refusal = this.#refusal(what, url, body)
    if (refusal) throw refusal
  }

  #unreadable(what: string, body: unknown, problem: string | null = null): never {
    throw new SvcError({
      code: "svc_unreadable",
      failure: "dead",
      message: problem
        ? this.#masked(problem)
        : `The service's answer could not be read when we tried to ${what}.`,
      excerpt: body === null ? null : this.#excerpt(JSON.stringify(body) ?? ""),
    })
  }

  /** The beginning of an answer, as it may be shown and stored. */
  #excerpt(body: string, url = ""): string | null {
    const shown = this.#withoutHeaders(url, this.#masked(body))
    return storable(shown.slice(0, EXCERPT_LENGTH)) || null
  }

  /** Without the token: a debug page may repeat our headers, in JSON perhaps with some characters escaped. */
  #masked(words: string): string {
    return words.replace(this.#token, "[token]")
  }

  /**
   * An answer about webhooks without the values of custom headers, which a refusal may repeat. Of any other answer they would
   * take out words: a value may be as plain as the shop's name.
   */
  #withoutHeaders(url: string, body: string): string {
    const values = [...this.#sentHeaders, ...this.#listedHeaders]
    const mayRepeat = url.startsWith(WEBHOOKS) && values.length > 0
    return mayRepeat ? body.replace(spellingsInJson(values), "[header]") : body
  }
}

const secretsOf = (subscribers: Pick<Subscriber, "customHeaders">[]): string[] =>
  subscribers.flatMap(({ customHeaders }) =>
    (customHeaders ?? []).flatMap(({ value }) =>
      value && value.length >= SHORTEST_SECRET ? value : [],
    ),
  )

/**
 * Texts in each spelling that JSON has for them: a character as it is, behind a backslash, by its letter as a tab is by `\t`,
 * or as `\u` and its number. The longest first, because one may be the beginning of another.
 */
function spellingsInJson(texts: string[]): RegExp {
  const literal = (text: string) => text.replace(/[^\w]/g, "\\$&")
  const spelled = [...texts]
    .sort((one, other) => other.length - one.length)
    .map((text) =>
      text
        .split("")
        .map((character) => {
          const number = character.charCodeAt(0).toString(16).padStart(4, "0")
          // Of no other one: where two ways match the same sign, a text that has half of it is tried in every combination.
          const [letter] = /^\\[bfnrt]$/.exec(JSON.stringify(character).slice(1, -1)) ?? []
          const short = letter ? `${literal(letter)}|` : ""
          return `(?:\\\\?${literal(character)}|${short}\\\\u${number})`
        })
        .join(""),
    )
  return new RegExp(spelled.join("|"), "gi")
}

/** One segment of a path. @throws SvcError when the identifier could leave it */
function segment(what: string, id: string): string {
  const { success, data } = serviceId.safeParse(id)
  if (success) return encodeURIComponent(data)
  throw new SvcError({
    code: "svc_rejected",
    failure: "dead",
    message: `An identifier has characters that no address takes, so we did not ${what}.`,
  })
}

/** Addresses with a segment that names one campaign or webhook. */
const NAMES_THING = /^\/(getCampaignProductPrice|api\/v1\/webhooks)\/./

const webhookPath = (what: string, webhookUid: string): string =>
  `${WEBHOOKS}/${segment(what, webhookUid)}`

/** No connection came about, so nothing was sent. */
const NO_CONNECTION = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
])

/**
 * axios' errors carry the whole request, token included: only a code is taken from them, never the object.
 *
 * @param stoodStill of a call that ended without an answer, see `endedLate`
 */
function connectionError(what: string, error: unknown, stoodStill: boolean): SvcError {
  const code = error instanceof AxiosError ? error.code : undefined
  if (code === "ECONNABORTED" || code === "ETIMEDOUT" || code === "ERR_CANCELED") {
    const message = `The service did not answer in time when we tried to ${what}.`
    return new SvcError({ code: "svc_timeout", failure: "retry", message, stoodStill })
  }
  if (code === AxiosError.ERR_BAD_REQUEST) {
    // The request is larger than `maxBodyLength`: the service would answer 413, which is just as final.
    const message = `The request was too large when we tried to ${what}.`
    return new SvcError({ code: "svc_rejected", failure: "dead", status: 413, message })
  }
  const unreachable = (message: string, notCarriedOut = true) =>
    new SvcError({
      code: "svc_unreachable",
      failure: "retry",
      message,
      notCarriedOut,
      stoodStill,
      connectionRefused: code === "ECONNREFUSED",
    })
  if (code === AxiosError.ERR_BAD_RESPONSE) {
    const problem = `The service's answer broke off, or is too large, when we tried to ${what}.`
    return unreachable(problem, false)
  }
  if (code === PRIVATE_ADDRESS) {
    return unreachable(`The service's name leads into a private network, so we did not ${what}.`)
  }
  if (code === PROXY_REFUSED) {
    return unreachable(
      `The proxy (HTTPS_PROXY) did not connect us to the service when we tried to ${what}.`,
    )
  }
  if (code === PROXY_UNREADABLE) {
    return unreachable(`HTTPS_PROXY is not the address of a proxy, so we did not ${what}.`)
  }
  return unreachable(
    `The service could not be reached (${code ?? "network error"}) when we tried to ${what}.`,
    code !== undefined && NO_CONNECTION.has(code),
  )
}
