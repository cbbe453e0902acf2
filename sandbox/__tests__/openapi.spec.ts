/** The OpenAPI document says what the sandbox does. */

import { z } from "zod"
import { EVENT_STATUSES, TOPICS } from "../contract/interface"
import { OPERATIONS } from "../service-api/operations"
import { type Document, Documented, seen } from "./documented-answers"
import { Box, CONFIGURABLE, Receiver, SIMPLE } from "./harness"

type Json = { [key: string]: unknown }

const box = Box.forAll()
const receiver = Receiver.forAll()
let documented: Documented

beforeAll(async () => {
  documented = new Documented(await box.control<Document>("GET", "/openapi.json"))
})

const operations = () =>
  Object.entries(documented.document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method: method.toUpperCase(),
      operation: operation as Json & (typeof item)[string],
    })),
  )
const ofService = () => operations().filter(({ path }) => !path.startsWith("/_sandbox/"))

test("it has every operation of the service, and no other", () => {
  const served = OPERATIONS.map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
  )
  expect(
    ofService()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(served.sort())
})

test("every operation says how it is authenticated, and those with a body what they read", async () => {
  for (const { name, method, path, operation } of ofService()) {
    expect([name, operation.security]).toEqual([name, [{ pageToken: [] }]])
    if (!operation.requestBody) continue
    const address = path.replace(/\{\w+\}/g, "x")
    const { status } = await box.call(method, address, "text", { "content-type": "text/plain" })
    expect([name, status, Object.keys(operation.responses)]).toEqual([
      name,
      415,
      expect.arrayContaining(["401", "415", "429"]),
    ])
  }
  for (const { post } of Object.values(documented.document.webhooks)) {
    expect(post.security).toEqual([{ signature: [] }])
  }
})

test("every operation of the service answers 401 without a token", async () => {
  for (const { name, method, path } of ofService()) {
    const answer = await box.call(method, path, undefined, { authorization: "" })
    expect([name, answer.status]).toEqual([name, 401])
  }
})

test("it names the topics and statuses of the interface", () => {
  const { webhooks, components } = documented.document
  expect(Object.keys(webhooks).sort()).toEqual([...TOPICS].sort())
  expect(components.schemas.Topic?.enum).toEqual([...TOPICS])
  expect(JSON.stringify(components.schemas.ApiLiveEventV1)).toContain(
    JSON.stringify(EVENT_STATUSES),
  )
})

test("it is served, with the address that it has", async () => {
  const served = await box.control<{ openapi: string; servers: { url: string }[] }>(
    "GET",
    "/openapi.json",
  )
  expect([served.openapi, served.servers]).toEqual(["3.1.0", [{ url: box.url }]])
})

/** What the harness looks at is every answer; here each call is made at least once. */
test("the right answer of every operation, also under /_sandbox, is as documented", async () => {
  const { control } = box.sandbox
  const event = await box.onAir({ video_meta_data: { width: 1, height: 2, orientation: "x" } })
  const clip = await box.event({ kind: "shoppable" })
  await box.call("POST", "/products", { products: [SIMPLE, CONFIGURABLE, { id: "x" }] })
  const { uid } = await control.events.addProduct(event.id, { external_id: SIMPLE.id })
  await box.price(event.campaign_uid, { productId: SIMPLE.id })
  const { order_no } = await control.orders.issueNumber({ campaign_uid: event.campaign_uid })
  await box.call("POST", "/processOrders", { svcOrderNumber: order_no })
  await box.call("GET", "/api/v1/liveEvents")
  await box.call("GET", "/api/v1/shoppables")

  const hook = await box.subscribe(receiver.url, TOPICS, { customHeaders: { a: "b" } })
  const one = `/api/v1/webhooks/${hook.webhookUid}`
  await box.call("GET", "/api/v1/webhooks")
  await box.call("GET", one)
  await box.call("PATCH", one, { name: "y" })
  await box.call("POST", `${one}/rotateSignatureKey`)

  await control.pages.create({ uid: "other" })
  await control.pages.list()
  await control.pages.get("other")
  await control.pages.update("other", { name: "Another" })
  await control.pages.remove("other")
  await control.products.list()
  await control.products.get(SIMPLE.id)
  await control.events.list()
  await control.events.get(event.id)
  await control.events.update(event.id, { tags: ["x"] })
  await control.events.getProduct(event.id, uid)
  await control.events.updateProduct(event.id, uid, { min_purchase_qty: 2, categories: ["a"] })
  await control.events.end(event.id)
  await control.events.complete(event.id)
  await control.events.move(event.id, { kind: "shoppable" })
  await control.events.removeProduct(event.id, uid)
  await control.events.remove(clip.id)
  await control.events.cancel((await box.event()).id)
  await control.emit({ page_uid: "demo-page", topic: "live_event.updated", data: { any: "thing" } })
  await control.orders.list()
  await control.orders.conversions()

  await control.clock.settle()
  await control.clock.get()
  await control.subscribers.list()
  await control.subscribers.test(hook.webhookUid)
  const { deliveries } = await control.deliveries.list()
  await control.deliveries.get(deliveries[0]?.id ?? "")
  await control.deliveries.resend(deliveries[0]?.id ?? "")
  receiver.answer(500)
  await control.emit({ page_uid: "demo-page", topic: "live_event.updated", data: {} })
  await control.clock.runUntilIdle()
  for (let hours = 0; hours < 4; hours++) {
    await control.emit({ page_uid: "demo-page", topic: "live_event.updated", data: {} })
    await control.clock.advance("1h")
  }
  expect((await control.notifications()).notifications.map(({ kind }) => kind)).toContain(
    "disabled",
  )
  await control.subscribers.update(hook.webhookUid, { name: "Renamed elsewhere" })
  await control.subscribers.activate(hook.webhookUid)
  await box.call("DELETE", one)

  await control.health()
  await control.state()
  const snapshot = await control.snapshot()
  await control.journal.find()
  await control.journal.wait("")
  await control.journal.clear()
  await control.request("GET", "/openapi.json")
  const { id } = await control.faults.add({ on: "price", kind: "status", body: { any: 1 } })
  await control.faults.list()
  await control.faults.remove(id)
  await control.faults.clear()
  await control.profiles.list()
  await control.profiles.set({ listing: "array" })
  await control.profiles.reset()
  await control.restore(snapshot)
  await control.reset()

  const names = operations().map(({ name }) => name)
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => !seen.has(name))).toEqual([])
})

