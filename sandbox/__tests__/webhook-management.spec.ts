/** Webhook subscribers: the six operations, keys, headers, tokens (interface §2.4, §4.4, §5, §6.5). */

import { TOPICS } from "../contract/interface"
import { OPERATIONS } from "../service-api/operations"
import { Box, type ErrorBody, isSignedWith, Receiver, TOKEN, type WebhookView } from "./harness"

const PATH = "/api/v1/webhooks"
const URL = "https://shop.example/hooks/svc/conn_1"

const box = Box.forAll()
const receiver = Receiver.forAll()

const input = (more: object = {}) => ({
  name: "Shop",
  url: URL,
  topics: ["live_event.created"],
  ...more,
})
const create = (more: object = {}) => box.call<WebhookView>("POST", PATH, input(more))
async function refusal(more: object): Promise<string[]> {
  const answer = await box.call<ErrorBody>("POST", PATH, input(more))
  expect([answer.status, answer.body.error.code]).toEqual([400, "invalid_request"])
  expect((await list()).length).toBe(0)
  return answer.body.error.fields?.map(({ field }) => field) ?? []
}
const list = async () =>
  (await box.call<{ data: WebhookView[]; count: number }>("GET", PATH)).body.data
const headers = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `X-Shop-${i}`, value: `v${i}` }))

describe("§4.4 the six operations", () => {
  test("§4.4 create answers the webhook with its key", async () => {
    const { status, body } = await create({ customHeaders: [{ name: "X-Shop", value: "1" }] })
    expect(status).toBe(201)
    expect(body).toEqual({
      webhookUid: expect.stringMatching(/./),
      name: "Shop",
      url: URL,
      topics: ["live_event.created"],
      customHeaders: [{ name: "X-Shop", value: "1" }],
      state: "active",
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      signatureKey: expect.stringMatching(/.{32,}/),
    })
  })

  test("§4.4 list, get, update and delete", async () => {
    const { webhookUid } = (await create()).body
    expect((await list()).map((webhook) => webhook.webhookUid)).toEqual([webhookUid])
    const updated = await box.call<WebhookView>("PATCH", `${PATH}/${webhookUid}`, {
      name: "New name",
      topics: ["live_event.deleted"],
    })
    expect(updated.status).toBe(200)
    const got = await box.call<WebhookView>("GET", `${PATH}/${webhookUid}`)
    expect(got.body).toEqual(updated.body)
    expect(got.body).toMatchObject({ name: "New name", url: URL, topics: ["live_event.deleted"] })
    const deleted = await box.call("DELETE", `${PATH}/${webhookUid}`)
    expect([deleted.status, deleted.text]).toEqual([204, ""])
    expect((await box.call("GET", `${PATH}/${webhookUid}`)).status).toBe(404)
    expect(await list()).toEqual([])
  })

  test("§4.4 webhookUid in the path says which; an unknown one is not found", async () => {
    const [first, second] = [(await create()).body, (await create({ name: "Second" })).body]
    const got = await box.call<WebhookView>("GET", `${PATH}/${second.webhookUid}`)
    expect([got.body.name, first.webhookUid === second.webhookUid]).toEqual(["Second", false])
    for (const [method, path] of [
      ["GET", `${PATH}/whk_nope`],
      ["PATCH", `${PATH}/whk_nope`],
      ["DELETE", `${PATH}/whk_nope`],
      ["POST", `${PATH}/whk_nope/rotateSignatureKey`],
    ] as const) {
      const body = method === "PATCH" ? {} : undefined
      expect([method, (await box.call(method, path, body)).status]).toEqual([method, 404])
    }
  })

  test("§4.4 rotate issues a new key, with which retries are signed too; the previous one stops at once", async () => {
    receiver.answer(503)
    const { webhookUid, signatureKey = "" } = (await create({ url: receiver.url })).body
    await box.announced()
    expect(isSignedWith(signatureKey, receiver.only())).toBe(true)
    const rotated = await box.call<WebhookView>("POST", `${PATH}/${webhookUid}/rotateSignatureKey`)
    expect(rotated.status).toBe(200)
    expect(rotated.body).toEqual({ webhookUid, signatureKey: expect.stringMatching(/.{32,}/) })
    receiver.answer(200)
    await box.announced()
    await box.clock({ advance: "60s" })
    for (const request of receiver.requests) {
      expect(isSignedWith(signatureKey, request)).toBe(false)
      expect(isSignedWith(rotated.body.signatureKey ?? "", request)).toBe(true)
    }
    expect(receiver.requests.length).toBe(2)
  })

  test("§2.4 the key is in no later answer", async () => {
    const { webhookUid, signatureKey = "" } = (await create({ url: receiver.url })).body
    await box.announced()
    const answers = [
      await box.call("GET", PATH),
      await box.call("GET", `${PATH}/${webhookUid}`),
      await box.call("PATCH", `${PATH}/${webhookUid}`, { name: "x" }),
      await box.call("GET", "/_sandbox/state"),
      await box.call("GET", "/_sandbox/subscribers"),
      await box.call("GET", `/_sandbox/deliveries/${(await box.onlyDelivery()).id}`),
    ]
    for (const { text } of answers) {
      expect(text).toContain(webhookUid)
      expect(text).not.toContain(signatureKey)
    }
  })

  test("§4.4 an update that breaks a rule, or names a field that nobody knows, changes nothing", async () => {
    const { body } = await create()
    for (const bad of [
      { url: "http://shop.example/" },
      { topics: [] },
      { customHeaders: headers(6) },
      { name: "" },
      { custom_headers: headers(1) },
      { topic: "live_event.created" },
      { state: "active" },
    ]) {
      expect((await box.call("PATCH", `${PATH}/${body.webhookUid}`, { ...bad })).status).toBe(400)
    }
    const { signatureKey: _shownOnce, ...webhook } = body
    expect(await list()).toEqual([webhook])
  })

  test("§4.4 a field that nobody knows is refused at creation", async () => {
    for (const field of ["custom_headers", "CustomHeaders", "topic", "state"]) {
      expect(await refusal({ [field]: headers(1) })).toEqual([field])
    }
  })
})

