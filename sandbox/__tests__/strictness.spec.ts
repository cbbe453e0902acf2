/** What the sandbox takes and refuses where the interface is silent: each said, each to be switched. */

import { TOPICS } from "../contract/interface"
import {
  Box,
  CONFIGURABLE,
  type ErrorBody,
  Receiver,
  SIMPLE,
  TOKEN,
  type WebhookView,
} from "./harness"

const box = Box.forAll()
const receiver = Receiver.forAll()

const set = (profiles: object) => box.control("POST", "/profiles", profiles)
type Results = { results: { status: string; error?: { fields: { field: string }[] } }[] }

async function wrongFields(product: object): Promise<string[]> {
  const { body } = await box.call<Results>("POST", "/products", { products: [product] })
  return body.results[0]?.error?.fields.map(({ field }) => field) ?? []
}

describe("products", () => {
  test.each([
    ["null where a number belongs", { ...SIMPLE, inventory: null }, "inventory"],
    ["null where yes or no belongs", { ...SIMPLE, manageStock: null }, "manageStock"],
    ["null where an address belongs", { ...SIMPLE, image: null }, "image"],
    ["negative stock", { ...SIMPLE, inventory: -1 }, "inventory"],
    ["a variant without any id", { ...CONFIGURABLE, variants: [{}] }, "variants.0"],
    [
      "two variants of one id",
      { ...CONFIGURABLE, variants: [{ id: "a" }, { id: "b" }, { id: "a" }] },
      "variants.2",
    ],
    [
      "negative stock of a variant",
      { ...CONFIGURABLE, variants: [{ id: "a", inventory: -2 }] },
      "variants.0.inventory",
    ],
    [
      "null as a variant's stock",
      { ...CONFIGURABLE, variants: [{ id: "a", inventory: null }] },
      "variants.0.inventory",
    ],
    ["no option dimensions", { ...CONFIGURABLE, configurableOptions: [] }, "configurableOptions"],
  ])("§2.1 %s is refused", async (_what, product, field) => {
    expect(await wrongFields(product)).toEqual([field])
    expect(await box.received()).toEqual([])
  })
})

describe("tokens", () => {
  test.each(["Token", "token", "TOKEN"])(
    "§5 rule 1: the scheme %s is the same in any case",
    async (scheme) => {
      const { status } = await box.call("GET", "/api/v1/webhooks", undefined, {
        authorization: `${scheme} ${TOKEN}`,
      })
      expect(status).toBe(200)
    },
  )
})

describe("webhook addresses", () => {
  const create = (to: Box, url: string) =>
    to.call<WebhookView & ErrorBody>("POST", "/api/v1/webhooks", {
      name: "Shop",
      url,
      topics: ["svc.test"],
    })

  test("§2.4 plain http beyond this machine needs the option for it", async () => {
    expect((await create(box, "http://medusa:9000/hooks")).body.error.message).toContain(
      "--allow-http",
    )
    const open = await Box.start({ allowHttp: true })
    expect((await create(open, "http://medusa:9000/hooks")).status).toBe(201)
    expect((await create(open, "ftp://medusa/hooks")).status).toBe(400)
    await open.close()
  })
})

describe("subscribers", () => {
  test("§6.5 custom headers are set at creation: a later change is refused", async () => {
    const { webhookUid } = await box.subscribe(receiver.url, TOPICS, {
      customHeaders: [{ name: "X-Shop", value: "one" }],
    })
    const change = await box.call<ErrorBody>("PATCH", `/api/v1/webhooks/${webhookUid}`, {
      customHeaders: [{ name: "X-Shop", value: "two" }],
    })
    expect([change.status, change.body.error.fields?.map(({ field }) => field)]).toEqual([
      400,
      ["customHeaders"],
    ])
    await set({ custom_headers: "changeable" })
    const allowed = await box.call<WebhookView>("PATCH", `/api/v1/webhooks/${webhookUid}`, {
      customHeaders: [{ name: "X-Shop", value: "two" }],
    })
    expect(allowed.body.customHeaders).toEqual([{ name: "X-Shop", value: "two" }])
  })

  test.each([
    "Trailer",
    "TE",
    "Expect",
    "Upgrade",
    "Keep-Alive",
    "Date",
    "Connection",
    "Max-Forwards",
  ])("§6.5 a header called %s does not spoil the deliveries", async (name) => {
    const value = name === "Expect" ? "100-continue" : "trailers"
    await box.subscribe(receiver.url, TOPICS, { customHeaders: [{ name, value }] })
    await box.emitted("live_event.updated", { text: "Æ" })
    expect(await box.onlyDelivery()).toMatchObject({ state: "delivered" })
    expect(JSON.parse(receiver.only().body.toString("utf8")).data).toEqual({ text: "Æ" })
    const sent = receiver.only().headers[name.toLowerCase()]
    expect(sent).toBe(name === "Connection" ? "keep-alive" : value)
  })

  test("§9 rule 1: existing subscribers stay on v1 when there is a v2; a new one may opt in", async () => {
    await box.subscribe(receiver.url, ["live_event.updated"])
    const subscribeTo = (version: string) =>
      box.call<ErrorBody>("POST", "/api/v1/webhooks", {
        name: "Early",
        url: receiver.url,
        topics: ["live_event.updated"],
        version,
      })
    expect(await subscribeTo("v2")).toMatchObject({
      status: 400,
      body: { error: { message: "version: One of: v1." } },
    })
    await set({ version: "v2" })
    expect(await subscribeTo("v9")).toMatchObject({
      status: 400,
      body: { error: { message: "version: One of: v1, v2." } },
    })
    await box.subscribe(receiver.url, ["live_event.updated"], { version: "v2" })
    await box.emitted()
    expect(
      receiver
        .envelopes()
        .map(({ version }) => version)
        .sort(),
    ).toEqual(["v1", "v2"])
  })
})

