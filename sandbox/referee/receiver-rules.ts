/**
 * The rules for a webhook receiver, each with the deliveries that show whether it is kept. They are
 * played one after another against the real address.
 */

import { randomBytes, randomUUID } from "node:crypto"
import { TEST_TOPIC } from "../contract/interface"
import type { Adversary } from "../simulation/faults"
import { ATTACKS } from "../webhooks/adversary"
import { escapeNonAscii } from "../webhooks/envelope"
import { sign } from "../webhooks/signing"
import type { PostAnswer } from "./post"
import { type Receiver, SECOND } from "./receiver"
import type { ShopState } from "./shop-driver"
import { broken, type Finding, type Judgement, kept, undecided, worst } from "./verdict"

type Rule = Pick<Finding, "rule" | "cites" | "says"> & {
  judge(receiver: Receiver): Promise<Judgement>
}

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

/** A refusal that the service does not ask about again (interface §7). */
function refusedForGood(answer: PostAnswer, what: string): Judgement {
  if (isFinalRefusal(answer)) return kept(`${what}: ${told(answer)}`)
  return broken(`${what} must be refused for good: ${told(answer)}`)
}

/** interface §5 point 5: 401 and nothing else. */
function refused(answer: PostAnswer, what: string): Judgement {
  if (answer.status === 401) return kept(`${what}: 401`)
  return broken(`${what} must be answered 401: ${told(answer)}`)
}

/** 2xx or a final refusal: anything else makes the service send what can never succeed again and again. */
function settled(answer: PostAnswer, what: string): Judgement {
  if (isTaken(answer) || isFinalRefusal(answer)) return kept(`${what}: ${told(answer)}`)
  return broken(`${what} would be sent again for nothing: ${told(answer)}`)
}

/** interface §6.6 point 2 */
function inTime(answer: PostAnswer): Judgement {
  if (answer.status === null) return broken(told(answer))
  return answer.ms <= 10_000 ? kept(`${answer.ms} ms`) : broken(`${answer.ms} ms`)
}

function notAFault(answer: PostAnswer, what: string): Judgement {
  const failed = answer.status !== null && answer.status >= 500
  return (failed ? broken : kept)(`${what}: ${told(answer)}`)
}

/** For what is sent only to see that the next delivery is taken. */
const whatever = (answer: PostAnswer): Judgement => kept(told(answer))