describe("§2.4 what a subscriber is", () => {
  test("§2.4 name is a label and required", async () => {
    expect(await refusal({ name: "" })).toEqual(["name"])
    expect(await refusal({ name: undefined })).toEqual(["name"])
  })

  test("§2.4 URL is https; plain http only on this machine, or where the sandbox was told to allow it", async () => {
    for (const url of ["http://shop.example/", "ftp://shop.example/", "shop.example", "", "//x"]) {
      expect([url, await refusal({ url })]).toEqual([url, ["url"]])
    }
    for (const url of [URL, "http://127.0.0.1:9000/x", "http://localhost/x", "http://[::1]:9/x"]) {
      expect([url, (await create({ url })).status]).toEqual([url, 201])
    }
    const open = await Box.start({ allowHttp: true })
    for (const [url, status] of [
      ["http://medusa:9000/hooks", 201],
      ["ftp://medusa/hooks", 400],
    ] as const) {
      expect([url, (await open.call("POST", PATH, input({ url }))).status]).toEqual([url, status])
    }
    await open.close()
  })

  test("§2.4 topics are chosen from the list, at least one", async () => {
    expect(await refusal({ topics: [] })).toEqual(["topics"])
    expect(await refusal({ topics: ["live_event.created", "order.placed"] })).toEqual(["topics.1"])
    expect((await create({ topics: TOPICS })).body.topics).toEqual([...TOPICS])
  })

  test("§2.4 each subscriber has its own key, topics and headers", async () => {
    const own = { topics: ["live_event.updated"], customHeaders: headers(1) }
    const [first, second] = [(await create()).body, (await create(own)).body]
    expect(first.signatureKey).not.toBe(second.signatureKey)
    expect(await list()).toMatchObject([
      { topics: ["live_event.created"], customHeaders: [] },
      { topics: ["live_event.updated"], customHeaders: headers(1) },
    ])
  })

  test("§8 a page has at most 5 subscribers", async () => {
    for (let i = 0; i < 5; i++) expect((await create()).status).toBe(201)
    const sixth = await box.call<ErrorBody>("POST", PATH, input())
    expect([sixth.status, sixth.body.error.code]).toEqual([409, "subscriber_limit"])
    const [first] = await list()
    await box.call("DELETE", `${PATH}/${first?.webhookUid}`)
    expect((await create()).status).toBe(201)
    await box.control("POST", "/pages", { uid: "other", api_token: "other-token" })
    const other = await box.call("POST", PATH, input(), { authorization: "Token other-token" })
    expect(other.status).toBe(201)
  })
})

