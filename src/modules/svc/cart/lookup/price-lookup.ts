import { type SvcClient, SvcError } from "../../../../client"
import type { CampaignPrice } from "../../../../contract"
import { type PriceAnswer, type PriceQuestion, priceKey } from "../prices"
import { FairGate } from "./fair-gate"
import { LookupBreaker } from "./lookup-breaker"
import { ShortMemory } from "./short-memory"
import { TokenBuckets } from "./token-buckets"

/** How long one answer serves the crowd. Short: a price changed live must be charged live. */
export const PRICE_TTL_S = 5
/** How long a campaign that nobody ever named is remembered as one that does not exist. */
const UNKNOWN_MS = 30_000
const REFUSED_WAIT_MS = 50
const MAX_REMEMBERED = 5_000

/** What a lookup found, as it is kept for the crowd: a price, or that there is none. */
type Found = { price: CampaignPrice | null; fetchedAt: number }

/** Where answers are shared by all processes; without one each process has its own. */
export type SharedCache = {
  get: (key: string) => Promise<unknown>
  set: (key: string, value: Found, tag: string) => Promise<unknown>
}

/** Who asks, for fairness and for limits. */
export type Asker = { cartId: string; address: string | null }

export type LookupSettings = {
  /** A shopper waits for this: past it the line is refused, not the whole cart held up. */
  timeoutMs: number
  concurrency: number
  /** Uncached lookups that one address may cause in a minute; 0: any number. */
  perMinute: number
}

export type LookupEvents = {
  /** Calls of this connection fail, in a row. */
  failing: (connectionId: string, error: SvcError) => void
  /** The token was refused for a campaign that a browser named. */
  refused: (connectionId: string) => void
}

/** @param version of the connection's address and token; a client of another one is of no use */
type ClientOf = (connectionId: string, version: string) => Promise<SvcClient>

export const cacheTag = (connectionId: string, campaignUid: string): string =>
  `svc:price:${connectionId}:${campaignUid}`

/**
 * Looks campaign prices up (interface §4.1) for shoppers who wait: in parallel, under one deadline, once for a crowd.
 * Everything that it keeps is memory of this process and may be lost: nothing correct depends on it.
 */
export class PriceLookup {
  readonly #settings: LookupSettings
  readonly #clientOf: ClientOf
  readonly #events: LookupEvents
  readonly #gates = new Map<string, FairGate>()
  readonly #breakers = new Map<string, LookupBreaker>()
  readonly #memory = new ShortMemory<Found>(MAX_REMEMBERED)
  readonly #unknown = new ShortMemory<true>(MAX_REMEMBERED)
  readonly #known = new ShortMemory<true>(MAX_REMEMBERED)
  /** When a campaign's prices were forgotten: a lookup that began before must not be kept. */
  readonly #forgotten = new ShortMemory<number>(MAX_REMEMBERED)
  /** Lookups under way: a crowd that asks for one product makes one call. */
  readonly #underWay = new Map<string, Promise<Found>>()
  readonly #byAddress: TokenBuckets
  readonly #byCart: TokenBuckets

  constructor(settings: LookupSettings, clientOf: ClientOf, events: LookupEvents) {
    this.#settings = settings
    this.#clientOf = clientOf
    this.#events = events
    const { perMinute } = settings
    // A quarter of a minute's worth at once; one basket a fifth of what an address may.
    this.#byAddress = new TokenBuckets(Math.ceil(perMinute / 4), perMinute / 60)
    this.#byCart = new TokenBuckets(Math.ceil(perMinute / 8), perMinute / 300)
  }

