/**
 * Deliveries: one per change and subscriber, tried until it succeeds, is dropped or has used up its
 * attempts (interface §3.3, §6, §7).
 *
 * ```
 *   pending --2xx--------------------------> delivered
 *      |  ^
 *      |  +-- retryable, attempts left: again after 60 / 180 / 540 s
 *      +--- retryable, 4th attempt --------> failed  --+
 *      +--- other 4xx, or subscriber gone -> dropped --+-- manual re-send, 2xx --> delivered
 * ```
 */

import { SandboxError } from "../contract/errors"
import { ENVELOPE_VERSION, LIMITS, TEST_TOPIC, USER_AGENT } from "../contract/interface"
import type { Timer } from "../simulation/clock"
import { type Adversary, type Fault, isAdversary } from "../simulation/faults"
import { stampNow } from "../simulation/stamps"
import type { ContextOfQueue } from "../store/context"
import type { DeliveryQueue } from "../store/delivery-queue"
import { loggedHeaders } from "../store/journal"
import type { Attempt, AttemptTrigger, Delivery, Subscriber } from "../store/tables"
import { loggedBody, trim } from "../store/tables"
import { ATTACKS } from "./adversary"
import { classify } from "./classification"
import { appendCustomHeaders } from "./custom-headers"
import { serialize } from "./envelope"
import { type Flight, Outbound, type OutboundResult, SOCKETS_PER_HOST } from "./outbound"
import { waitAfter } from "./retry-schedule"
import { Semaphore } from "./semaphore"
import { sign } from "./signing"
import { recordOutcome } from "./subscribers"

export const KEEP_DELIVERIES = 20_000
const HOUR_MS = 3_600_000
const SHUFFLE_WINDOW_MS = 500
const STORM_WINDOW_MS = 2000
const TIMESTAMP = "X-Svc-Timestamp"
const SIGNATURE = "X-Svc-Signature"

/** What is known of a delivery before its attempts have ended, which may be in any order. */
type Progress = {
  /** Which delivery it is in the order of their making. */
  rank: number
  /** Attempts that were begun. */
  begun: number
  /** As it was signed for the latest attempt, whatever a fault made of it. */
  message?: Message
}
/**
 * What is settled of an attempt as it is asked for. It may then wait for a free socket behind others,
 * whose answers come in any order: what is drawn afterwards would differ from run to run.
 */
type Place = { seq: number; nth: number; number: number; fault: Fault | null }
/** Where an attempt goes. */
type Address = { url: URL; path: string; semaphore: Semaphore }

export class Dispatcher implements DeliveryQueue {
  private readonly outbound = new Outbound()
  private readonly semaphores = new Map<string, Semaphore>()
  private readonly addresses = new Map<string, Address>()
  /** In the order in which they began, each with the time of the sandbox's clock at which it is cut. */
  private readonly flights = new Map<Flight, number>()
  /** Of the first of them, or of one before it that has ended. */
  private deadline: Timer | null = null
  private readonly progress = new WeakMap<Delivery, Progress>()
  private ranks = 0
  /** By subscriber: ends when the outcomes of all attempts so far are recorded. */
  private readonly recorded = new Map<string, Promise<void>>()
  private closed = false

  constructor(private readonly context: ContextOfQueue) {}

  close(): void {
    this.closed = true
    this.abandon()
    this.outbound.close()
  }

  abandon(): void {
    for (const flight of this.flights.keys()) flight.timeOut()
    this.flights.clear()
    this.disarm()
    this.semaphores.clear()
    this.addresses.clear()
    this.recorded.clear()
  }

  enqueue(delivery: Delivery): void {
    const { tables, profiles, random, clock, changes } = this.context
    this.progressOf(delivery)
    tables.deliveries.set(delivery.id, delivery)
    trim(tables.deliveries, KEEP_DELIVERIES, (kept) => kept.state === "pending")
    changes.touch("deliveries")
    if (profiles.get("order") === "shuffled") {
      const wait = random.stream("order", delivery.id).between(0, SHUFFLE_WINDOW_MS)
      this.schedule(delivery, clock.now() + wait)
    } else {
      delivery.next_attempt_at = clock.now()
      void this.attempt(delivery, "event")
    }
  }

