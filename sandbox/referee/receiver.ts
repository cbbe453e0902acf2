/**
 * The receiver that is judged, and the ways to talk to it: what is sent has ids of this run, so a
 * check may be repeated.
 */

import { randomBytes, randomUUID } from "node:crypto"
import { bareEvent, bareProduct } from "../contract/bare-payloads"
import { ENVELOPE_VERSION, TEST_TOPIC, type Topic, USER_AGENT } from "../contract/interface"
import { sign } from "../webhooks/signing"
import { LEAST_LOOKS } from "./patience"
import { type PostAnswer, post } from "./post"
import type { ShopDriver, ShopState } from "./shop-driver"
import { broken, type Judgement, kept, undecided } from "./verdict"

type Target = {
  url: string
  key: string
  pageUid: string
  subscriberUid: string
  shop: ShopDriver
  /** How long the shop may take to show what a delivery brought, in ms. */
  patienceMs: number
}

type EnvelopeChanges = {
  occurredAt?: number
  eventUid?: string
  pageUid?: string
  version?: string
  more?: object
}
type SendChanges = {
  key?: string
  /** In place of the time and the signature of this moment; null leaves the header out. */
  timestamp?: string | null
  signature?: string | null
  headers?: Record<string, string>
  cut?: boolean
  pieces?: number
}

export const SECOND = 1000
const DAY = 86_400 * SECOND

export class Receiver {
  /** Ids of this run. */
  readonly run = randomBytes(4).toString("hex")
  private changes = 0

  constructor(readonly target: Target) {}

  envelope(topic: string, data: unknown, changes: EnvelopeChanges = {}) {
    const { pageUid, subscriberUid } = this.target
    return {
      version: changes.version ?? ENVELOPE_VERSION,
      topic,
      occurredAt: changes.occurredAt ?? Date.now() - 60 * SECOND + this.changes++,
      deliveryUid: randomUUID(),
      deliveryAt: Date.now(),
      metadata: {
        pageUid: changes.pageUid ?? pageUid,
        subscriberUid,
        eventUid: changes.eventUid ?? randomUUID(),
      },
      data,
      ...changes.more,
    }
  }

  event(name: string, text = name) {
    const show = bareEvent({
      id: `check-${this.run}-${name}`,
      campaignId: `check-${this.run}-campaign-${name}`,
      name: text,
    })
    const eventStartTimestamp = Date.now() + DAY
    return { ...show, event: { ...show.event, eventStartTimestamp, isPublished: false } }
  }

  product(name: string, show: string, price: number) {
    return bareProduct({
      uid: `check-${this.run}-${name}`,
      sku: `CHECK-${name}`,
      externalId: `check-${this.run}-external-${name}`,
      campaignUid: `check-${this.run}-campaign-${show}`,
      price,
      url: "https://shop.example/check",
      name: `Check ${name}`,
    })
  }

  /** Signs a body as of now and sends it; `changes` make it wrong on purpose. */
  send(body: unknown, changes: SendChanges = {}): Promise<PostAnswer> {
    const bytes = Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
    const { timestamp = String(Date.now()), key = this.target.key } = changes
    const { signature = sign(key, timestamp ?? "", bytes) } = changes
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      "User-Agent": USER_AGENT,
      ...(timestamp !== null && { "X-Svc-Timestamp": timestamp }),
      ...(signature !== null && { "X-Svc-Signature": signature }),
      ...hints(bytes),
      ...changes.headers,
    }
    return post({ url: this.target.url, headers, body: bytes, ...pick(changes) })
  }

  announce(
    topic: Topic | "order.placed",
    data: unknown,
    changes?: EnvelopeChanges,
  ): Promise<PostAnswer> {
    return this.send(this.envelope(topic, data, changes))
  }

  /** Tells of one show that began to change this long ago, each change so much later. */
  teller(name: string, agoMs: number) {
    const began = Date.now() - agoMs
    return (what: "created" | "updated" | "deleted", afterMs: number, text = name) =>
      this.announce(`live_event.${what}`, this.event(name, text), { occurredAt: began + afterMs })
  }

  /** Any right delivery, for rules about how it is sent. */
  sample(name: string) {
    return this.envelope("live_event.created", this.event(name))
  }

  /** Looks until the shop shows it, or the patience is over. */
  async shows(what: string, holds: (state: ShopState) => boolean): Promise<Judgement> {
    const { shop, patienceMs } = this.target
    if (!shop.state) return undecided(`Nothing shows what the shop made of it (${what}).`)
    const until = performance.now() + patienceMs
    for (let looks = 1; ; looks += 1) {
      if (holds(await shop.state())) return kept(what)
      if (looks >= LEAST_LOOKS && performance.now() > until)
        return broken(`Not so after ${patienceMs} ms: ${what}`)
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
  }

  /** The same where nothing must change: what is right now must be right a moment later too. */
  async stays(what: string, holds: (state: ShopState) => boolean): Promise<Judgement> {
    const { shop, patienceMs } = this.target
    if (!shop.state) return undecided(`Nothing shows what the shop made of it (${what}).`)
    const first = await this.shows(what, holds)
    if (first.verdict !== "kept") return first
    await new Promise((resolve) => setTimeout(resolve, Math.min(1500, patienceMs / 4)))
    return holds(await shop.state()) ? kept(what) : broken(`Not so any more: ${what}`)
  }

  nameOf(state: ShopState, name: string): string | undefined {
    const found = state.events.find(({ id }) => id === `check-${this.run}-${name}`)
    return found && !found.deleted ? found.name : undefined
  }

  priceOf(state: ShopState, name: string): number | undefined {
    const found = state.products.find(({ uid }) => uid === `check-${this.run}-${name}`)
    return found && !found.deleted ? found.price : undefined
  }
}

function hints(bytes: Buffer): Record<string, string> {
  try {
    const { topic, deliveryUid, metadata } = JSON.parse(bytes.toString("utf8"))
    return {
      "X-Svc-Topic": String(topic),
      "X-Svc-Delivery-Uid": String(deliveryUid),
      "X-Svc-Page-Uid": String(metadata.pageUid),
      "X-Svc-Subscriber-Uid": String(metadata.subscriberUid),
      ...(topic !== TEST_TOPIC && { "X-Svc-Event-Uid": String(metadata.eventUid) }),
    }
  } catch {
    return {}
  }
}

const pick = ({ cut, pieces }: SendChanges) => ({
  ...(cut && { cut }),
  ...(pieces !== undefined && { pieces }),
})