/** The same event, sent once more (interface §6.1). */
function asNextAttempt<E extends object>(first: E): E {
  return { ...first, deliveryUid: randomUUID(), deliveryAt: Date.now() }
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** Texts that decode to the same bytes in a lenient decoder, but are not what the service sends. */
function respelled(signature: string): [string, string][] {
  const last = ALPHABET.indexOf(signature.charAt(42))
  return [
    ["A signature with junk at its end", `${signature}!!`],
    ["A signature without its padding", signature.replace(/=+$/, "")],
    ["A signature with a blank inside", `${signature.slice(0, 20)} ${signature.slice(20)}`],
    [
      "A signature whose unused bits are set",
      `${signature.slice(0, 42)}${ALPHABET.charAt(last ^ 1)}=`,
    ],
  ]
}

/** What is sent, and what has to be answered. */
type Case = [
  what: string,
  expected: (answer: PostAnswer, what: string) => Judgement,
  send: () => Promise<PostAnswer>,
]

/** A rule about single answers: the cases are sent one after another, and the worst answer counts. */
function answers(
  rule: string,
  cites: string,
  says: string,
  cases: (receiver: Receiver) => Case[],
): Rule {
  const judge = async (receiver: Receiver) => {
    const judgements: Judgement[] = []
    for (const [what, expected, send] of cases(receiver)) {
      judgements.push(expected(await send(), what))
    }
    return worst(judgements)
  }
  return { rule, cites, says, judge }
}

/** A rule about what somebody without the key can send: 401 is the one right answer. */
function withstands(rule: string, cites: string, says: string, adversary: Adversary): Rule {
  return answers(rule, cites, says, (receiver) =>
    ATTACKS[adversary].map(({ name, disguise }) => {
      const send = () => {
        const { key } = receiver.target
        const body = JSON.stringify(receiver.sample(adversary))
        const sent = disguise({ key, timestamp: String(Date.now()), body })
        return receiver.send(sent.body, { timestamp: sent.timestamp, signature: sent.signature })
      }
      return [name, refused, send]
    }),
  )
}

/** A rule about a show of the shop after some deliveries, the last of which must be taken. */
function ends(
  rule: string,
  cites: string,
  says: string,
  what: string,
  send: (receiver: Receiver) => Promise<PostAnswer>,
  holds: (receiver: Receiver, state: ShopState) => boolean,
  look: "shows" | "stays" = "shows",
): Rule {
  const judge = async (receiver: Receiver) => {
    const last = taken(await send(receiver), "The last delivery")
    if (last.verdict !== "kept") return last
    return receiver[look](what, (state) => holds(receiver, state))
  }
  return { rule, cites, says, judge }
}

const OTHER_TIMES: ((now: number) => string)[] = [
  (now) => `${now}junk`,
  (now) => `0x${now.toString(16)}`,
  (now) => `${now}.5`,
  () => "NaN",
  (now) => `-${now}`,
]

const OTHER_BYTES: [string, (json: string) => string][] = [
  ["An indented body", (json) => JSON.stringify(JSON.parse(json), null, 2)],
  ["A body in escapes", escapeNonAscii],
  ["A body with blanks around it", (json) => `\r\n ${json}\n`],
  ["Numbers in another spelling", (json) => json.replace('"liveEndTime":0', '"liveEndTime":0.0e1')],
]

const NO_ENVELOPES: [string, string | Buffer][] = [
  ["Half a body, signed", '{"version":"v1","topic":'],
  ["A list, signed", "[]"],
  ["Bytes that are no text, signed", Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ["An empty body, signed", ""],
]

const MANY = Array.from({ length: 20 }, (_, i) => `many-${i}`)

const ODD_NAME = 'Æ 🎥 \u2028 "quoted" <b>'

export const RECEIVER_RULES: Rule[] = [
  answers(
    "takes-signed",
    "§4.7 point 2, §5 rule 3",
    "takes a delivery that is signed with its key",
    (receiver) => [["A delivery", taken, () => receiver.send(receiver.sample("signed"))]],
  ),
  {
    rule: "is-https",
    cites: "§2.4",
    says: "is reached over https",
    judge: async ({ target }) =>
      target.url.startsWith("https:")
        ? kept("https, with a certificate that this machine trusts")
        : undecided("Plain http is for tests; the service calls https addresses only."),
  },
  answers("answers-in-time", "§6.6 point 2", "answers within 10 seconds", (receiver) => [
    ["A delivery", inTime, () => receiver.send(receiver.sample("timed"))],
  ]),
  withstands(
    "refuses-forged",
    "§5 point 5",
    "answers 401 to a made-up signature",
    "forged_signature",
  ),
  withstands(
    "refuses-unsigned",
    "§5 point 5, §6.4",
    "answers 401 where the time or the signature is missing",
    "missing_signature",
  ),
  withstands(
    "refuses-tampered",
    "§5 point 3",
    "answers 401 to a body that was changed after it was signed",
    "tampered_body",
  ),
  withstands(
    "refuses-other-key",
    "§2.4 point 2, §5 rule 3",
    "answers 401 to a signature by another key",
    "other_key",
  ),
  withstands(
    "refuses-stale",
    "gap 7, §5 point 2",
    "refuses a right signature of another time, so that nobody can play it back",
    "stale_signature",
  ),
  answers(
    "reads-signature-exactly",
    "§5 point 1",
    "takes a signature in the one spelling that the service writes",
    (receiver) => {
      const body = Buffer.from(JSON.stringify(receiver.sample("spelled")))
      const timestamp = String(Date.now())
      return respelled(sign(receiver.target.key, timestamp, body)).map(([what, signature]) => [
        what,
        refused,
        () => receiver.send(body, { timestamp, signature }),
      ])
    },
  ),
  answers(
    "reads-time-exactly",
    "§5 point 2",
    "takes a time in digits and in no other form",
    (receiver) =>
      OTHER_TIMES.map((spell) => {
        const timestamp = spell(Date.now())
        const send = () => receiver.send(receiver.sample("odd-time"), { timestamp })
        return [`The time "${timestamp}", well signed`, refused, send]
      }),
  ),
  answers(
    "verifies-raw-bytes",
    "§5 point 3",
    "checks the bytes as they came, not the JSON written anew",
    (receiver) =>
      OTHER_BYTES.map(([what, form], i) => {
        const event = receiver.event(`raw-${i}`, "Æ 🎥")
        const sent = receiver.envelope("live_event.created", event)
        return [what, taken, () => receiver.send(form(JSON.stringify(sent)))]
      }),
  ),
  answers(
    "takes-repeats",
    "§6.1 point 1, §6.1 point 3",
    "answers 2xx to what it has already: the same attempt, and another one",
    (receiver) => {
      const first = receiver.sample("repeat")
      return [
        ["The first", taken, () => receiver.send(first)],
        ["The same attempt once more", taken, () => receiver.send(first)],
        ["Another attempt of the same event", taken, () => receiver.send(asNextAttempt(first))],
      ]
    },
  ),
  {
    rule: "takes-storms",
    cites: "§6.1 point 3",
    says: "refuses none of many copies that come at once",
    judge: async (receiver) => {
      const first = receiver.sample("storm")
      const copies = Array.from({ length: 20 }, () => receiver.send(asNextAttempt(first)))
      const all = await Promise.all(copies)
      const lost = all.find((answer) => isFinalRefusal(answer))
      if (lost) return broken(`One of 20 copies is refused for good: ${told(lost)}`)
      const late = all.filter((answer) => !isTaken(answer)).length
      return late === 0
        ? kept("20 copies at once are taken")
        : undecided(`${late} of 20 copies are put off, which the service tries again`)
    },
  },
  {
    rule: "keeps-what-it-took",
    cites: "§4.7 point 2",
    says: "has stored what it answered 2xx to, however much comes at once",
    judge: async (receiver) => {
      const sent = MANY.map(async (name) => ({
        name,
        answer: await receiver.send(receiver.sample(name)),
      }))
      // What is put off comes again (interface §7), and is no promise.
      const took = (await Promise.all(sent)).filter(({ answer }) => isTaken(answer))
      return receiver.shows(
        `the ${took.length} of ${MANY.length} shows that it took are there`,
        (state) => took.every(({ name }) => receiver.nameOf(state, name) !== undefined),
      )
    },
  },
  ends(
    "takes-late",
    "§6.6",
    "takes a change that its fourth attempt brings, 13 minutes after it happened",
    "the show is there",
    (receiver) => receiver.teller("late", 14 * 60 * SECOND)("created", 0),
    (receiver, state) => receiver.nameOf(state, "late") !== undefined,
  ),
  answers(
    "takes-tests",
    "§6.2 rule 4",
    "takes svc.test, which has no X-Svc-Event-Uid",
    (receiver) => {
      const test = receiver.envelope(TEST_TOPIC, { test: true })
      return [
        ["A test", taken, () => receiver.send(test)],
        ["A test without ids (gap 16)", taken, () => receiver.send({ ...test, metadata: {} })],
      ]
    },
  ),
  answers(
    "takes-unknown-fields",
    "§9 rule 2",
    "takes fields and values that it does not know",
    (receiver) => {
      const event = receiver.event("unknown-fields")
      const data = { ...event, apiRevision: 7, event: { ...event.event, futureField: [1, null] } }
      const sent = receiver.envelope("live_event.created", data, { more: { trace: "x" } })
      return [["A delivery with unknown fields", taken, () => receiver.send(sent)]]
    },
  ),
  answers(
    "settles-unknown-topics",
    "§7 rule 2",
    "does not ask for an unknown topic or version again",
    (receiver) => {
      const later = { version: "v9" }
      return [
        ["An unknown topic", settled, () => receiver.announce("order.placed", { n: 1 })],
        [
          "An unknown version",
          settled,
          () => receiver.announce("live_event.created", receiver.event("v9"), later),
        ],
      ]
    },
  ),
  answers(
    "settles-malformed",
    "§7 rule 2",
    "refuses a signed body that is no envelope, and does not ask for it again",
    (receiver) =>
      NO_ENVELOPES.map(([what, body]) => [what, refusedForGood, () => receiver.send(body)]),
  ),
  answers(
    "survives-cut-bodies",
    "§4.7 point 2",
    "goes on after a connection that was cut in the middle of a body",
    (receiver) => {
      const cut: Case = ["", whatever, () => receiver.send(receiver.sample("cut"), { cut: true })]
      const next = () => receiver.send(receiver.sample("after-cut"))
      return [cut, cut, cut, ["The next delivery", taken, next]]
    },
  ),
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
  answers(
    "takes-large-bodies",
    "gap 17",
    "takes a large delivery, and gives an answer to one that is too large",
    (receiver) => {
      const large = receiver.event("large")
      large.event.description = "long ".repeat(40_000)
      const huge = Buffer.alloc(6 * 1024 * 1024, 0x20)
      return [
        ["200 kB", taken, () => receiver.announce("live_event.created", large)],
        // A receiver that stops reading may close the connection before its answer is read.
        ["6 MB of nothing", notAFault, () => receiver.send(huge, { key: "wrong" })],
        ["The next delivery", taken, () => receiver.send(receiver.sample("after-huge"))],
      ]
    },
  ),
  {
    rule: "ignores-other-pages",
    cites: "§2.5, gap 11",
    says: "takes nothing from another page, though its key signs it",
    judge: async (receiver) => {
      const changes = { pageUid: `other-page-${receiver.run}` }
      const event = receiver.event("other-page")
      const answer = await receiver.announce("live_event.created", event, changes)
      if (!isTaken(answer)) return settled(answer, "Another page's delivery")
      return receiver.stays(
        "another page's show is not in the shop",
        (state) => receiver.nameOf(state, "other-page") === undefined,
      )
    },
  },
  answers(
    "believes-the-body",
    "§6.4, gap 9",
    "takes a delivery whose unsigned headers are missing or say otherwise",
    (receiver) => {
      const names = ["Topic", "Delivery-Uid", "Page-Uid", "Subscriber-Uid", "Event-Uid"]
      const headers = Object.fromEntries(names.map((name) => [`X-Svc-${name}`, "another"]))
      const send = () => receiver.send(receiver.sample("hints"), { headers })
      return [["A delivery with other hints", taken, send]]
    },
  ),
  ends(
    "keeps-odd-text",
    "§2.6",
    "keeps names as they came, in whatever letters",
    "the show has its odd name",
    (receiver) => {
      const sent = receiver.envelope("live_event.created", receiver.event("odd", ODD_NAME))
      return receiver.send(escapeNonAscii(JSON.stringify(sent)))
    },
    (receiver, state) => receiver.nameOf(state, "odd") === ODD_NAME,
  ),
  ends(
    "applies-each-emission",
    "§2.5, §6.1 point 1",
    "shows what the latest of several changes brought",
    "the show has its second name",
    async (receiver) => {
      await receiver.announce("live_event.created", receiver.event("emission", "One"))
      return receiver.announce("live_event.updated", receiver.event("emission", "Two"))
    },
    (receiver, state) => receiver.nameOf(state, "emission") === "Two",
  ),
  ends(
    "applies-each-record",
    "§6.2 rule 2",
    "shows the second change of a product, though its eventUid is the same",
    "the product has its second price",
    async (receiver) => {
      const record = { eventUid: `check-${receiver.run}-record` }
      const priced = (price: number) => receiver.product("record", "record-show", price)
      await receiver.announce("live_event.created", receiver.event("record-show"))
      await receiver.announce("live_event_product.created", priced(100), record)
      return receiver.announce("live_event_product.updated", priced(80), record)
    },
    (receiver, state) => receiver.priceOf(state, "record") === 80,
  ),
  ends(
    "keeps-order",
    "§2.5",
    "lets an older change that comes later change nothing",
    "the show has the name that it got last",
    async (receiver) => {
      const tell = receiver.teller("order", 40 * SECOND)
      await tell("created", 0, "First")
      await tell("updated", 2000, "Third")
      return tell("updated", 1000, "Second")
    },
    (receiver, state) => receiver.nameOf(state, "order") === "Third",
    "stays",
  ),
  ends(
    "keeps-ties",
    "gap 3, §2.5",
    "loses none of two changes that bear the same occurredAt",
    "the show has the name that its update of the same moment brought",
    async (receiver) => {
      const tell = receiver.teller("tie", 30 * SECOND)
      await tell("created", 0, "Made")
      return tell("updated", 0, "Changed")
    },
    (receiver, state) => receiver.nameOf(state, "tie") === "Changed",
  ),
  ends(
    "keeps-deletions",
    "§6.2 rule 3, §2.5",
    "lets nothing that is older bring back what was deleted",
    "the deleted show is not there",
    async (receiver) => {
      const tell = receiver.teller("gone", 20 * SECOND)
      await tell("created", 0)
      await tell("deleted", 2000)
      return tell("updated", 1000, "Back")
    },
    (receiver, state) => receiver.nameOf(state, "gone") === undefined,
    "stays",
  ),
  ends(
    "takes-products-first",
    "gap 5",
    "takes a product whose show has not come yet",
    "the product is there",
    async (receiver) => {
      const early = receiver.product("early", "late-show", 50)
      const answer = await receiver.announce("live_event_product.created", early)
      await receiver.announce("live_event.created", receiver.event("late-show"))
      return answer
    },
    (receiver, state) => receiver.priceOf(state, "early") === 50,
  ),
  {
    rule: "rotates",
    cites: "§4.4, §5 rule 4",
    says: "verifies with a new key at once, and with the old one no more",
    judge: async (receiver) => {
      const { shop, key: old } = receiver.target
      if (!shop.setKey) return undecided("Nothing gives the receiver another key.")
      const next = randomBytes(32).toString("base64")
      await shop.setKey(next)
      try {
        const fresh = await receiver.send(receiver.sample("rotated"), { key: next })
        const stale = await receiver.send(receiver.sample("old-key"), { key: old })
        return worst([
          taken(fresh, "The new key"),
          // 503 while it is rotating: a delivery that was signed before is then sent again (gap 12).
          stale.status === 503
            ? kept("The old key: 503, so that it is sent again")
            : refused(stale, "The old key"),
        ])
      } finally {
        // The service knows nothing of the referee's key: the shop would refuse all that comes later.
        await shop.setKey(old)
      }
    },
  },
]