  resume(): void {
    for (const delivery of this.context.tables.deliveries.values()) {
      if (delivery.state === "pending") {
        this.schedule(delivery, delivery.next_attempt_at ?? this.context.clock.now())
      }
    }
  }

  async resend(delivery: Delivery): Promise<void> {
    const subscriber = this.context.tables.subscribers.get(delivery.subscriber_uid)
    if (!subscriber || subscriber.state === "disabled") {
      throw new SandboxError(
        409,
        subscriber ? "subscriber_disabled" : "subscriber_gone",
        subscriber
          ? "The subscriber is disabled: activate it first."
          : "The subscriber of this delivery was deleted.",
      )
    }
    await this.attempt(delivery, "resend")
  }

  async test(subscriber: Subscriber): Promise<Delivery> {
    const { random, clock, tables } = this.context
    const now = clock.now()
    const delivery: Delivery = {
      id: random.id("del"),
      page_uid: subscriber.page_uid,
      subscriber_uid: subscriber.uid,
      event_uid: random.id("evt"),
      topic: TEST_TOPIC,
      version: subscriber.version ?? ENVELOPE_VERSION,
      occurred_at: stampNow(this.context),
      data: JSON.stringify({ test: true }),
      created_at: now,
      state: "pending",
      next_attempt_at: null,
      attempts: [],
    }
    tables.deliveries.set(delivery.id, delivery)
    await this.attempt(delivery, "test")
    return delivery
  }

  private schedule(delivery: Delivery, at: number): void {
    delivery.next_attempt_at = at
    const attempt = () => {
      // A re-send may have succeeded meanwhile, or the whole state was replaced.
      if (this.isCurrent(delivery) && delivery.state === "pending") {
        return this.attempt(delivery, delivery.attempts.length === 0 ? "event" : "retry")
      }
    }
    this.context.clock.schedule(at, attempt, this.progressOf(delivery).rank)
  }

  private progressOf(delivery: Delivery): Progress {
    let progress = this.progress.get(delivery)
    if (!progress) {
      progress = { rank: ++this.ranks, begun: delivery.attempts.length }
      this.progress.set(delivery, progress)
    }
    return progress
  }

  private isCurrent(delivery: Delivery): boolean {
    return this.context.tables.deliveries.get(delivery.id) === delivery
  }

  private attempt(delivery: Delivery, trigger: AttemptTrigger): Promise<void> {
    const subscriber = this.context.tables.subscribers.get(delivery.subscriber_uid)
    if (!subscriber) {
      drop(delivery)
      return Promise.resolve()
    }
    if (isUnwanted(subscriber, trigger)) {
      if (trigger === "event" || trigger === "retry") drop(delivery)
      return Promise.resolve()
    }
    const { clock, faults, journal } = this.context
    const { path, semaphore } = this.addressOf(subscriber)
    const number = numberOf(delivery, trigger)
    const seq = journal.reserve()
    const nth = ++this.progressOf(delivery).begun
    const fault = faults.take({
      endpoint: "delivery",
      pageUid: delivery.page_uid,
      method: "POST",
      path,
      topic: delivery.topic,
      eventUid: delivery.event_uid,
      subscriberUid: subscriber.uid,
      attempt: number,
      entity: `${delivery.id}/${nth}`,
    })
    const place = { seq, nth, number, fault }
    return clock.track(semaphore.run(() => this.carryOut(delivery, subscriber.uid, trigger, place)))
  }

  private addressOf(subscriber: Subscriber): Address {
    let address = this.addresses.get(subscriber.url)
    if (!address) {
      const url = new URL(subscriber.url)
      address = { url, path: url.pathname, semaphore: this.semaphoreOf(url.origin) }
      this.addresses.set(subscriber.url, address)
    }
    return address
  }

  private semaphoreOf(origin: string): Semaphore {
    let semaphore = this.semaphores.get(origin)
    if (!semaphore) {
      semaphore = new Semaphore(SOCKETS_PER_HOST)
      this.semaphores.set(origin, semaphore)
    }
    return semaphore
  }