test("§9 rule 1: every delivery of every topic is as documented, and of version v1", async () => {
  const { webhookUid } = await box.subscribe(receiver.url, TOPICS)
  await box.push(SIMPLE, CONFIGURABLE)
  for (const kind of ["live", "shoppable"]) {
    const event = await box.event({ kind })
    for (const external_id of [SIMPLE.id, CONFIGURABLE.id]) {
      const product = await box.addProduct(event.id, { external_id })
      await box.control("POST", `/events/${event.id}/products/${product.uid}`, {
        min_purchase_qty: 2,
        categories: ["a"],
      })
    }
    await box.change(event.id, { tags: ["x"] })
    await box.control("DELETE", `/events/${event.id}`)
  }
  await box.control("POST", `/subscribers/${webhookUid}/test`)
  await box.settle()
  const topics = new Set<string>()
  receiver.envelopes().forEach((envelope, i) => {
    const { topic, version } = envelope
    const post = documented.document.webhooks[topic]?.post
    const $ref = post?.requestBody.content["application/json"].schema.$ref ?? ""
    expect([topic, version, documented.problemsOf($ref, envelope)]).toEqual([topic, "v1", []])
    for (const { name, required } of post?.parameters ?? []) {
      const sent = receiver.requests[i]?.headers[name.toLowerCase()]
      expect([name, sent !== undefined]).toEqual([name, required])
    }
    topics.add(topic)
  })
  expect(topics).toEqual(new Set(TOPICS))
})

test("a wrong answer would be noticed", () => {
  const problems = (method: string, path: string, status: number, body: unknown) =>
    documented.problem(method, path, status, JSON.stringify(body))
  const price = { price: 1, discount: 0, vat: { rate: 25, included: true }, currency: "DKK" }
  const lookup = (status: number, body: unknown) =>
    problems("POST", "/getCampaignProductPrice/c", status, body)
  expect(lookup(200, price)).toBeNull()
  expect(lookup(200, { ...price, price: "1" })).toContain("/price must be number")
  expect(lookup(200, { ...price, extra: 1 })).toContain("additional properties")
  expect(lookup(200, { price: 1 })).toContain("required")
  expect(lookup(202, price)).toContain("no such status")
  expect(problems("DELETE", "/api/v1/webhooks/w", 204, {})).toContain("a body")
  expect(problems("GET", "/_sandbox/clock", 200, { now: 1 })).toContain("required")
})

test("every call under /_sandbox is marked as ours, with what it reads", () => {
  const own = operations().filter(({ path }) => path.startsWith("/_sandbox/"))
  expect(own.map(({ operation }) => [operation["x-own"], operation.security])).toEqual(
    own.map(() => [true, []]),
  )
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const { schemas } = documented.document.components
  const fieldsOf = (id: string) => Object.keys((schemas[id]?.properties as Json) ?? {})
  expect(fieldsOf("postClockRequest")).toContain("run_until_idle")
  expect(fieldsOf("postEventsRequest")).toContain("campaign_uid")
  expect(fieldsOf("postEmitRequest")).toContain("occurred_at")
})

test("what it says of a call's body is what the call takes", () => {
  const { schemas } = documented.document.components
  const bodies: [string, object][] = [
    ["SimpleProduct", SIMPLE],
    ["ConfigurableProduct", CONFIGURABLE],
    ["pushProductsRequest", { products: [SIMPLE, CONFIGURABLE] }],
    ["getCampaignProductPriceRequest", { productId: "x" }],
    ["processOrdersRequest", { svcOrderNumber: "x" }],
    ["createWebhookRequest", { name: "x", url: receiver.url, topics: ["svc.test"] }],
  ]
  for (const [name, body] of bodies) {
    const text = JSON.stringify({ ...schemas[name], $defs: schemas })
    const schema = z.fromJSONSchema(
      JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")),
    )
    expect([name, schema.safeParse(body).success, schema.safeParse({}).success]).toEqual([
      name,
      true,
      false,
    ])
  }
  const negative = { ...SIMPLE, inventory: -1 }
  expect(documented.problemsOf("#/components/schemas/SimpleProduct", negative)).not.toEqual([])
})
