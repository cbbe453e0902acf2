/** Webhook deliveries: topics, envelope, headers, attempts (interface §2.5, §4.7, §6, §9). */

import { TOPICS } from "../contract/interface"
import {
  Box,
  type EnvelopeRead,
  envelopeOf,
  isSignedWith,
  Receiver,
  SIMPLE,
  type WebhookView,
} from "./harness"

const box = Box.forAll()
const receiver = Receiver.forAll()
let webhook: WebhookView

beforeEach(async () => {
  webhook = await box.subscribe(receiver.url, TOPICS)
})

/** What `change` made the sandbox send, settled. */
async function sentBy<T>(change: () => Promise<T>): Promise<[EnvelopeRead[], T]> {
  await box.settle()
  receiver.requests.length = 0
  const result = await change()
  await box.settle()
  return [receiver.envelopes(), result]
}

/** What `change` made the sandbox send: one delivery of this topic. */
async function tells<T>(topic: string, change: () => Promise<T>) {
  const [[envelope, ...others], result] = await sentBy(change)
  expect([envelope?.topic, others]).toEqual([topic, []])
  return [envelope?.data, result] as const
}

async function shown(kind = "live") {
  await box.push(SIMPLE)
  const event = await box.event({ kind })
  return { event, product: await box.addProduct(event.id, { external_id: SIMPLE.id }) }
}

const now = async () => (await box.control<{ now: number }>("GET", "/clock")).now

describe("§6.2 topics", () => {
  for (const [kind, family] of [
    ["live", "live_event"],
    ["shoppable", "shoppable_event"],
  ] as const) {
    test(`§6.2 ${family} topics: one is created, updated and deleted, with its latest ApiLiveEventV1`, async () => {
      const [created, event] = await tells(`${family}.created`, () => box.event({ kind }))
      expect(created).toEqual(event.data)
      const renamed = () => box.change(event.id, { name: "Renamed", tags: ["a"] })
      const [updated] = await tells(`${family}.updated`, renamed)
      expect(updated).toEqual({
        ...event.data,
        event: {
          ...event.data.event,
          eventName: "Renamed",
          eventNameShort: "Renamed",
          tags: ["a"],
        },
      })
      const removed = () => box.control("DELETE", `/events/${event.id}`)
      const [deleted] = await tells(`${family}.deleted`, removed)
      expect(deleted).toEqual(updated)
    })

    test(`§6.2 ${family}_product topics: a product is added, updated and removed, with its latest data`, async () => {
      await box.push(SIMPLE)
      const event = await box.event({ kind })
      const added = () => box.addProduct(event.id, { external_id: SIMPLE.id, price: 249 })
      const [created, product] = await tells(`${family}_product.created`, added)
      expect(created).toEqual(product.data)
      const path = `/events/${event.id}/products/${product.uid}`
      const changed = () => box.control("POST", path, { price: 9.95 })
      const [updated] = await tells(`${family}_product.updated`, changed)
      expect(updated).toEqual({ ...product.data, price: 9.95 })
      const removed = () => box.control("DELETE", path)
      const [deleted] = await tells(`${family}_product.deleted`, removed)
      expect(deleted).toEqual(updated)
    })
  }

  test("§6.2 svc.test fires when the merchant asks for it, with {test: true}", async () => {
    const other = await box.subscribe(receiver.url, ["live_event.created"])
    const [[envelope, ...others]] = await sentBy(() =>
      box.control("POST", `/subscribers/${other.webhookUid}/test`),
    )
    expect([envelope?.topic, others]).toEqual(["svc.test", []])
    expect(envelope?.data).toEqual({ test: true })
    expect(envelope?.metadata.subscriberUid).toBe(other.webhookUid)
  })

  test("§6.2 rule 1: a shoppable's product delivery differs in the topic alone", async () => {
    await box.push(SIMPLE)
    const shapes: unknown[] = []
    for (const kind of ["live", "shoppable"]) {
      const event = await box.event({ kind, campaign_uid: `campaign-${kind}` })
      const [[envelope]] = await sentBy(() => box.addProduct(event.id, { external_id: SIMPLE.id }))
      const { headers } = receiver.only()
      shapes.push({
        keys: Object.keys(envelope ?? {}),
        metadata: Object.keys(envelope?.metadata ?? {}),
        headers: Object.keys(headers),
        data: { ...envelope?.data, id: "", uid: "", campaignUid: "" },
      })
    }
    expect(shapes[0]).toEqual(shapes[1])
  })

  test("§6.2 rule 2: data.campaignUid relates a product delivery to its event", async () => {
    const event = await box.event()
    const given = { external_id: "x", name: "X", sku: "X", price: 5, url: "x" }
    const [[envelope]] = await sentBy(() => box.addProduct(event.id, given))
    expect(envelope?.data.campaignUid).toBe(event.data.event.campaignId)
    expect(envelope?.metadata.eventUid).not.toBe(event.id)
  })

  test("§6.2 rule 3: deleting an event tells of its products too, each with its snapshot", async () => {
    const { event, product } = await shown()
    const [envelopes] = await sentBy(() => box.control("DELETE", `/events/${event.id}`))
    const byTopic = new Map(envelopes.map((envelope) => [envelope.topic, envelope.data]))
    expect(byTopic).toEqual(
      new Map<string, unknown>([
        ["live_event_product.deleted", product.data],
        ["live_event.deleted", event.data],
      ]),
    )
  })

  test("§6.2 rule 4: a test has every header but X-Svc-Event-Uid, shows its answer, and is one attempt", async () => {
    await box.announced()
    const real = receiver.only().rawHeaders.map(([name]) => name)
    receiver.answer((_request, response) => {
      response.statusCode = 503
      response.end("a teapot ".repeat(1000))
    })
    const { delivery } = await box.control<{
      delivery: Awaited<ReturnType<Box["delivery"]>>
    }>("POST", `/subscribers/${webhook.webhookUid}/test`)
    await box.clock({ run_until_idle: true })
    const tested = receiver.only().rawHeaders.map(([name]) => name)
    expect(real).toContain("X-Svc-Event-Uid")
    expect(tested).toEqual(real.filter((name) => name !== "X-Svc-Event-Uid"))
    expect(isSignedWith(webhook.signatureKey ?? "", receiver.only())).toBe(true)
    expect(delivery.attempts).toMatchObject([{ status: 503, outcome: "retry" }])
    expect(delivery.attempts[0]?.response?.body).toMatch(/^a teapot/)
    expect(delivery.attempts[0]?.response?.body.length).toBeLessThan(9000)
  })

  test("§2.4 a subscriber gets the topics that it chose, and no others", async () => {
    const chosen = await Receiver.start()
    await box.subscribe(chosen.url, ["live_event.updated"])
    const event = await box.event()
    await box.move(event.id, "start")
    await box.control("DELETE", `/events/${event.id}`)
    await box.settle()
    expect(chosen.topics()).toEqual(["live_event.updated"])
    expect(receiver.requests.length).toBe(3)
    await chosen.close()
  })
})

