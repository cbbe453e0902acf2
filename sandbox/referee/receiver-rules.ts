/**
 * The rules for a webhook receiver, each with the deliveries that show whether it is kept. They are
 * played one after another against the real address; every shown thing has an id of this run, so a
 * check may be repeated.
 */

import { randomBytes, randomUUID } from "node:crypto"
import type { Topic } from "../contract/interface"
import { sign } from "../webhooks/signing"
import { type PostAnswer, post } from "./post"
import type { ShopDriver, ShopState } from "./shop-driver"
import { broken, type Judgement, kept, undecided, worst } from "./verdict"

type Target = {
  url: string
  key: string
  pageUid: string
  subscriberUid: string
  shop: ShopDriver
  /** How long the shop may take to show what a delivery brought, in ms. */
  patienceMs: number
}

type Rule = {
  rule: string
  cites: string
  says: string
  judge(receiver: Receiver): Promise<Judgement>
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
  timestamp?: string
  signature?: string
  headers?: Record<string, string>
  /** In place of the time and the signature of this moment. */
  without?: "X-Svc-Timestamp" | "X-Svc-Signature"
  cut?: boolean
  pieces?: number
}

const SECOND = 1000
const DAY = 86_400 * SECOND

/** The receiver under judgement, and the ways to talk to it. */
export class Receiver {
  /** Ids of this run. */
  readonly run = randomBytes(4).toString("hex")
  private changes = 0

  constructor(readonly target: Target) {}

  envelope(topic: string, data: unknown, changes: EnvelopeChanges = {}) {
    const { pageUid, subscriberUid } = this.target
    return {
      version: changes.version ?? "v1",
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
    const id = `check-${this.run}-${name}`
    return {
      id,
      event: {
        id,
        campaignId: `check-${this.run}-campaign-${name}`,
        eventName: text,
        eventNameShort: text,
        description: "",
        eventStartTimestamp: Date.now() + DAY,
        liveStartTime: 0,
        liveEndTime: 0,
        currentStatus: "planned",
        isPublished: false,
        coverPhotoPath: "",
        coverPhotoPortraitModePath: "",
        liveVideoCover: "",
        cdnMp4VideoUrl: "",
        animation: "",
        tags: [],
        category: "",
        shoppableGroups: [],
      },
      campaign: { deadline: 0 },
    }
  }

  product(name: string, show: string, price: number) {
    const uid = `check-${this.run}-${name}`
    return {
      id: uid,
      uid,
      sku: `CHECK-${name}`,
      externalId: `check-${this.run}-external-${name}`,
      campaignUid: `check-${this.run}-campaign-${show}`,
      price,
      suggestedRetailPrice: price,
      available: true,
      isVirtualProduct: false,
      brand: "",
      url: "https://shop.example/check",
      name: `Check ${name}`,
      sorting: 1,
    }
  }

  /** Signs a body as of now and sends it; `changes` make it wrong on purpose. */
  send(body: unknown, changes: SendChanges = {}): Promise<PostAnswer> {
    const bytes = Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
    const timestamp = changes.timestamp ?? String(Date.now())
    const signature = changes.signature ?? sign(changes.key ?? this.target.key, timestamp, bytes)
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      "User-Agent": "Svc-Webhooks/1",
      "X-Svc-Timestamp": timestamp,
      "X-Svc-Signature": signature,
      ...hints(bytes),
      ...changes.headers,
    }
    if (changes.without) delete headers[changes.without]
    return post({ url: this.target.url, headers, body: bytes, ...pick(changes) })
  }

  announce(topic: Topic, data: unknown, changes?: EnvelopeChanges): Promise<PostAnswer> {
    return this.send(this.envelope(topic, data, changes))
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
    for (;;) {
      if (holds(await shop.state())) return kept(what)
      if (performance.now() > until) return broken(`Not so after ${patienceMs} ms: ${what}`)
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
      ...(topic !== "svc.test" && { "X-Svc-Event-Uid": String(metadata.eventUid) }),
    }
  } catch {
    return {}
  }
}

