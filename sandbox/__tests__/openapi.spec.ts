/** The OpenAPI document says what the sandbox does. */

import { z } from "zod"
import { EVENT_STATUSES, TOPICS } from "../contract/interface"
import document from "../control-api/openapi.json"
import { OPERATIONS } from "../service-api/operations"
import { Box, CONFIGURABLE, Receiver, SIMPLE } from "./harness"

type Json = { [key: string]: unknown }

const box = Box.forAll()
const receiver = Receiver.forAll()

/** The schema as a check; its references point into the document. */
function check(schema: unknown): z.ZodType {
  const text = JSON.stringify({ ...(schema as Json), $defs: document.components.schemas })
  return z.fromJSONSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")))
}

function problems(schema: unknown, value: unknown): string[] {
  const result = check(schema).safeParse(value)
  return result.success ? [] : result.error.issues.map((i) => `${i.path.join(".")}: ${i.message}`)
}

type Documented = {
  security?: unknown
  responses: Record<string, { content?: Json }>
  requestBody?: { content: Json }
}
const operations = new Map<string, Documented>()
for (const [path, item] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    if (method !== "parameters") {
      operations.set(`${method.toUpperCase()} ${path}`, operation as Documented)
    }
  }
}

function schemaOf(content: Json | undefined): unknown {
  return (content?.["application/json"] as { schema?: unknown } | undefined)?.schema
}

test("it has every operation of the service, and no other", () => {
  const served = OPERATIONS.map(
    ([, method, path]) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
  )
  expect([...operations.keys()].sort()).toEqual(served.sort())
})

test("every operation says how it is authenticated, and those with a body what they read", async () => {
  for (const [name, operation] of operations) {
    expect([name, operation.security]).toEqual([name, [{ pageToken: [] }]])
    if (!operation.requestBody) continue
    const [method = "", path = ""] = name.split(" ")
    const address = path.replace(/\{\w+\}/g, "x")
    const { status } = await box.call(method, address, "text", { "content-type": "text/plain" })
    expect([name, status, Object.keys(operation.responses)]).toEqual([
      name,
      415,
      expect.arrayContaining(["415"]),
    ])
  }
  for (const { post } of Object.values(document.webhooks)) {
    expect(post.security).toEqual([{ signature: [] }])
  }
})

test("it names the topics and statuses of the interface", () => {
  expect(Object.keys(document.webhooks).sort()).toEqual([...TOPICS].sort())
  expect(document.components.schemas.Topic.enum).toEqual([...TOPICS])
  const { currentStatus } = document.components.schemas.ApiLiveEventV1.properties.event.properties
  expect(currentStatus.enum).toEqual([...EVENT_STATUSES])
})

test("it is served, with the address that it has", async () => {
  const served = await box.control<{ openapi: string; servers: { url: string }[] }>(
    "GET",
    "/openapi.json",
  )
  expect([served.openapi, served.servers]).toEqual(["3.1.0", [{ url: box.url }]])
})

test("every answer of every operation is as documented", async () => {
  const event = await box.onAir({ video_meta_data: { width: 1, height: 2, orientation: "x" } })
  await box.event({ kind: "shoppable" })
  await box.push(SIMPLE)
  await box.addProduct(event.id, { external_id: SIMPLE.id })
  const { order_no } = await box.control<{ order_no: string }>("POST", "/order-numbers", {
    campaign_uid: event.campaign_uid,
  })
  const hook = await box.subscribe(receiver.url, ["svc.test"], { customHeaders: { a: "b" } })
  const one = `/api/v1/webhooks/${hook.webhookUid}`
  const template = "/api/v1/webhooks/{webhookUid}"
  const price = "/getCampaignProductPrice/{campaignUid}"
  const input = { name: "x", url: receiver.url, topics: ["svc.test"] }
  const calls: [string, string, string, unknown, number][] = [
    ["POST", "/products", "/products", { products: [SIMPLE, CONFIGURABLE, { id: "x" }] }, 200],
    ["POST", "/products", "/products", {}, 400],
    [
      "POST",
      price,
      `/getCampaignProductPrice/${event.campaign_uid}`,
      { productId: SIMPLE.id },
      200,
    ],
    ["POST", price, "/getCampaignProductPrice/x", { productId: "x" }, 404],
    ["POST", price, "/getCampaignProductPrice/x", {}, 400],
    ["POST", "/processOrders", "/processOrders", { svcOrderNumber: order_no }, 200],
    ["POST", "/processOrders", "/processOrders", { svcOrderNumber: "x" }, 404],
    ["GET", "/api/v1/liveEvents", "/api/v1/liveEvents", undefined, 200],
    ["GET", "/api/v1/shoppables", "/api/v1/shoppables", undefined, 200],
    ["GET", "/api/v1/webhooks", "/api/v1/webhooks", undefined, 200],
    ["POST", "/api/v1/webhooks", "/api/v1/webhooks", input, 201],
    ["POST", "/api/v1/webhooks", "/api/v1/webhooks", {}, 400],
    ["GET", template, one, undefined, 200],
    ["PATCH", template, one, { name: "y" }, 200],
    ["POST", `${template}/rotateSignatureKey`, `${one}/rotateSignatureKey`, undefined, 200],
    ["DELETE", template, one, undefined, 204],
    ["DELETE", template, one, undefined, 404],
  ]
  const seen = new Set<string>()
  for (const [method, path, url, body, status] of calls) {
    const operation = operations.get(`${method} ${path}`)
    const answer = await box.call(method, url, body)
    expect([url, answer.status]).toEqual([url, status])
    const schema = schemaOf(operation?.responses[String(status)]?.content)
    if (status === 204) expect(answer.text).toBe("")
    else expect([url, status, problems(schema, answer.body)]).toEqual([url, status, []])
    const asked = schemaOf(operation?.requestBody?.content)
    if (status < 300 && asked) {
      const sent = path === "/products" ? { products: [SIMPLE, CONFIGURABLE] } : body
      expect([url, problems(asked, sent)]).toEqual([url, []])
    }
    if (status < 300) seen.add(`${method} ${path}`)
  }
  expect([...seen].sort()).toEqual([...operations.keys()].sort())
  for (const [name, operation] of operations) {
    const path = name.split(" ")[1] ?? ""
    const answer = await box.call(name.split(" ")[0] ?? "", path, undefined, { authorization: "" })
    expect([name, answer.status]).toEqual([name, 401])
    expect(problems(schemaOf(operation.responses["401"]?.content), answer.body)).toEqual([])
  }
})

