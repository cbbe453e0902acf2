import { setTimeout as sleep } from "node:timers/promises"
import { endedLate, type SvcClient, SvcError } from "../../../../client"
import type { CampaignPrice } from "../../../../contract"
import { ShortMemory } from "../../shared/short-memory"
import { type Answers, type PriceAnswer, type PriceQuestion, priceKey } from "../prices"
import { Gate } from "./gate"
import { LookupBreaker } from "./lookup-breaker"
import { TokenBuckets } from "./token-buckets"

/** How long one answer serves the crowd. Short: a price changed live must be charged live. */
export const PRICE_TTL_S = 5
/** How long a campaign that nobody ever named is remembered as one that does not exist. */
const UNKNOWN_MS = 30_000
/** Lookups for campaigns that nobody named: a show of which no delivery came needs one, then it is known. */
const UNKNOWN_AT_ONCE = 50
/** How many lookups of a basket one of those counts for, so that no basket uses them up alone. */
const UNKNOWN_WEIGHT = 10
const UNKNOWN_PER_SECOND = 5
/** Each line of a basket may be proven anew before the order, and once more as the payment begins. */
const LOOKUPS_OF_A_LINE = 2
/** A wait for the gate that takes nothing from a call. */
const SHORT_WAIT_MS = 20
/** Before the one more try where nobody listened, or this process stood still. */
const RETRY_WAIT_MS = 50
const MAX_REMEMBERED = 5_000

/** What a lookup found, as it is kept for the crowd: a price, or that there is none. */
type Found = { price: CampaignPrice | null; fetchedAt: number }

/** Where answers are shared by all processes; without one each process has its own. */
export type SharedCache = {
  get: (key: string) => Promise<unknown>
  set: (key: string, value: Found, tag: string) => Promise<unknown>
}

export type LookupSettings = {
  /** A shopper waits for this: past it the line is refused, not the whole cart held up. */
  timeoutMs: number
  /** Lookups under way at a time, for each connection. */
  concurrency: number
  /**
   * Uncached lookups that a basket may cause at once are an eighth of this, a fifth of it each minute; 0: any number. A basket
   * with more lines of shows than that can still be paid.
   */
  perMinute: number
}
export const LOOKUPS: Readonly<LookupSettings> = {
  timeoutMs: 2_000,
  concurrency: 32,
  perMinute: 600,
}

export type LookupEvents = {
  /**
   * Calls of this connection fail in a row, or are refused in a row for what is told to be on sale; or for a campaign that is
   * known the answer cannot be read or the lookup is closed. Said again while it is so.
   */
  failing: (connectionId: string, error: SvcError) => void
  answered: (connectionId: string, campaignUid: string, price: CampaignPrice) => void
  /** The token was refused for a campaign that a browser named. */
  refused: (connectionId: string) => void
}

/** @param version of the connection's address and token; a client of another one is of no use */
type ClientOf = (connectionId: string, version: string) => Promise<SvcClient>

export const cacheTag = (connectionId: string, campaignUid: string): string =>
  `svc:price:${connectionId}:${campaignUid}`

type LookupContext = {
  cartId: string
  /** How many lines of the cart a show has priced. */
  linesOfShows: number
  cache: SharedCache | null
  /** Whether a delivery, a listing or an earlier sale has named a campaign. */
  isKnown: (question: PriceQuestion) => boolean
  /** Whether a delivery has told that the product is on sale now. */
  isToldOnSale: (question: PriceQuestion) => boolean
  /** Of each connection's address and token. */
  versionOf: (connectionId: string) => string
}

/**
 * Looks campaign prices up (interface §4.1) for shoppers who wait: in parallel, under one deadline, once for a crowd.
 * Everything that it keeps is memory of this process and may be lost: nothing correct depends on it. It is kept for so long by
 * `performance.now()`, because a clock that is set back must not keep a price for longer; a limit of time ends by the wall
 * clock, see `endedLate`.
 */
export class PriceLookup {
  readonly settings: LookupSettings
  readonly #clientOf: ClientOf
  readonly #events: LookupEvents
  readonly #gates = new Map<string, Gate>()
  readonly #breakers = new Map<string, LookupBreaker>()
  readonly #memory = new ShortMemory<Found>(MAX_REMEMBERED)
  /** Whether the service knows a campaign that nobody named to us. */
  readonly #exists = new ShortMemory<boolean>(MAX_REMEMBERED)
  /** When a campaign's prices were forgotten: a lookup that began before must not be kept. */
  readonly #forgotten = new ShortMemory<number>(MAX_REMEMBERED)
  /** Lookups under way: a crowd that asks for one product makes one call. */
  readonly #underWay = new Map<string, Promise<Found>>()
  /** One action may name very many products, so a basket could fill the gate alone. */
  readonly #byCart: TokenBuckets
  /** By connection: a flood of made-up campaigns, each from a basket of its own, costs the service little. */
  readonly #ofUnknown = new TokenBuckets(UNKNOWN_AT_ONCE, UNKNOWN_PER_SECOND)

