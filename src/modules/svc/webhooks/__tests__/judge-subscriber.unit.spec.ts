/** What is wrong with a webhook, for the page, the checklist and the health document alike. */
import { TEST_TOPIC, TOPICS } from "../../../../contract"
import type { Webhook } from "../../models"
import { ROTATION_MS } from "../signature-keys"
import { type Circumstances, judgeSubscriber, MISSING } from "../webhook-problem"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = 1_800_000_000_000
const ago = (ms: number) => new Date(NOW - ms)
const URL = "https://shop.example/hooks/svc/c1"

const webhook = (changes: Partial<Webhook> = {}) =>
  ({
    webhook_uid: "w1",
    name: null,
    url: URL,
    state: "active",
    signature_key: "sealed",
    signature_key_updated_at: ago(72 * HOUR),
    last_delivery_at: ago(HOUR),
    refreshed_at: ago(MINUTE),
    topics: [],
    ...changes,
  }) as Webhook

const judge = (changes: Partial<Webhook> = {}, around: Partial<Circumstances> = {}) => {
  const circumstances = { url: URL, copyOf: null, liveSince: null, ...around }
  const judged = judgeSubscriber(webhook(changes), circumstances, NOW)
  return judged && [judged.severity, judged.reason.code]
}

describe("a webhook", () => {
  it("is well where nothing speaks against it, however quiet it is between shows", () => {
    expect(judge()).toBeNull()
    expect(judge({ last_delivery_at: ago(40 * 24 * HOUR) })).toBeNull()
    expect(judge({ last_delivery_at: null })).toBeNull()
  })

  it("is red while it leads elsewhere", () => {
    expect(judge({ url: "https://old.example/hooks/svc/c1" })).toEqual([
      "critical",
      "webhook_other_address",
    ])
    // Made by hand at the service, with the address of a gateway in front of this store.
    const gateway = { url: "https://hooks.example/svc/c1", last_delivery_at: ago(2 * MINUTE) }
    expect(judge(gateway)).toEqual(["warning", "webhook_other_address"])
    // The same: nobody told us where it leads.
    expect(judge({ webhook_uid: null, url: null })).toBeNull()
    expect(judge({}, { url: null })).toBeNull()
  })

  it("is told of while topics are missing that nobody has left out here", () => {
    const all = TOPICS.filter((topic) => topic !== TEST_TOPIC)
    const judged = (topics: string[]) => judge({ topics: topics as unknown as Webhook["topics"] })
    expect(judged(all)).toBeNull()
    expect(judged(all.slice(1))).toEqual(["warning", "topics_missing"])
    const [some, fewer] = [all.slice(1), all.slice(2)].map(
      (list) => list as unknown as Webhook["topics"],
    )
    expect(judge({ topics: some, asked_topics: some })).toBeNull()
    // Somebody took one out at the service.
    expect(judge({ topics: fewer, asked_topics: some })).toEqual(["warning", "topics_missing"])
    // The service did not tell them.
    expect(judged([])).toBeNull()
  })

  it("is red in a copy of the store", () => {
    expect(judge({}, { copyOf: "shop.example" })).toEqual(["critical", "copy_of_another_store"])
    expect(judge({}, { copyOf: "shop.example", url: null })).toEqual([
      "critical",
      "store_address_missing",
    ])
  })

  it("is red where a show began a quarter of an hour ago, and nobody told us", () => {
    const quiet = { last_delivery_at: ago(3 * HOUR) }
    expect(judge(quiet, { liveSince: ago(14 * MINUTE) })).toBeNull()
    expect(judge(quiet, { liveSince: ago(16 * MINUTE) })).toEqual(["critical", "webhook_silent"])
    expect(judge({ last_delivery_at: null }, { liveSince: ago(16 * MINUTE) })).toEqual([
      "critical",
      "webhook_never_heard",
    ])
    // Shows were left out here when topics were chosen: the lists tell of them.
    const topics = TOPICS.filter((topic) => topic.startsWith("live_event_product")) as unknown
    const chosen = { ...quiet, topics, asked_topics: topics } as Partial<Webhook>
    expect(judge(chosen, { liveSince: ago(16 * MINUTE) })).toBeNull()
  })

  it("is well for two hours in which a show that we were told of says nothing more, then worth a look, and red after a day", () => {
    const told = (ms: number) => ({ last_delivery_at: ago(ms) })
    expect(judge(told(HOUR), { liveSince: ago(HOUR) })).toBeNull()
    expect(judge(told(3 * HOUR), { liveSince: ago(3 * HOUR) })).toEqual([
      "warning",
      "webhook_silent",
    ])
    expect(judge(told(25 * HOUR), { liveSince: ago(25 * HOUR) })).toEqual([
      "critical",
      "webhook_silent",
    ])
    // Registered in the middle of a show: its beginning was told to nobody.
    const registered = { signature_key_updated_at: ago(20 * MINUTE), last_delivery_at: null }
    expect(judge(registered, { liveSince: ago(HOUR) })).toEqual(["warning", "webhook_never_heard"])
    // The delivery that verified a new key is as old as the key.
    const verified = {
      signature_key_updated_at: ago(30 * MINUTE),
      last_delivery_at: ago(30 * MINUTE),
    }
    expect(judge(verified, { liveSince: ago(30 * MINUTE) })).toBeNull()
    // What came just before the show says nothing of its beginning.
    expect(judge(told(26 * MINUTE), { liveSince: ago(16 * MINUTE) })).toEqual([
      "warning",
      "webhook_silent",
    ])
    // As what comes with a key that is new since.
    const renewed = { ...registered, last_delivery_at: ago(30 * MINUTE) }
    expect(judge(renewed, { liveSince: ago(HOUR) })).toEqual(["warning", "webhook_silent"])
  })

  it("is not missing for sure while deliveries come", () => {
    const heard = { state: MISSING, refreshed_at: ago(MINUTE), last_delivery_at: ago(2 * MINUTE) }
    expect(judge(heard)).toEqual(["warning", "webhook_missing"])
    expect(judge({ ...heard, last_delivery_at: ago(HOUR) })).toEqual([
      "critical",
      "webhook_missing",
    ])
  })

  it("is red where nobody knows which key the service signs with, until a delivery shows it", () => {
    /** Another key was asked for so long ago, and the answer was lost. */
    const asked = (ms: number) => ({ rotation: "asked", rotating_until: ago(ms - ROTATION_MS) })
    expect(judge(asked(MINUTE - 1))).toBeNull()
    expect(judge(asked(MINUTE + 1))).toEqual(["critical", "webhook_key_unsure"])
    expect(judge(asked(24 * HOUR))).toEqual(["critical", "webhook_key_unsure"])
    expect(judge({ ...asked(HOUR), rotation: "answered" })).toBeNull()
    // A person has pasted the one of the dashboard.
    expect(judge({ ...asked(HOUR), candidate_key: "encrypted" })).toBeNull()
    // Its creation's answer was lost, and nobody can rotate what has no id.
    expect(judge({ ...asked(HOUR), webhook_uid: null })).toEqual([
      "warning",
      "webhook_not_registered",
    ])
    expect(judge({ ...asked(HOUR), webhook_uid: null, candidate_key: "encrypted" })).toBeNull()
    for (const state of ["active", "warning"]) {
      expect(judge({ ...asked(HOUR), signature_key: null, state })).toEqual([
        "critical",
        "webhook_key_unknown",
      ])
    }
  })
})