describe("§2.5 the envelope", () => {
  test("§2.5 version is v1, topic is the topic, and metadata names page, subscriber and event", async () => {
    await box.control("POST", "/pages", { uid: "other", api_token: "other-token" })
    await box.event({ page_uid: "other" })
    const [[envelope]] = await sentBy(() => box.event())
    expect(envelope).toEqual({
      version: "v1",
      topic: "live_event.created",
      occurredAt: expect.any(Number),
      deliveryUid: expect.stringMatching(/./),
      deliveryAt: expect.any(Number),
      metadata: {
        pageUid: "demo-page",
        subscriberUid: webhook.webhookUid,
        eventUid: expect.stringMatching(/./),
      },
      data: expect.anything(),
    })
  })

  test("§2.5 occurredAt is when the change happened, deliveryAt when the attempt was sent", async () => {
    receiver.answer(503)
    await box.control("POST", "/profiles", { timestamps: "clock" })
    const happened = await now()
    await box.announced()
    await box.clock({ advance: "60s" })
    const envelopes = receiver.envelopes()
    expect(envelopes.map(({ occurredAt, deliveryAt }) => [occurredAt, deliveryAt])).toEqual([
      [happened, happened],
      [happened, happened + 60_000],
    ])
  })

  test("§2.5 eventUid is unique per emitted event and the same for all its subscribers, each of whom has a signature by its own key", async () => {
    const second = await box.subscribe(receiver.url, ["live_event.created", "live_event.updated"])
    const event = await box.event()
    await box.move(event.id, "start")
    await box.settle()
    const uids = new Map<string, Set<string>>()
    for (const { topic, metadata } of receiver.envelopes()) {
      uids.set(topic, (uids.get(topic) ?? new Set()).add(metadata.eventUid))
    }
    expect(receiver.requests.length).toBe(4)
    const [created, updated] = [uids.get("live_event.created"), uids.get("live_event.updated")]
    expect([created?.size, updated?.size]).toEqual([1, 1])
    expect([...(created ?? [])]).not.toEqual([...(updated ?? [])])
    const [own, others] = [webhook, second].map(({ webhookUid, signatureKey = "" }) =>
      receiver.requests.filter(
        (request) =>
          envelopeOf(request).metadata.subscriberUid === webhookUid &&
          isSignedWith(signatureKey, request),
      ),
    )
    expect([own?.length, others?.length]).toEqual([2, 2])
  })

  test("§4.7 a delivery is a POST of one JSON object to the subscriber's URL", async () => {
    await box.announced()
    const request = receiver.only()
    expect([request.method, request.url]).toEqual(["POST", "/hooks/svc"])
    expect(request.headers["content-type"]).toBe("application/json")
    const body: unknown = JSON.parse(request.body.toString("utf8"))
    expect(Array.isArray(body) || typeof body !== "object").toBe(false)
    expect(request.headers["content-length"]).toBe(String(request.body.length))
  })
})