  constructor(clientOf: ClientOf, events: LookupEvents, settings: LookupSettings = LOOKUPS) {
    this.settings = { ...settings }
    this.#clientOf = clientOf
    this.#events = events
    const { perMinute } = settings
    this.#byCart = new TokenBuckets(Math.ceil(perMinute / 8), perMinute / 300)
  }

  /**
   * Must not be called while a cart's lock is held.
   *
   * @returns by `priceKey`, one answer for each question; a failed lookup is an answer, not an exception
   */
  async ask(questions: PriceQuestion[], context: LookupContext): Promise<Answers["prices"]> {
    const until = Date.now() + this.settings.timeoutMs
    const answers: Answers["prices"] = {}
    const ask = async (question: PriceQuestion): Promise<void> => {
      answers[priceKey(question)] = await this.#answer(question, context, until)
    }
    // A campaign that nobody ever named costs one lookup, however many products a browser asks for.
    const [first] = questions
    if (first && !this.#isKnown(first, context)) await ask(first)
    await Promise.all(questions.filter((each) => !answers[priceKey(each)]).map(ask))
    return answers
  }

  /** Those that were looked up a moment ago, for whomever; calls nobody, so a cart's lock may be held. */
  async recall(questions: PriceQuestion[], cache: SharedCache | null): Promise<Answers["prices"]> {
    const recalled: Answers["prices"] = {}
    const recall = async (question: PriceQuestion): Promise<void> => {
      const kept = await this.#kept(question, cache)
      if (kept) recalled[priceKey(question)] = answerOf(kept)
    }
    await Promise.all(questions.map(recall))
    return recalled
  }

  /** A delivery said that something of the campaign changed: forgets what was looked up before. */
  forget(connectionId: string, campaignUid: string): void {
    const place = campaignKey({ connectionId, campaignUid })
    const now = performance.now()
    this.#forgotten.set(place, now, now + this.settings.timeoutMs * 2)
    if (this.#exists.get(place, now) === false) this.#exists.delete(place)
    this.#memory.deleteWhere((key) => key.startsWith(place.slice(0, -1)))
  }

  #isKnown(question: PriceQuestion, { isKnown }: LookupContext): boolean {
    return isKnown(question) || this.#exists.get(campaignKey(question), performance.now()) === true
  }

  async #answer(
    question: PriceQuestion,
    context: LookupContext,
    until: number,
  ): Promise<PriceAnswer> {
    const place = campaignKey(question)
    const isKnown = this.#isKnown(question, context)
    if (!isKnown && this.#exists.get(place, performance.now()) === false) return NOT_IN_SHOW
    const isUnknown = (): void => {
      // Meanwhile another shopper may have got a price of it.
      if (this.#isKnown(question, context)) return
      this.#exists.set(place, false, performance.now() + UNKNOWN_MS)
    }
    try {
      const found = await this.#find(question, context, until)
      if (found.price !== null) this.#exists.set(place, true, Number.POSITIVE_INFINITY)
      else isUnknown()
      return answerOf(found)
    } catch (error) {
      if (error instanceof TooMany) {
        return {
          ok: false,
          reason: { code: "too_many_requests", params: { seconds: error.seconds } },
        }
      }
      if (error instanceof SvcError) {
        if (isRefused(error)) isUnknown()
        const unclear = refusesForm(error, question) && question.otherForm === false
        return {
          ok: false,
          reason: { code: unclear ? "variant_not_in_show" : "price_unavailable" },
        }
      }
      throw error
    }
  }

  async #kept(question: PriceQuestion, cache: SharedCache | null): Promise<Found | null> {
    const own = this.#memory.get(priceKey(question), performance.now())
    return own ?? readShared(cache, sharedKey(question))
  }

  async #find(question: PriceQuestion, context: LookupContext, until: number): Promise<Found> {
    const key = priceKey(question)
    const kept = await this.#kept(question, context.cache)
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
    const begunAt = performance.now()
    const call = this.#call(question, context, until)
      .then(async (found) => {
        const forgotten = this.#forgotten.get(campaignKey(question), performance.now())
        if (forgotten !== undefined && forgotten >= begunAt) return found
        if (cache) {
          const tag = cacheTag(question.connectionId, question.campaignUid)
          // A cache that is down costs speed, never a sale.
          await cache.set(sharedKey(question), found, tag).catch(() => undefined)
        } else this.#memory.set(key, found, performance.now() + PRICE_TTL_S * 1000)
        return found
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, call)
    return call
  }

  async #call(question: PriceQuestion, context: LookupContext, until: number): Promise<Found> {
    const { connectionId } = question
    const isKnown = this.#isKnown(question, context)
    // What a basket is refused costs the others nothing: one basket's flood must not use up what all have together.
    const wait =
      this.#byCart.take(
        context.cartId,
        performance.now(),
        isKnown ? 1 : UNKNOWN_WEIGHT,
        context.linesOfShows * LOOKUPS_OF_A_LINE,
      ) || (isKnown ? 0 : this.#ofUnknown.take(connectionId, performance.now()))
    if (wait > 0) throw new TooMany(wait)
    const breaker = this.#breakerOf(connectionId, isKnown)
    if (!breaker.admits(performance.now())) throw paused()
    const gate = this.#gateOf(connectionId)
    // Waiting here is our own crowd, not the service's fault: the breaker does not hear of it, nor of a call that
    // had too little time left once its turn came.
    const cameAt = Date.now()
    const queued = gate.isFull
    if (!(await gate.enter(until - cameAt))) throw new TooMany(1)
    const waited = queued && Date.now() - cameAt > SHORT_WAIT_MS
    try {
      const found = await this.#request(question, context.versionOf(connectionId), until)
      breaker.priced()
      return found
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      if (error.failure === "dead" && error.status !== null) breaker.succeeded()
      const isRefusal = error.failure === "dead" && error.code !== "svc_unreadable"
      const contradicts = isRefusal && context.isToldOnSale(question) && breaker.refused()
      if (contradicts) this.#events.failing(connectionId, error)
      if (isNotFound(error)) return { price: null, fetchedAt: Date.now() }
      if (waited && error.code === "svc_timeout") throw new TooMany(1)
      // A browser names the campaign: what the service refuses for it says nothing about the token.
      if (isRefused(error)) this.#events.refused(connectionId)
      const fails =
        error.failure === "retry" ? breaker.failed(performance.now()) : isKnown && !isRefusal
      if (fails) this.#events.failing(connectionId, error)
      throw error
    } finally {
      gate.leave()
    }
  }