test("every delivery of every topic is as documented", async () => {
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
    await box.control("POST", `/events/${event.id}`, { tags: ["x"] })
    await box.control("DELETE", `/events/${event.id}`)
  }
  await box.control("POST", `/subscribers/${webhookUid}/test`)
  await box.settle()
  const topics = new Set<string>()
  receiver.envelopes().forEach((envelope, i) => {
    const { post } = document.webhooks[envelope.topic as keyof typeof document.webhooks]
    const schema = schemaOf(post.requestBody.content)
    expect([envelope.topic, problems(schema, envelope)]).toEqual([envelope.topic, []])
    for (const { name, required } of post.parameters) {
      const sent = receiver.requests[i]?.headers[name.toLowerCase()]
      expect([name, sent !== undefined]).toEqual([name, required])
    }
    topics.add(envelope.topic)
  })
  expect(topics).toEqual(new Set(TOPICS))
})

test("a wrong answer would be noticed", () => {
  const { schemas } = document.components
  expect(problems(schemas.CampaignPrice, { price: "1" })).not.toEqual([])
  expect(problems(schemas.ApiLiveEventV1, { id: "1", event: {}, campaign: {} })).not.toEqual([])
})

test("every call under /_sandbox is in it, marked as ours, with what it reads", async () => {
  const served = await box.control<{
    paths: Record<string, Record<string, Json>>
    components: { schemas: Record<string, Json> }
  }>("GET", "/openapi.json")
  const own = Object.entries(served.paths).filter(([path]) => path.startsWith("/_sandbox/"))
  expect(own.length).toBeGreaterThan(25)
  const ids = new Set<unknown>()
  for (const [path, item] of own) {
    for (const [method, operation] of Object.entries(item)) {
      expect([path, method, operation["x-own"], operation.security]).toEqual([
        path,
        method,
        true,
        [],
      ])
      ids.add(operation.operationId)
    }
  }
  expect(ids.size).toBe(own.flatMap(([, item]) => Object.keys(item)).length)
  const bodyOf = (path: string) => {
    const body = served.paths[path]?.post?.requestBody as { content: Json } | undefined
    const content = body?.content["application/json"] as { schema: Json } | undefined
    return content?.schema ?? {}
  }
  expect(Object.keys(bodyOf("/_sandbox/clock").properties as Json)).toContain("run_until_idle")
  expect(Object.keys(bodyOf("/_sandbox/events").properties as Json)).toContain("campaign_uid")
  expect(Object.keys(bodyOf("/_sandbox/emit").properties as Json)).toContain("occurred_at")
})

test("what it says of a call's body is what the call takes", async () => {
  const { components } = await box.control<{ components: { schemas: Record<string, Json> } }>(
    "GET",
    "/openapi.json",
  )
  const bodies: [string, object][] = [
    ["SimpleProduct", SIMPLE],
    ["ConfigurableProduct", CONFIGURABLE],
    ["PriceRequest", { productId: "x" }],
    ["WebhookInput", { name: "x", url: receiver.url, topics: ["svc.test"] }],
  ]
  for (const [name, body] of bodies) {
    const schema = z.fromJSONSchema(JSON.parse(JSON.stringify(components.schemas[name])))
    expect([name, schema.safeParse(body).success, schema.safeParse({}).success]).toEqual([
      name,
      true,
      false,
    ])
  }
  const product = z.fromJSONSchema(JSON.parse(JSON.stringify(components.schemas.SimpleProduct)))
  expect(product.safeParse({ ...SIMPLE, inventory: -1 }).success).toBe(false)
})