test("§6.4 every header is sent on every delivery: the first attempt, a retry and a re-send", async () => {
  receiver.answer(503)
  await box.announced()
  await box.clock({ advance: "60s" })
  await box.control("POST", `/deliveries/${(await box.onlyDelivery()).id}/resend`)
  expect(receiver.requests.length).toBe(3)
  for (const request of receiver.requests) {
    const { metadata, topic, deliveryUid, deliveryAt } = envelopeOf(request)
    const expected = {
      "Content-Type": "application/json",
      "User-Agent": "Svc-Webhooks/1",
      "X-Svc-Page-Uid": metadata.pageUid,
      "X-Svc-Subscriber-Uid": metadata.subscriberUid,
      "X-Svc-Topic": topic,
      "X-Svc-Delivery-Uid": deliveryUid,
      "X-Svc-Timestamp": String(deliveryAt),
      "X-Svc-Event-Uid": metadata.eventUid,
    }
    for (const [name, value] of Object.entries(expected)) {
      expect(request.rawHeaders.filter(([header]) => header === name)).toEqual([[name, value]])
    }
    expect(isSignedWith(webhook.signatureKey ?? "", request)).toBe(true)
  }
  const signatures = receiver.requests.map(({ headers }) => headers["x-svc-signature"])
  expect(new Set(signatures).size).toBe(3)
})

test("§6 whoever has no subscriber is told nothing", async () => {
  await box.call("DELETE", `/api/v1/webhooks/${webhook.webhookUid}`)
  const event = await box.event()
  await box.move(event.id, "start", "end")
  await box.control("DELETE", `/events/${event.id}`)
  await box.settle()
  expect([receiver.connections, await box.deliveries()]).toEqual([0, []])
})

describe("§6.1 guarantees", () => {
  test("§6.1 retries and re-sends bear the same eventUid and the same data, each with a deliveryUid of its own", async () => {
    receiver.answer(503)
    const event = await box.event()
    await box.settle()
    await box.change(event.id, { name: "Changed meanwhile" })
    await box.clock({ run_until_idle: true })
    const first = (await box.deliveries("?topic=live_event.created"))[0]
    await box.control("POST", `/deliveries/${first?.id}/resend`)
    const created = receiver.envelopes().filter(({ topic }) => topic === "live_event.created")
    expect(created.length).toBe(5)
    expect(new Set(created.map(({ deliveryUid }) => deliveryUid)).size).toBe(5)
    for (const envelope of created) {
      expect(envelope.metadata.eventUid).toBe(first?.event_uid)
      expect(envelope.data).toEqual(event.data)
      expect(envelope.occurredAt).toBe(first?.occurred_at)
    }
  })

  test("§6.1 a late 2xx makes a duplicate", async () => {
    let late = true
    receiver.answer((_request, response) => {
      // The work was done, but nobody waited for the answer.
      if (late) late = false
      else response.end()
    })
    await box.event()
    await receiver.until(({ requests }) => requests.length === 1)
    await box.clock({ advance: "10s", grace_ms: 50 })
    await box.settle()
    await box.clock({ advance: "50s" })
    expect(receiver.requests.length).toBe(2)
    const [first, second] = receiver.envelopes()
    expect(first?.metadata.eventUid).toBe(second?.metadata.eventUid)
    expect(await box.onlyDelivery()).toMatchObject({
      state: "delivered",
      attempts: [{ outcome: "retry", error: expect.stringContaining("timeout") }, { status: 200 }],
    })
  })
})