describe("§6.5 custom headers", () => {
  test("§6.5 up to 5 a subscriber", async () => {
    expect(await refusal({ customHeaders: headers(6) })).toEqual(["customHeaders"])
    expect((await create({ customHeaders: headers(5) })).status).toBe(201)
  })

  const names = (...list: string[]) => list.map((name) => [{ name, value: "v" }])
  const values = (...list: string[]) => list.map((value) => [{ name: "X-Shop", value }])
  const rules: [string, string, object[][], object[][]][] = [
    [
      "§6.5 name of 1 to 64 characters",
      "customHeaders.0.name",
      names("", "a".repeat(65)),
      names("a", "a".repeat(64)),
    ],
    [
      "§6.5 name of letters, digits and hyphens only",
      "customHeaders.0.name",
      names("X_Shop", "X Shop", "X.Shop", "Xæ", "X:Shop", "X\n"),
      names("X-Shop-1", "-", "9"),
    ],
    [
      "§6.5 name without the prefix X-Svc-, in any case",
      "customHeaders.0.name",
      names("X-Svc-Topic", "x-svc-anything", "X-SVC-"),
      names("X-Svc", "X-Svcx", "My-X-Svc-"),
    ],
    [
      "§6.5 forbidden names, in any case",
      "customHeaders.0.name",
      names(
        "Content-Type",
        "content-length",
        "HOST",
        "User-Agent",
        "transfer-encoding",
        "Transfer-Encoding",
      ),
      names("Content-Language", "Hosts", "Authorization"),
    ],
    [
      "§6.5 value of 1 to 256 characters",
      "customHeaders.0.value",
      values("", "v".repeat(257)),
      values("v", "v".repeat(256)),
    ],
    [
      "§6.5 value without CR and LF",
      "customHeaders.0.value",
      values("a\rb", "a\nb", "a\r\nX-Evil: 1"),
      values("a b", "a: b", "æøå"),
    ],
  ]
  for (const [title, field, refused, accepted] of rules) {
    test(title, async () => {
      for (const customHeaders of refused) {
        expect([customHeaders, await refusal({ customHeaders })]).toEqual([customHeaders, [field]])
      }
      for (const customHeaders of accepted) {
        const { status, body } = await create({ customHeaders })
        expect([customHeaders, status]).toEqual([customHeaders, 201])
        await box.call("DELETE", `${PATH}/${body.webhookUid}`)
      }
    })
  }

  test("§6.5 custom headers are set at creation: a later change is refused, but by a profile", async () => {
    const { webhookUid } = (await create({ customHeaders: headers(1) })).body
    const change = () =>
      box.call<WebhookView & ErrorBody>("PATCH", `${PATH}/${webhookUid}`, {
        customHeaders: headers(2),
      })
    const refused = await change()
    expect([refused.status, refused.body.error.fields]).toMatchObject([
      400,
      [{ field: "customHeaders" }],
    ])
    await box.control("POST", "/profiles", { custom_headers: "changeable" })
    expect((await change()).body.customHeaders).toEqual(headers(2))
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
    await create({ url: receiver.url, topics: TOPICS, customHeaders: [{ name, value }] })
    await box.emitted("live_event.updated", { text: "Æ" })
    expect(await box.onlyDelivery()).toMatchObject({ state: "delivered" })
    expect(JSON.parse(receiver.only().body.toString("utf8")).data).toEqual({ text: "Æ" })
    const sent = receiver.only().headers[name.toLowerCase()]
    expect(sent).toBe(name === "Connection" ? "keep-alive" : value)
  })

  test("§6.5 custom headers are sent on every delivery, after the service's own", async () => {
    receiver.answer(503)
    const { webhookUid } = (
      await create({ url: receiver.url, customHeaders: [...headers(4), { name: "a", value: "ø" }] })
    ).body
    await box.announced()
    await box.clock({ advance: "60s" })
    await box.control("POST", `/subscribers/${webhookUid}/test`)
    expect(receiver.requests.length).toBe(3)
    for (const { rawHeaders } of receiver.requests) {
      const sent = rawHeaders.map(([name]) => name)
      const last = sent.reduce((at, name, i) => (name.startsWith("X-Svc-") ? i : at), -1)
      expect(sent.slice(last + 1)).toEqual(["X-Shop-0", "X-Shop-1", "X-Shop-2", "X-Shop-3", "a"])
      const value = rawHeaders.find(([name]) => name === "a")?.[1] ?? ""
      expect(Buffer.from(value, "latin1").toString("utf8")).toBe("ø")
    }
  })

  test("§6.5 a custom header that is there already is dropped", async () => {
    const customHeaders = [
      { name: "Connection", value: "close" },
      { name: "X-Shop", value: "first" },
      { name: "x-shop", value: "second" },
    ]
    expect((await create({ url: receiver.url, customHeaders })).status).toBe(201)
    await box.announced()
    const { rawHeaders } = receiver.only()
    const of = (wanted: string) =>
      rawHeaders.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)
    expect([of("connection"), of("x-shop")]).toEqual([["keep-alive"], ["first"]])
  })

  test("§7 a request that breaks a header rule answers 400 with code, message and fields", async () => {
    const answer = await box.call<ErrorBody>(
      "POST",
      PATH,
      input({
        customHeaders: [
          { name: "Host", value: "x" },
          { name: "ok", value: "" },
        ],
      }),
    )
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: {
          code: "invalid_request",
          message: expect.stringContaining("Host"),
          fields: [
            { field: "customHeaders.0.name", message: expect.any(String) },
            { field: "customHeaders.1.value", message: expect.any(String) },
          ],
        },
      },
    ])
  })
})