  private async carryOut(
    delivery: Delivery,
    subscriberUid: string,
    trigger: AttemptTrigger,
    place: Place,
  ): Promise<void> {
    const { tables, clock, changes } = this.context
    const subscriber = tables.subscribers.get(subscriberUid)
    if (this.closed || !this.isCurrent(delivery)) return
    clock.noteProgress()
    // While the clock stands, all that is asked for at one moment is sent at that moment, whichever
    // answer came first; while it runs, a subscriber may have been disabled meanwhile.
    if (!subscriber || (clock.running && isUnwanted(subscriber, trigger))) {
      if (trigger === "event" || trigger === "retry") drop(delivery)
      return
    }

    const { number, fault } = place
    const at = clock.now()
    const genuine = this.compose(delivery, subscriber, trigger, place)
    const { url } = this.addressOf(subscriber)
    const adversary = fault && isAdversary(fault.kind) ? fault.kind : null
    const message = adversary
      ? this.disguised(genuine, adversary, subscriber, `${delivery.id}/${place.nth}`)
      : genuine
    const started = performance.now()
    const result = await this.inTurn(subscriber, this.send(url, message, fault))
    if (!this.isCurrent(delivery)) return

    const late = this.isTooLate(delivery, trigger, result)
    const attempt: Attempt = {
      number,
      trigger,
      delivery_uid: message.deliveryUid,
      at,
      duration_ms: Math.round(performance.now() - started),
      outcome: late ? "retry" : classify(result.status),
      status: result.status,
      error: late ? "the answer came after the timeout" : result.error,
      fault: fault?.kind ?? null,
      request: {
        url: url.href,
        headers: result.sent.headers,
        // Nearly always all of it, whose text is known.
        ...(result.sent.body === message.bytes
          ? { body: message.body }
          : loggedBody(result.sent.body)),
      },
      response:
        result.status === null ? null : { headers: result.headers, ...loggedBody(result.body) },
    }
    delivery.attempts.push(attempt)
    this.log(delivery, attempt, url, clock.elapsed(at, started), place)
    this.settle(delivery, attempt, place)
    // What somebody without the key sent is none of the service's deliveries (interface §3.2).
    if (!adversary) recordOutcome(this.context, subscriber, attempt)
    changes.touch("deliveries")
  }

  /**
   * While the clock stands, the outcomes of a subscriber are recorded in the order in which its
   * attempts began, whichever answer came first. What follows from them (states, retries, storms) is
   * then the same in every run of a scenario. While the clock runs, a silent receiver must not hold
   * back what others answered.
   */
  private async inTurn(
    subscriber: Subscriber,
    result: Promise<OutboundResult>,
  ): Promise<OutboundResult> {
    if (this.context.clock.running) return result
    const before = this.recorded.get(subscriber.uid)
    const turn = result.then(
      () => before,
      () => before,
    )
    this.recorded.set(
      subscriber.uid,
      turn.then(() => undefined),
    )
    await turn
    return result
  }

  /** What follows from an attempt (interface §3.3). */
  private settle(delivery: Delivery, attempt: Attempt, { nth }: Place): void {
    const { clock, profiles, random } = this.context
    if (attempt.trigger === "duplicate") return
    if (attempt.outcome === "success") {
      delivery.state = "delivered"
      delivery.next_attempt_at = null
      if (profiles.get("duplicates") === "storm" && attempt.trigger !== "test") {
        const draw = random.stream("storm", delivery.id, nth)
        const { rank } = this.progressOf(delivery)
        for (let copies = draw.between(2, 4); copies > 0; copies--) {
          const copy = () =>
            this.isCurrent(delivery) ? this.attempt(delivery, "duplicate") : undefined
          clock.schedule(clock.now() + draw.between(0, STORM_WINDOW_MS), copy, rank)
        }
      }
      return
    }
    // A re-send that fails leaves the delivery as it was, and so does a retry that was under way
    // while a re-send succeeded or the subscriber was disabled.
    if (attempt.trigger === "resend" || delivery.state !== "pending") return
    // A test is not repeated.
    const wait = attempt.trigger === "test" ? null : waitAfter(attempt.number)
    if (attempt.outcome === "retry" && wait !== null) {
      this.schedule(delivery, attempt.at + wait)
    } else {
      delivery.state = attempt.outcome === "drop" ? "dropped" : "failed"
      delivery.next_attempt_at = null
    }
  }