describe("§6.6 retry policy", () => {
  test("§6.6 attempts at 0, 60, 180 and 540 seconds after the one before, then failed", async () => {
    receiver.answer(500)
    const happened = await now()
    await box.announced()
    await box.clock({ run_until_idle: true })
    const delivery = await box.onlyDelivery()
    expect(delivery.attempts.map(({ at }) => (at - happened) / 1000)).toEqual([0, 60, 240, 780])
    expect(delivery.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4])
    expect(delivery).toMatchObject({ state: "failed", next_attempt_at: null })
    await box.clock({ advance: "2d" })
    expect(receiver.requests.length).toBe(4)
  })

  for (const success of [1, 2, 3, 4]) {
    test(`§6.6 a 2xx at attempt ${success} stops the chain`, async () => {
      receiver.answer((_request, response, n) => {
        response.statusCode = n < success ? 503 : 299
        response.end()
      })
      await box.announced()
      await box.clock({ run_until_idle: true })
      expect(receiver.requests.length).toBe(success)
      expect(await box.onlyDelivery()).toMatchObject({ state: "delivered" })
    })
  }

  test("§6.6 ten seconds for the receiver's whole handler: headers alone are not enough", async () => {
    receiver.answer((_request, response) => {
      response.writeHead(200)
      response.write("begun, ")
    })
    await box.event()
    await receiver.until(({ requests }) => requests.length === 1)
    await box.clock({ advance: 9_999, grace_ms: 50 })
    expect((await box.onlyDelivery()).attempts).toEqual([])
    await box.clock({ advance: 1, grace_ms: 50 })
    await box.settle()
    expect((await box.onlyDelivery()).attempts).toMatchObject([
      { outcome: "retry", status: null, error: expect.stringContaining("timeout") },
    ])
  })
})

describe("§3.3 and §7: the request log and re-sending", () => {
  test("§7 rule 1: each request and answer is recorded, failed or not", async () => {
    receiver.answer((_request, response, n) => {
      response.statusCode = n === 1 ? 503 : 201
      response.setHeader("x-shop", "yes")
      response.end(n === 1 ? "busy" : "done")
    })
    await box.announced()
    await box.clock({ advance: "60s" })
    const { attempts } = await box.onlyDelivery()
    expect(
      attempts.map(({ status, response }) => [status, response?.body, response?.headers["x-shop"]]),
    ).toEqual([
      [503, "busy", "yes"],
      [201, "done", "yes"],
    ])
    attempts.forEach(({ request }, i) => {
      const sent = receiver.requests[i]
      expect(request.url).toBe(receiver.url)
      expect(request.body).toBe(sent?.body.toString("utf8"))
      expect(request.headers).toEqual(sent?.rawHeaders)
    })
  })

  for (const [state, status] of [
    ["dropped", 404],
    ["failed", 500],
  ] as const) {
    test(`§7 rule 1: a ${state} delivery is re-sent by hand, same subscriber, same payload; a re-send that fails is not retried`, async () => {
      receiver.answer(status)
      await box.announced()
      await box.clock({ run_until_idle: true })
      const before = await box.onlyDelivery()
      expect(before.state).toBe(state)
      const [original] = receiver.envelopes()
      receiver.answer(500)
      await box.control("POST", `/deliveries/${before.id}/resend`)
      await box.clock({ run_until_idle: true })
      expect([receiver.requests.length, (await box.onlyDelivery()).state]).toEqual([1, state])
      receiver.answer(200)
      await box.control("POST", `/deliveries/${before.id}/resend`)
      const [again] = receiver.envelopes()
      expect(again).toEqual({
        ...original,
        deliveryUid: again?.deliveryUid,
        deliveryAt: again?.deliveryAt,
      })
      expect(again?.deliveryUid).not.toBe(original?.deliveryUid)
      expect(isSignedWith(webhook.signatureKey ?? "", receiver.only())).toBe(true)
      expect((await box.onlyDelivery()).state).toBe("delivered")
    })
  }

  test("a re-send that succeeds while retries are pending stops them", async () => {
    receiver.answer(500)
    await box.announced()
    receiver.answer(200)
    await box.control("POST", `/deliveries/${(await box.onlyDelivery()).id}/resend`)
    await box.clock({ run_until_idle: true })
    expect(receiver.requests.length).toBe(1)
  })

  test("a re-send that succeeds while a retry is under way is not undone by it", async () => {
    const held: (() => void)[] = []
    receiver.answer((_request, response, n) => {
      response.statusCode = n === 1 ? 503 : 200
      if (n === 1) held.push(() => response.end())
      else response.end()
    })
    // With a clock that stands a result waits for its turn, and the re-send's for the first.
    await box.clock({ run: true })
    await box.event()
    while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const { id } = await box.onlyDelivery()
    await box.control("POST", `/deliveries/${id}/resend`)
    held[0]?.()
    await box.settle()
    expect(await box.delivery(id)).toMatchObject({ state: "delivered", next_attempt_at: null })
    await box.clock({ run_until_idle: true })
    expect(receiver.requests.length).toBe(2)
  })

  test("a deleted subscriber gets nothing more, retries included", async () => {
    receiver.answer(500)
    await box.announced()
    await box.call("DELETE", `/api/v1/webhooks/${webhook.webhookUid}`)
    await box.clock({ run_until_idle: true })
    expect(receiver.requests.length).toBe(1)
    const delivery = await box.onlyDelivery()
    expect(delivery.state).toBe("dropped")
    await expect(box.control("POST", `/deliveries/${delivery.id}/resend`)).rejects.toThrow(
      "409 subscriber_gone",
    )
  })
})