  /**
   * Must not be called while a cart's lock is held.
   *
   * @param isKnown whether a delivery, a listing or an earlier sale has named a campaign
   * @returns one answer for each question; a failed lookup is an answer, not an exception
   */
  async ask(
    questions: PriceQuestion[],
    context: {
      asker: Asker
      cache: SharedCache | null
      isKnown: (question: PriceQuestion) => boolean
      /** Of each connection's address and token. */
      versionOf: (connectionId: string) => string
    },
  ): Promise<PriceAnswer[]> {
    const until = Date.now() + this.#settings.timeoutMs
    const answers = new Map<string, PriceAnswer>()
    const ask = async (question: PriceQuestion): Promise<void> => {
      answers.set(priceKey(question), await this.#answer(question, context, until))
    }
    // A campaign that nobody ever named costs one lookup, however many products a browser asks for.
    const [first] = questions
    if (first && !context.isKnown(first) && !this.#isKnown(first)) await ask(first)
    await Promise.all(questions.filter((each) => !answers.has(priceKey(each))).map(ask))
    return questions.map(
      (question) =>
        answers.get(priceKey(question)) ?? { ok: false, reason: { code: "price_unavailable" } },
    )
  }

  /** A delivery said that something of the campaign changed: forgets what was looked up before. */
  forget(connectionId: string, campaignUid: string): void {
    const place = campaignKey({ connectionId, campaignUid })
    this.#forgotten.set(place, Date.now(), Date.now() + this.#settings.timeoutMs * 2)
    this.#unknown.delete(place)
    this.#memory.deleteWhere((key) => key.startsWith(place.slice(0, -1)))
  }

  #isKnown(question: PriceQuestion): boolean {
    return this.#known.get(campaignKey(question), Date.now()) === true
  }

  async #answer(
    question: PriceQuestion,
    context: Parameters<PriceLookup["ask"]>[1],
    until: number,
  ): Promise<PriceAnswer> {
    const place = campaignKey(question)
    const known = context.isKnown(question) || this.#isKnown(question)
    if (!known && this.#unknown.get(place, Date.now())) return NOT_IN_SHOW
    try {
      const { price, fetchedAt } = await this.#find(question, context, until)
      if (price === null) {
        if (!known) this.#unknown.set(place, true, Date.now() + UNKNOWN_MS)
        return NOT_IN_SHOW
      }
      this.#known.set(place, true, Number.POSITIVE_INFINITY)
      return { ok: true, price, source: "lookup", fetchedAt }
    } catch (error) {
      if (error instanceof TooMany) {
        return {
          ok: false,
          reason: { code: "too_many_requests", params: { seconds: error.seconds } },
        }
      }
      if (error instanceof SvcError) {
        if (!known && error.failure === "broken") {
          this.#unknown.set(place, true, Date.now() + UNKNOWN_MS)
        }
        return { ok: false, reason: { code: "price_unavailable" } }
      }
      throw error
    }
  }

  async #find(
    question: PriceQuestion,
    context: Parameters<PriceLookup["ask"]>[1],
    until: number,
  ): Promise<Found> {
    const key = priceKey(question)
    const kept =
      this.#memory.get(key, Date.now()) ?? (await readShared(context.cache, sharedKey(question)))
    if (kept) return kept
    const running = this.#underWay.get(key)
    if (running) {
      try {
        return await running
      } catch (error) {
        // It ran under the patience and the limits of whoever asked first; ours are not used up, so we ask ourselves.
        const isTheirs =
          error instanceof TooMany || (error instanceof SvcError && error.code === "svc_timeout")
        if (!isTheirs || until <= Date.now()) throw error
        return this.#find(question, context, until)
      }
    }
    const { cache } = context
    const call = this.#call(question, context, until)
      .then(async (found) => {
        const forgotten = this.#forgotten.get(campaignKey(question), Date.now())
        if (forgotten !== undefined && forgotten >= found.fetchedAt) return found
        if (cache) {
          const tag = cacheTag(question.connectionId, question.campaignUid)
          // A cache that is down costs speed, never a sale.
          await cache.set(sharedKey(question), found, tag).catch(() => undefined)
        } else this.#memory.set(key, found, Date.now() + PRICE_TTL_S * 1000)
        return found
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, call)
    return call
  }

  async #call(
    question: PriceQuestion,
    { asker, versionOf }: Parameters<PriceLookup["ask"]>[1],
    until: number,
  ): Promise<Found> {
    const { connectionId } = question
    const wait = Math.max(
      this.#byCart.take(asker.cartId, 1, Date.now()),
      asker.address === null ? 0 : this.#byAddress.take(asker.address, 1, Date.now()),
    )
    if (wait > 0) throw new TooMany(wait)
    const breaker = this.#breakerOf(connectionId)
    if (!breaker.admits(Date.now())) throw paused()
    const gate = this.#gateOf(connectionId)
    // Waiting here is our own crowd, not the service's fault: the breaker does not hear of it.
    if (!(await gate.enter(asker.cartId, until - Date.now()))) throw new TooMany(1)
    try {
      return await this.#request(question, versionOf(connectionId), until)
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      if (error.failure === "dead" && error.status !== null) breaker.succeeded()
      if (error.code === "svc_not_found") return { price: null, fetchedAt: Date.now() }
      // A browser names the campaign: what the service refuses for it says nothing about the token.
      if (error.failure === "broken") this.#events.refused(connectionId)
      else if (error.failure === "retry" && breaker.failed(Date.now())) {
        this.#events.failing(connectionId, error)
      }
      throw error
    } finally {
      gate.leave()
    }
  }