  private isTooLate(delivery: Delivery, trigger: AttemptTrigger, result: OutboundResult): boolean {
    return (
      this.context.profiles.get("late_2xx") === "on" &&
      (trigger === "event" || trigger === "retry") &&
      delivery.attempts.length === 0 &&
      classify(result.status) === "success"
    )
  }

  private async send(url: URL, message: Message, fault: Fault | null): Promise<OutboundResult> {
    if (fault?.kind === "delay") {
      await new Promise((resolve) => setTimeout(resolve, fault.delay_ms ?? 0))
      this.context.clock.noteProgress()
    }
    let flight: Flight
    try {
      flight = this.outbound.send({ url, headers: message.headers, body: message.bytes, fault })
    } catch (error) {
      const nothing = Buffer.alloc(0)
      const sent = { headers: [], body: nothing }
      return { status: null, headers: {}, body: nothing, error: String(error), sent }
    }
    // The clock's timeout is what §6.6 asks for; the real one is for a clock that stands still.
    const fallback = setTimeout(flight.timeOut, LIMITS.attemptTimeoutMs)
    this.flights.set(flight, this.context.clock.now() + LIMITS.attemptTimeoutMs)
    this.arm()
    try {
      return await flight.done
    } finally {
      this.flights.delete(flight)
      if (this.flights.size === 0) this.disarm()
      clearTimeout(fallback)
    }
  }

  /** One timer for all that is in flight: they have the same time, so the first to begin is the first due. */
  private arm(): void {
    if (this.deadline) return
    const { clock } = this.context
    for (const until of this.flights.values()) {
      this.deadline = clock.schedule(until, () => this.cutOverdue())
      return
    }
  }

  private disarm(): void {
    if (this.deadline) this.context.clock.cancel(this.deadline)
    this.deadline = null
  }

  private cutOverdue(): void {
    this.deadline = null
    const now = this.context.clock.now()
    for (const [flight, until] of this.flights) {
      if (until > now) break
      this.flights.delete(flight)
      flight.timeOut()
    }
    this.arm()
  }

  /** Headers (interface §6.4) and body (§2.5) of one attempt, signed (§5 rule 3). */
  private compose(
    delivery: Delivery,
    subscriber: Subscriber,
    trigger: AttemptTrigger,
    { nth }: Place,
  ): Message {
    const { profiles, random } = this.context
    const progress = this.progressOf(delivery)
    if (trigger === "resend" && progress.message && profiles.get("resend_signing") === "frozen") {
      return progress.message
    }

    const at = stampNow(this.context)
    const deliveryUid = random.stream("delivery", delivery.id, nth).id("dlv")
    const isTest = delivery.topic === TEST_TOPIC
    const isOwn = profiles.get("subscriber_ids") === "own"
    const subscriberUid = isOwn ? `sub_${subscriber.uid}` : subscriber.uid
    const metadata = {
      pageUid: delivery.page_uid,
      subscriberUid,
      eventUid: delivery.event_uid,
    }
    const body = serialize(
      {
        version: delivery.version,
        topic: delivery.topic,
        occurredAt: this.occurredAt(delivery, at),
        deliveryUid,
        deliveryAt: at,
        metadata: isTest && profiles.get("test_body") === "bare" ? {} : metadata,
      },
      delivery.data,
      profiles.get("body_format"),
    )
    const timestamp = String(profiles.get("timestamp_header") === "differs" ? at + 7 : at)
    const bytes = Buffer.from(body, "utf8")
    const signature = sign(subscriber.signature_key, timestamp, bytes, profiles.get("key_encoding"))
    const hints: [string, string][] = [
      ["X-Svc-Page-Uid", delivery.page_uid],
      ["X-Svc-Subscriber-Uid", subscriberUid],
      ["X-Svc-Topic", delivery.topic],
      ["X-Svc-Delivery-Uid", deliveryUid],
    ]
    // interface §6.2 rule 4: a test delivery bears every header but this one.
    if (!isTest) hints.push(["X-Svc-Event-Uid", delivery.event_uid])
    const own: [string, string][] = [
      ["Host", this.addressOf(subscriber).url.host],
      ["Connection", "keep-alive"],
      bodyFraming(subscriber, bytes.length),
      ["Content-Type", "application/json"],
      ["User-Agent", USER_AGENT],
      ...this.hints(hints),
      [TIMESTAMP, timestamp],
      [SIGNATURE, signature],
    ]
    const headers = appendCustomHeaders(own, subscriber.custom_headers)
    progress.message = { deliveryUid, body, bytes, headers }
    return progress.message
  }