describe("§5 authentication", () => {
  test("§5 rule 1 and 2: every operation needs the page's API token after the scheme Token, in any case", async () => {
    for (const { method, path } of OPERATIONS) {
      const address = path.replace(/:\w+/, "x")
      for (const authorization of ["", "Token", "Token wrong", `Bearer ${TOKEN}`, TOKEN]) {
        const { status, body } = await box.call<ErrorBody>(method, address, undefined, {
          authorization,
        })
        expect([method, path, authorization, status, body.error.code]).toEqual([
          method,
          path,
          authorization,
          401,
          "unauthorized",
        ])
      }
      for (const scheme of ["Token", "token", "TOKEN"]) {
        const authorization = `${scheme} ${TOKEN}`
        const { status } = await box.call(method, address, undefined, { authorization })
        expect([method, path, scheme, status === 401]).toEqual([method, path, scheme, false])
      }
      if (method === "GET" || method === "DELETE" || path.endsWith("rotateSignatureKey")) continue
      const { status } = await box.call(method, address, "text", { "content-type": "text/plain" })
      expect([method, path, status]).toEqual([method, path, 415])
    }
  })

  test("§5 rule 1: the token is the page's own", async () => {
    await box.control("POST", "/pages", { uid: "other", api_token: "other-token" })
    await create()
    const other = await box.call<{ data: unknown[] }>("GET", PATH, undefined, {
      authorization: "Token other-token",
    })
    expect(other.body.data).toEqual([])
    const { webhookUid } = (await list())[0] ?? { webhookUid: "" }
    const foreign = await box.call("DELETE", `${PATH}/${webhookUid}`, undefined, {
      authorization: "Token other-token",
    })
    expect(foreign.status).toBe(404)
    expect((await list()).length).toBe(1)
  })

  test("§7 errors of the REST endpoints are {error: {code, message}}", async () => {
    const wrong: [string, string, string | undefined, number, string][] = [
      ["POST", "/products", "{", 400, "invalid_json"],
      ["POST", "/products", "", 400, "invalid_request"],
      ["GET", "/api/v2/webhooks", undefined, 404, "not_found"],
      ["PUT", "/products", "{}", 404, "not_found"],
    ]
    for (const [method, path, body, status, code] of wrong) {
      const answer = await box.call<ErrorBody>(method, path, body)
      expect([path, answer.status, answer.body]).toEqual([
        path,
        status,
        { error: expect.objectContaining({ code, message: expect.stringMatching(/./) }) },
      ])
    }
  })

  test("§9 webhooks and event listing are under /api/v1, the rest at the root", async () => {
    for (const path of ["/webhooks", "/liveEvents", "/shoppables"]) {
      expect((await box.call("GET", path)).status).toBe(404)
      expect((await box.call("GET", `/api/v1${path}`)).status).toBe(200)
    }
    const body = { products: [], svcOrderNumber: "x", productId: "x" }
    for (const path of ["/products", "/processOrders", "/getCampaignProductPrice/c"]) {
      expect((await box.call<ErrorBody>("POST", `/api/v1${path}`, body)).body.error.code).toBe(
        "not_found",
      )
      expect((await box.call<ErrorBody>("POST", path, body)).body.error?.code).not.toBe("not_found")
    }
  })
})

test("§9 rule 1: existing subscribers stay on v1 when there is a v2; a new one may opt in", async () => {
  const { webhookUid } = (await create({ url: receiver.url })).body
  expect(await refusedVersion("v2")).toBe("version: One of: v1.")
  await box.control("POST", "/profiles", { version: "v2" })
  expect(await refusedVersion("v9")).toBe("version: One of: v1, v2.")
  expect((await create({ url: receiver.url, version: "v2" })).status).toBe(201)
  const change = (version: string) =>
    box.call<ErrorBody>("PATCH", `${PATH}/${webhookUid}`, { version })
  const refused = await change("v2")
  expect([refused.status, refused.body.error.fields]).toMatchObject([400, [{ field: "version" }]])
  // What it has already is no change.
  expect((await change("v1")).status).toBe(200)
  await box.announced()
  const versions = receiver.envelopes().map(({ version }) => version)
  expect(versions.sort()).toEqual(["v1", "v2"])

  async function refusedVersion(version: string): Promise<string> {
    const answer = await box.call<ErrorBody>("POST", PATH, input({ version }))
    return answer.body.error.message
  }
})