describe("what a profile and a command do", () => {
  test("move with deleted_created announces the products as well, each in its family", async () => {
    await box.push(SIMPLE)
    const event = await box.event()
    await box.addProduct(event.id, { external_id: SIMPLE.id })
    await box.move(event.id, "start", "end", "complete")
    await box.settle()
    await box.subscribe(receiver.url, TOPICS)
    await box.control("POST", `/events/${event.id}/move`, {
      kind: "shoppable",
      announce: "deleted_created",
    })
    await box.settle()
    expect(
      receiver
        .envelopes()
        .map(({ topic }) => topic)
        .sort(),
    ).toEqual([
      "live_event.deleted",
      "live_event_product.deleted",
      "shoppable_event.created",
      "shoppable_event_product.created",
    ])
  })
})

describe("§2.1 the inside of a configurable product, as far as nobody can mistake it", () => {
  const [small, medium] = CONFIGURABLE.variants
  const wrong: [string, object][] = [
    ["a variant's price is null", { variants: [{ ...small, price: null }, medium] }],
    ["a variant's price is text", { variants: [{ ...small, price: "199" }, medium] }],
    ["a variant's price is negative", { variants: [{ ...small, price: -1 }, medium] }],
    ["an option is null", { configurableOptions: [null] }],
    ["an option is a number", { configurableOptions: [7] }],
    ["an option is empty", { configurableOptions: [{}] }],
    ["an option is an empty text", { configurableOptions: [""] }],
  ]
  const taken = async (product: object) =>
    (await box.call<{ accepted: number }>("POST", "/products", { products: [product] })).body
      .accepted

  test.each(wrong)("is refused where %s", async (_what, fields) => {
    expect(await taken({ ...CONFIGURABLE, ...fields })).toBe(0)
  })

  test("is taken as it comes with the profile for a service that does not look inside", async () => {
    await box.control("POST", "/profiles", { product_rules: "outside_only" })
    for (const [, fields] of wrong) expect(await taken({ ...CONFIGURABLE, ...fields })).toBe(1)
  })

  test.each([
    ["named options", [{ name: "Size", values: ["S"] }]],
    ["options by name alone", ["Size"]],
    ["options with other fields", [{ title: "Size", options: [] }]],
  ])("is taken with %s", async (_what, configurableOptions) => {
    expect(await taken({ ...CONFIGURABLE, configurableOptions })).toBe(1)
  })
})

describe("§4.4 a field of a webhook that nobody knows", () => {
  const hook = { name: "Shop", url: "https://shop.example/hooks", topics: ["live_event.updated"] }

  test.each(["custom_headers", "CustomHeaders", "topic", "state"])(
    "is refused: %s",
    async (field) => {
      const headers = [{ name: "X-Shop", value: "1" }]
      const created = await box.call<ErrorBody>("POST", "/api/v1/webhooks", {
        ...hook,
        [field]: headers,
      })
      expect([created.status, created.body.error.fields]).toMatchObject([400, [{ field }]])
      const { body } = await box.call<WebhookView>("POST", "/api/v1/webhooks", hook)
      const path = `/api/v1/webhooks/${body.webhookUid}`
      expect((await box.call("PATCH", path, { [field]: headers })).status).toBe(400)
    },
  )
})

test("§9 rule 1 an existing subscriber stays on its version", async () => {
  await box.control("POST", "/profiles", { version: "v2" })
  const { webhookUid } = await box.subscribe("https://shop.example/hooks", ["live_event.updated"])
  const path = `/api/v1/webhooks/${webhookUid}`
  const change = (version: string) => box.call<ErrorBody>("PATCH", path, { version })
  const refused = await change("v2")
  expect([refused.status, refused.body.error.fields]).toMatchObject([400, [{ field: "version" }]])
  // What it has already is no change.
  expect((await change("v1")).status).toBe(200)
})

test("§3.2 Activate is for a subscriber that is disabled", async () => {
  const { webhookUid } = await box.subscribe("https://shop.example/hooks", ["live_event.updated"])
  const path = `/_sandbox/subscribers/${webhookUid}/activate`
  const answer = await box.call<ErrorBody>("POST", path)
  expect([answer.status, answer.body.error.code]).toEqual([409, "not_disabled"])
})