  /** The same attempt as somebody without the key would send it; the seed picks in which way. */
  private disguised(
    { headers, body, deliveryUid }: Message,
    kind: Adversary,
    { signature_key }: Subscriber,
    attempt: string,
  ): Message {
    const { random, profiles } = this.context
    const value = (wanted: string) => headers.find(([name]) => name === wanted)?.[1] ?? ""
    const { disguise } = random.stream("adversary", attempt).pick(ATTACKS[kind])
    const sent = disguise({
      key: signature_key,
      encoding: profiles.get("key_encoding"),
      timestamp: value(TIMESTAMP),
      body,
    })
    const changed = new Map([
      [TIMESTAMP, sent.timestamp],
      [SIGNATURE, sent.signature],
    ])
    const kept = headers.flatMap(([name, was]): [string, string][] => {
      const now = changed.get(name)
      if (now === null) return []
      return [[name, now ?? was]]
    })
    return { deliveryUid, headers: kept, body: sent.body, bytes: Buffer.from(sent.body, "utf8") }
  }

  /** The headers that repeat what the body says, unsigned (interface §6.4, gap 9). */
  private hints(headers: [string, string][]): [string, string][] {
    switch (this.context.profiles.get("hint_headers")) {
      case "as_documented":
        return headers.map(([name, value]) => [name, inHeader(value)])
      case "missing":
        return []
      case "contradicting":
        return headers.map(([name]) => [name, "another"])
    }
  }

  private occurredAt(delivery: Delivery, at: number): number {
    const profile = this.context.profiles.get("occurred_at")
    if (profile === "future") return delivery.occurred_at + HOUR_MS
    return profile === "unstable" && delivery.attempts.length > 0 ? at : delivery.occurred_at
  }

  private log(
    delivery: Delivery,
    { request, ...attempt }: Attempt,
    url: URL,
    ms: number,
    place: Place,
  ): void {
    const { headers, url: _, ...body } = request
    this.context.journal.add(
      {
        direction: "out",
        at: attempt.at,
        ms,
        endpoint: "delivery",
        method: "POST",
        path: `${url.pathname}${url.search}`,
        page_uid: delivery.page_uid,
        status: attempt.status,
        fault: attempt.fault,
        request: { headers: loggedHeaders(headers), ...body },
        response: attempt.response,
        topic: delivery.topic,
        subscriber_uid: delivery.subscriber_uid,
        event_uid: delivery.event_uid,
        delivery_uid: attempt.delivery_uid,
        attempt: attempt.number,
        outcome: attempt.outcome,
      },
      place.seq,
    )
  }
}

/**
 * How the end of the body is told. `Trailer` as a custom header (interface §6.5 allows the name) is
 * for bodies that come in chunks: HTTP clients refuse to send it beside a length.
 */
function bodyFraming({ custom_headers }: Subscriber, length: number): [string, string] {
  const trailer = custom_headers.some(({ name }) => name.toLowerCase() === "trailer")
  return trailer ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(length)]
}

type Message = { deliveryUid: string; headers: [string, string][]; body: string; bytes: Buffer }

/** interface §3.2: nothing is sent to a disabled subscriber, nor later what it missed. */
function isUnwanted({ state }: Subscriber, trigger: AttemptTrigger): boolean {
  return state === "disabled" && trigger !== "test"
}

function drop(delivery: Delivery): void {
  delivery.state = "dropped"
  delivery.next_attempt_at = null
}

/**
 * First attempt and retries are numbered among themselves, because §6.6 counts them; a re-send or a
 * duplicate gets the next number of all attempts.
 */
function numberOf(delivery: Delivery, trigger: AttemptTrigger): number {
  if (delivery.attempts.length === 0) return 1
  if (trigger === "resend" || trigger === "duplicate") return delivery.attempts.length + 1
  const chain = delivery.attempts.filter((a) => a.trigger === "event" || a.trigger === "retry")
  return chain.length + 1
}

/** A header carries ASCII; an identifier may be anything. */
const inHeader = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text)