  async #request(question: PriceQuestion, version: string, until: number): Promise<Found> {
    const { connectionId, campaignUid, productId, otherForm } = question
    const client = await this.#clientOf(connectionId, version)
    const ask = async (deadline: number, variantId = question.variantId): Promise<Found> => {
      const fetchedAt = Date.now()
      const price = await client.getCampaignProductPrice(
        campaignUid,
        { productId, ...(variantId === null ? {} : { variantId }) },
        { timeoutMs: Math.max(1, deadline - fetchedAt) },
      )
      this.#events.answered(connectionId, campaignUid, price)
      return { price, fetchedAt }
    }
    try {
      return await ask(until)
    } catch (error) {
      if (refusesForm(error, question) && otherForm !== false) return ask(until, otherForm)
      if (isNotFound(error) && otherForm === null) {
        // The service may know the product without variants. Where it knows it with others, this one is not in the show.
        return ask(until, null).catch((alone: unknown) => {
          throw refusesForm(alone, question) ? error : alone
        })
      }
      // Also where it stood still before the call, which then had no time left.
      if (error instanceof SvcError && error.failure === "retry" && endedLate(until, Date.now())) {
        // Connections that were closed meanwhile are noticed first: another try over one of them would fail.
        await sleep(RETRY_WAIT_MS)
        return ask(Date.now() + this.settings.timeoutMs)
      }
      // A refused connection has told nobody anything, and the process behind it may just be restarting.
      const refused = error instanceof SvcError && error.connectionRefused
      if (!refused || until - Date.now() < RETRY_WAIT_MS * 2) throw error
      await sleep(RETRY_WAIT_MS)
      return ask(until)
    }
  }

  /** Campaigns that nobody ever named have one of their own: browsers make them up, and what fails there stops no show. */
  #breakerOf(connectionId: string, isKnown: boolean): LookupBreaker {
    const key = `${connectionId} ${isKnown}`
    const breaker = this.#breakers.get(key) ?? new LookupBreaker()
    this.#breakers.set(key, breaker)
    return breaker
  }

  #gateOf(connectionId: string): Gate {
    const gate = this.#gates.get(connectionId) ?? new Gate(this.settings.concurrency)
    this.#gates.set(connectionId, gate)
    return gate
  }
}

const NOT_IN_SHOW: PriceAnswer = { ok: false, reason: { code: "not_in_show" } }

const answerOf = ({ price, fetchedAt }: Found): PriceAnswer =>
  price === null ? NOT_IN_SHOW : { ok: true, price, source: "lookup", fetchedAt }

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

const isNotFound = (error: unknown): boolean =>
  error instanceof SvcError && error.code === "svc_not_found"

/** The token, or its right to this campaign, is refused. */
const isRefused = ({ failure, status }: SvcError): boolean => failure === "broken" || status === 403

/** As JSON or an address repeats it; a sentence has no quote behind the name. */
const REPEATED_KEY = /variant_?id(?:["'\\]+\s*:|=)\s*["'\\]*null/gi

/**
 * The service knows the product with variants and got none, or the reverse: the one refusal that names them (interface §2.2).
 * One that repeats what we sent names them too and means nothing by it: Medusa's ids begin with `variant_`.
 */
function refusesForm(error: unknown, question: PriceQuestion): boolean {
  if (!(error instanceof SvcError) || error.code !== "svc_rejected") return false
  const { campaignUid, productId, variantId, otherForm } = question
  const ids = [campaignUid, productId, variantId, otherForm].flatMap((id) => id || [])
  const escaped = ids.map((id) => id.replace(/\W/g, "\\$&")).join("|")
  const sent = new RegExp(`(?<!\\w)(?:${escaped})(?!\\w)`, "g")
  const said = (error.excerpt ?? "").replace(sent, "null").replace(REPEATED_KEY, "")
  return /variant/i.test(said)
}