  async #request(question: PriceQuestion, version: string, until: number): Promise<Found> {
    const { connectionId, campaignUid, productId, variantId } = question
    const client = await this.#clientOf(connectionId, version)
    const ask = async (): Promise<Found> => {
      const fetchedAt = Date.now()
      const price = await client.getCampaignProductPrice(
        campaignUid,
        { productId, ...(variantId === null ? {} : { variantId }) },
        { timeoutMs: Math.max(1, until - fetchedAt) },
      )
      this.#breakerOf(connectionId).succeeded()
      return { price, fetchedAt }
    }
    try {
      return await ask()
    } catch (error) {
      // A refused connection has told nobody anything, and the process behind it may just be restarting.
      const refused = error instanceof SvcError && error.connectionRefused
      if (!refused || until - Date.now() < REFUSED_WAIT_MS * 2) throw error
      await new Promise((resolve) => setTimeout(resolve, REFUSED_WAIT_MS))
      return ask()
    }
  }

  #breakerOf(connectionId: string): LookupBreaker {
    const breaker = this.#breakers.get(connectionId) ?? new LookupBreaker()
    this.#breakers.set(connectionId, breaker)
    return breaker
  }

  #gateOf(connectionId: string): FairGate {
    const gate = this.#gates.get(connectionId) ?? new FairGate(this.#settings.concurrency)
    this.#gates.set(connectionId, gate)
    return gate
  }
}

const NOT_IN_SHOW: PriceAnswer = { ok: false, reason: { code: "not_in_show" } }

class TooMany extends Error {
  constructor(readonly seconds: number) {
    super("Too many lookups.")
  }
}

const paused = (): SvcError =>
  new SvcError({
    code: "svc_paused",
    failure: "retry",
    message: "We hold back lookups for a moment after several failures in a row.",
  })

/** The beginning of `priceKey` for every product of a campaign. */
const campaignKey = ({
  connectionId,
  campaignUid,
}: Pick<PriceQuestion, "connectionId" | "campaignUid">): string =>
  JSON.stringify([connectionId, campaignUid])

const sharedKey = (question: PriceQuestion): string => `svc:price:${priceKey(question)}`

async function readShared(cache: SharedCache | null, key: string): Promise<Found | null> {
  const data = await cache?.get(key).catch(() => null)
  if (typeof data !== "object" || data === null) return null
  return "price" in data && "fetchedAt" in data ? (data as Found) : null
}