const pick = ({ cut, pieces }: SendChanges) => ({
  ...(cut && { cut }),
  ...(pieces !== undefined && { pieces }),
})

const told = ({ status, said, ms }: PostAnswer): string =>
  status === null ? `no answer (${said})` : `${status} in ${ms} ms`
const isTaken = ({ status }: PostAnswer): boolean =>
  status !== null && status >= 200 && status <= 299
/** An answer after which the service does not try again (interface §7). */
const isFinalRefusal = ({ status }: PostAnswer): boolean =>
  status !== null && status >= 400 && status <= 499 && status !== 408 && status !== 429

function taken(answer: PostAnswer, what: string): Judgement {
  if (isTaken(answer)) return kept(`${what}: ${told(answer)}`)
  return broken(`${what} is not taken: ${told(answer)}`)
}

/** interface §5 point 5: 401 and nothing else. */
function refused(answer: PostAnswer, what: string): Judgement {
  if (answer.status === 401) return kept(`${what}: 401`)
  return broken(`${what} must be answered 401: ${told(answer)}`)
}

/** 2xx or a final refusal: anything else makes the service send what can never succeed again and again. */
function settledFor(answer: PostAnswer, what: string): Judgement {
  if (isTaken(answer) || isFinalRefusal(answer)) return kept(`${what}: ${told(answer)}`)
  return broken(`${what} would be sent again for nothing: ${told(answer)}`)
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** Texts that decode to the same bytes in a lenient decoder, but are not what the service sends. */
function respelled(signature: string): [string, string][] {
  const last = ALPHABET.indexOf(signature.charAt(42))
  return [
    ["a signature with junk at its end", `${signature}!!`],
    ["a signature without its padding", signature.replace(/=+$/, "")],
    ["a signature with a blank inside", `${signature.slice(0, 20)} ${signature.slice(20)}`],
    [
      "a signature whose unused bits are set",
      `${signature.slice(0, 42)}${ALPHABET.charAt(last ^ 1)}=`,
    ],
  ]
}

export const RECEIVER_RULES: Rule[] = [
  {
    rule: "takes-signed",
    cites: "§4.7 point 2, §5 rule 3",
    says: "takes a delivery that is signed with its key",
    judge: async (receiver) => taken(await receiver.send(receiver.sample("signed")), "A delivery"),
  },
  {
    rule: "is-https",
    cites: "§2.4",
    says: "is reached over https",
    judge: async ({ target }) =>
      target.url.startsWith("https:")
        ? kept("https, with a certificate that this machine trusts")
        : undecided("Plain http is for tests; the service calls https addresses only."),
  },
  {
    rule: "answers-in-time",
    cites: "§6.6 point 2",
    says: "answers within 10 seconds",
    judge: async (receiver) => {
      const answer = await receiver.send(receiver.sample("timed"))
      if (answer.status === null) return broken(told(answer))
      return answer.ms <= 10_000 ? kept(`${answer.ms} ms`) : broken(`${answer.ms} ms`)
    },
  },
  {
    rule: "refuses-forged",
    cites: "§5 point 5",
    says: "answers 401 to a made-up signature",
    judge: async (receiver) => {
      const made = randomBytes(32).toString("base64")
      const answers = [
        refused(
          await receiver.send(receiver.sample("forged"), { signature: made }),
          "A made-up signature",
        ),
        refused(
          await receiver.send(receiver.sample("forged"), { signature: "x" }),
          "No signature at all",
        ),
        refused(
          await receiver.send(receiver.sample("forged"), { signature: "\u00e6".repeat(20) }),
          "A signature of other letters",
        ),
      ]
      return worst(answers)
    },
  },
  {
    rule: "refuses-unsigned",
    cites: "§5 point 5, §6.4",
    says: "answers 401 where the time or the signature is missing",
    judge: async (receiver) =>
      worst([
        refused(
          await receiver.send(receiver.sample("unsigned"), { without: "X-Svc-Signature" }),
          "A delivery without X-Svc-Signature",
        ),
        refused(
          await receiver.send(receiver.sample("unsigned"), { without: "X-Svc-Timestamp" }),
          "A delivery without X-Svc-Timestamp",
        ),
      ]),
  },
  {
    rule: "refuses-tampered",
    cites: "§5 point 3",
    says: "answers 401 to a body that was changed after it was signed",
    judge: async (receiver) => {
      const body = JSON.stringify(receiver.sample("tampered"))
      const timestamp = String(Date.now())
      const signature = sign(receiver.target.key, timestamp, Buffer.from(body))
      const send = (changed: string) => receiver.send(changed, { timestamp, signature })
      return worst([
        refused(await send(body.replace("planned", "live")), "A body with another status"),
        refused(await send(`${body} `), "A body with one more space"),
        refused(await send(JSON.stringify(JSON.parse(body), null, 1)), "A body written anew"),
      ])
    },
  },
  {
    rule: "refuses-other-key",
    cites: "§2.4 point 2, §5 rule 3",
    says: "answers 401 to a signature by another key",
    judge: async (receiver) => {
      const other = randomBytes(32).toString("base64")
      return worst([
        refused(await receiver.send(receiver.sample("other-key"), { key: other }), "Another key"),
        refused(await receiver.send(receiver.sample("other-key"), { key: "" }), "An empty key"),
      ])
    },
  },
  {
    rule: "refuses-stale",
    cites: "gap 7, §5 point 2",
    says: "refuses a right signature of another time, so that nobody can play it back",
    judge: async (receiver) => {
      const at = (ms: number) => ({ timestamp: String(Date.now() + ms) })
      return worst([
        refused(await receiver.send(receiver.sample("stale"), at(-DAY)), "Signed a day ago"),
        refused(await receiver.send(receiver.sample("early"), at(DAY)), "Signed for tomorrow"),
      ])
    },
  },
  {
    rule: "reads-signature-exactly",
    cites: "§5 point 1",
    says: "takes a signature in the one spelling that the service writes",
    judge: async (receiver) => {
      const body = Buffer.from(JSON.stringify(receiver.sample("spelled")))
      const timestamp = String(Date.now())
      const judgements: Judgement[] = []
      for (const [what, signature] of respelled(sign(receiver.target.key, timestamp, body))) {
        const answer = await receiver.send(body, { timestamp, signature })
        judgements.push(refused(answer, `${what[0]?.toUpperCase()}${what.slice(1)}`))
      }
      return worst(judgements)
    },
  },
  {
    rule: "reads-time-exactly",
    cites: "§5 point 2",
    says: "takes a time in digits and in no other form",
    judge: async (receiver) => {
      const now = Date.now()
      const judgements: Judgement[] = []
      for (const timestamp of [
        `${now}junk`,
        `0x${now.toString(16)}`,
        `${now}.5`,
        "NaN",
        `-${now}`,
      ]) {
        const answer = await receiver.send(receiver.sample("odd-time"), { timestamp })
        judgements.push(refused(answer, `The time "${timestamp}", well signed`))
      }
      return worst(judgements)
    },
  },
  {
    rule: "verifies-raw-bytes",
    cites: "§5 point 3",
    says: "checks the bytes as they came, not the JSON written anew",
    judge: async (receiver) => {
      const forms: [string, (json: string) => string][] = [
        ["An indented body", (json) => JSON.stringify(JSON.parse(json), null, 2)],
        ["A body in escapes", escaped],
        ["A body with blanks around it", (json) => `\r\n ${json}\n`],
        [
          "Numbers in another spelling",
          (json) => json.replace('"liveEndTime":0', '"liveEndTime":0.0e1'),
        ],
      ]
      const judgements: Judgement[] = []
      for (const [i, [what, form]] of forms.entries()) {
        const sent = receiver.envelope("live_event.created", receiver.event(`raw-${i}`, "Æ 🎥"))
        judgements.push(taken(await receiver.send(form(JSON.stringify(sent))), what))
      }
      return worst(judgements)
    },
  },
  {
    rule: "takes-repeats",
    cites: "§6.1 point 1, §6.1 point 3",
    says: "answers 2xx to what it has already: the same attempt, and another one",
    judge: async (receiver) => {
      const first = receiver.sample("repeat")
      const again = { ...first, deliveryUid: randomUUID(), deliveryAt: Date.now() }
      return worst([
        taken(await receiver.send(first), "The first"),
        taken(await receiver.send(first), "The same attempt once more"),
        taken(await receiver.send(again), "Another attempt of the same event"),
      ])
    },
  },
  {
    rule: "takes-storms",
    cites: "§6.1 point 3",
    says: "refuses none of many copies that come at once",
    judge: async (receiver) => {
      const first = receiver.sample("storm")
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          receiver.send({ ...first, deliveryUid: randomUUID(), deliveryAt: Date.now() }),
        ),
      )
      const lost = answers.find((answer) => isFinalRefusal(answer))
      if (lost) return broken(`One of 20 copies is refused for good: ${told(lost)}`)
      const late = answers.filter((answer) => !isTaken(answer)).length
      return late === 0
        ? kept("20 copies at once are taken")
        : undecided(`${late} of 20 copies are put off, which the service tries again`)
    },
  },
  {
    rule: "takes-tests",
    cites: "§6.2 rule 4",
    says: "takes svc.test, which has no X-Svc-Event-Uid",
    judge: async (receiver) => {
      const test = receiver.envelope("svc.test", { test: true })
      return worst([
        taken(await receiver.send(test), "A test"),
        taken(await receiver.send({ ...test, metadata: {} }), "A test without ids (gap 16)"),
      ])
    },
  },
  {
    rule: "takes-unknown-fields",
    cites: "§9 rule 2",
    says: "takes fields and values that it does not know",
    judge: async (receiver) => {
      const event = receiver.event("unknown-fields")
      const data = { ...event, apiRevision: 7, event: { ...event.event, futureField: [1, null] } }
      const sent = receiver.envelope("live_event.created", data, { more: { trace: "x" } })
      return taken(await receiver.send(sent), "A delivery with unknown fields")
    },
  },
  {
    rule: "settles-unknown-topics",
    cites: "§7 rule 2",
    says: "does not ask for an unknown topic or version again",
    judge: async (receiver) => {
      const topic = receiver.envelope("order.placed", { n: 1 })
      const version = receiver.envelope("live_event.created", receiver.event("v9"), {
        version: "v9",
      })
      return worst([
        settledFor(await receiver.send(topic), "An unknown topic"),
        settledFor(await receiver.send(version), "An unknown version"),
      ])
    },
  },
  {
    rule: "settles-malformed",
    cites: "§7 rule 2",
    says: "refuses a signed body that is no envelope, and does not ask for it again",
    judge: async (receiver) => {
      const bad: [string, string | Buffer][] = [
        ["Half a body, signed", '{"version":"v1","topic":'],
        ["A list, signed", "[]"],
        ["Bytes that are no text, signed", Buffer.from([0xff, 0xfe, 0x00, 0x80])],
        ["An empty body, signed", ""],
      ]
      const judgements: Judgement[] = []
      for (const [what, body] of bad) {
        const answer = await receiver.send(body)
        judgements.push(
          isFinalRefusal(answer)
            ? kept(`${what}: ${told(answer)}`)
            : broken(`${what} must be refused for good: ${told(answer)}`),
        )
      }
      return worst(judgements)
    },
  },
  {
    rule: "survives-cut-bodies",
    cites: "§4.7 point 2",
    says: "goes on after a connection that was cut in the middle of a body",
    judge: async (receiver) => {
      for (let times = 0; times < 3; times++)
        await receiver.send(receiver.sample("cut"), { cut: true })
      return taken(await receiver.send(receiver.sample("after-cut")), "The next delivery")
    },
  },
  {
    rule: "takes-slow-bodies",
    cites: "§6.6 point 2",
    says: "waits for a body that comes slowly",
    judge: async (receiver) => {
      const answer = await receiver.send(receiver.sample("slow"), { pieces: 15 })
      if (isTaken(answer) || isFinalRefusal(answer)) return taken(answer, "A body in 15 pieces")
      return undecided(`A body in 15 pieces is put off: ${told(answer)}`)
    },
  },
  {
    rule: "takes-large-bodies",
    cites: "gap 17",
    says: "takes a large delivery, and gives an answer to one that is too large",
    judge: async (receiver) => {
      const data = receiver.event("large")
      data.event.description = "long ".repeat(40_000)
      const large = await receiver.send(receiver.envelope("live_event.created", data))
      const huge = await receiver.send(Buffer.alloc(6 * 1024 * 1024, 0x20), { key: "wrong" })
      // A receiver that stops reading may close the connection before its answer is read.
      const alive = await receiver.send(receiver.sample("after-huge"))
      return worst([
        taken(large, "200 kB"),
        huge.status !== null && huge.status >= 500
          ? broken(`6 MB of nothing: ${told(huge)}`)
          : kept(`6 MB of nothing: ${told(huge)}`),
        taken(alive, "The next delivery"),
      ])
    },
  },
  {
    rule: "ignores-other-pages",
    cites: "§2.5, gap 11",
    says: "takes nothing from another page, though its key signs it",
    judge: async (receiver) => {
      const changes = { pageUid: `other-page-${receiver.run}` }
      const answer = await receiver.announce(
        "live_event.created",
        receiver.event("other-page"),
        changes,
      )
      if (!isTaken(answer)) return settledFor(answer, "Another page's delivery")
      return receiver.stays(
        "another page's show is not in the shop",
        (state) => receiver.nameOf(state, "other-page") === undefined,
      )
    },
  },
  {
    rule: "believes-the-body",
    cites: "§6.4, gap 9",
    says: "takes a delivery whose unsigned headers are missing or say otherwise",
    judge: async (receiver) => {
      const names = ["Topic", "Delivery-Uid", "Page-Uid", "Subscriber-Uid", "Event-Uid"]
      const other = Object.fromEntries(names.map((name) => [`X-Svc-${name}`, "another"]))
      const answer = await receiver.send(receiver.sample("hints"), { headers: other })
      return taken(answer, "A delivery with other hints")
    },
  },
  {
    rule: "keeps-odd-text",
    cites: "§2.6",
    says: "keeps names as they came, in whatever letters",
    judge: async (receiver) => {
      const text = 'Æ 🎥 \u2028 "quoted" <b>'
      const body = JSON.stringify(
        receiver.envelope("live_event.created", receiver.event("odd", text)),
      )
      const answer = taken(await receiver.send(escaped(body)), "An odd name")
      if (answer.verdict !== "kept") return answer
      return receiver.shows(
        "the show has its odd name",
        (state) => receiver.nameOf(state, "odd") === text,
      )
    },
  },
  {
    rule: "applies-each-emission",
    cites: "§2.5, §6.1 point 1",
    says: "shows what the latest of several changes brought",
    judge: async (receiver) => {
      await receiver.announce("live_event.created", receiver.event("emission", "One"))
      await receiver.announce("live_event.updated", receiver.event("emission", "Two"))
      return receiver.shows(
        "the show has its second name",
        (state) => receiver.nameOf(state, "emission") === "Two",
      )
    },
  },
  {
    rule: "applies-each-record",
    cites: "§6.2 rule 2",
    says: "shows the second change of a product, though its eventUid is the same",
    judge: async (receiver) => {
      const eventUid = `check-${receiver.run}-record`
      await receiver.announce("live_event.created", receiver.event("record-show"))
      for (const [topic, price] of [
        ["live_event_product.created", 100],
        ["live_event_product.updated", 80],
      ] as const) {
        await receiver.announce(topic, receiver.product("record", "record-show", price), {
          eventUid,
        })
      }
      return receiver.shows(
        "the product has its second price",
        (state) => receiver.priceOf(state, "record") === 80,
      )
    },
  },
  {
    rule: "keeps-order",
    cites: "§2.5",
    says: "lets an older change that comes later change nothing",
    judge: async (receiver) => {
      const at = Date.now() - 40 * SECOND
      await receiver.announce("live_event.created", receiver.event("order", "First"), {
        occurredAt: at,
      })
      await receiver.announce("live_event.updated", receiver.event("order", "Third"), {
        occurredAt: at + 2000,
      })
      const answer = taken(
        await receiver.announce("live_event.updated", receiver.event("order", "Second"), {
          occurredAt: at + 1000,
        }),
        "An older change",
      )
      if (answer.verdict !== "kept") return answer
      return receiver.stays(
        "the show has the name that it got last",
        (state) => receiver.nameOf(state, "order") === "Third",
      )
    },
  },
  {
    rule: "keeps-ties",
    cites: "gap 3, §2.5",
    says: "loses none of two changes that bear the same occurredAt",
    judge: async (receiver) => {
      const occurredAt = Date.now() - 30 * SECOND
      await receiver.announce("live_event.created", receiver.event("tie", "Made"), { occurredAt })
      await receiver.announce("live_event.updated", receiver.event("tie", "Changed"), {
        occurredAt,
      })
      return receiver.shows(
        "the show has the name that its update of the same moment brought",
        (state) => receiver.nameOf(state, "tie") === "Changed",
      )
    },
  },
  {
    rule: "keeps-deletions",
    cites: "§6.2 rule 3, §2.5",
    says: "lets nothing that is older bring back what was deleted",
    judge: async (receiver) => {
      const at = Date.now() - 20 * SECOND
      await receiver.announce("live_event.created", receiver.event("gone"), { occurredAt: at })
      await receiver.announce("live_event.deleted", receiver.event("gone"), {
        occurredAt: at + 2000,
      })
      await receiver.announce("live_event.updated", receiver.event("gone", "Back"), {
        occurredAt: at + 1000,
      })
      return receiver.stays(
        "the deleted show is not there",
        (state) => receiver.nameOf(state, "gone") === undefined,
      )
    },
  },
  {
    rule: "takes-products-first",
    cites: "gap 5",
    says: "takes a product whose show has not come yet",
    judge: async (receiver) => {
      const product = receiver.product("early", "late-show", 50)
      const answer = taken(
        await receiver.announce("live_event_product.created", product),
        "A product before its show",
      )
      if (answer.verdict !== "kept") return answer
      await receiver.announce("live_event.created", receiver.event("late-show"))
      return receiver.shows(
        "the product is there",
        (state) => receiver.priceOf(state, "early") === 50,
      )
    },
  },
  {
    rule: "rotates",
    cites: "§4.4, §5 rule 4",
    says: "verifies with a new key at once, and with the old one no more",
    judge: async (receiver) => {
      const { shop, key: old } = receiver.target
      if (!shop.setKey) return undecided("Nothing gives the receiver another key.")
      const next = randomBytes(32).toString("base64")
      await shop.setKey(next)
      receiver.target.key = next
      const fresh = taken(await receiver.send(receiver.sample("rotated")), "The new key")
      const stale = await receiver.send(receiver.sample("old-key"), { key: old })
      return worst([
        fresh,
        // 503 while it is rotating: a delivery that was signed before is then sent again (gap 12).
        stale.status === 503
          ? kept("The old key: 503, so that it is sent again")
          : refused(stale, "The old key"),
      ])
    },
  },
]

function escaped(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
