/** Where the service could differ: each profile does what it says, and nothing by default. */

import { createHmac } from "node:crypto"
import type { ProfileName } from "../simulation/profiles"
import {
  Box,
  CONFIGURABLE,
  type ErrorBody,
  envelopeOf,
  isSignedWith,
  Receiver,
  SIMPLE,
  type WebhookView,
} from "./harness"

type Listed = {
  name: ProfileName
  gap: string
  values: string[] | "number"
  default: unknown
  value: unknown
}

const box = Box.forAll()
const receiver = Receiver.forAll()
let webhook: WebhookView

beforeEach(async () => {
  webhook = await box.subscribe(receiver.url, [
    "live_event.created",
    "live_event.updated",
    "live_event_product.created",
    "live_event_product.updated",
  ])
})

const set = (profiles: object) => box.control("POST", "/profiles", profiles)
const list = async () => (await box.control<{ profiles: Listed[] }>("GET", "/profiles")).profiles

async function priceUpdates(count: number): Promise<string> {
  await box.push(SIMPLE)
  const event = await box.event()
  const product = await box.addProduct(event.id, { external_id: SIMPLE.id })
  await box.settle()
  receiver.answer(200)
  for (let i = 1; i <= count; i++) {
    await box.control("POST", `/events/${event.id}/products/${product.uid}`, { price: i })
  }
  return product.uid
}

test("the list names each profile with its gap, values and default; the first value is it", async () => {
  const profiles = await list()
  expect(profiles.length).toBeGreaterThan(20)
  for (const { name, gap, values, default: standard, value } of profiles) {
    expect([name, value, gap.length > 0]).toEqual([name, standard, true])
    expect(standard).toBe(values === "number" ? 0 : values[0])
  }
})

test("setting is all or nothing, and goes back to the defaults", async () => {
  await expect(set({ ties: "same_ms", listing: "sideways" })).rejects.toThrow("invalid_profile")
  await expect(set({ ties: "same_ms", unknown: 1 })).rejects.toThrow("unknown_profile")
  await expect(set({ rate_limit: -1 })).rejects.toThrow("invalid_profile")
  expect((await list()).every(({ value, default: standard }) => value === standard)).toBe(true)
  await set({ ties: "same_ms", rate_limit: 5 })
  expect((await list()).filter((p) => p.value !== p.default).map(({ name }) => name)).toEqual([
    "ties",
    "rate_limit",
  ])
  await box.control("DELETE", "/profiles")
  expect((await list()).every(({ value, default: standard }) => value === standard)).toBe(true)
})

describe("deliveries", () => {
  test("event_uid: the record's id on product topics by default, or one per emission", async () => {
    const uid = await priceUpdates(2)
    await box.settle()
    expect(receiver.envelopes().map(({ metadata }) => metadata.eventUid)).toEqual([uid, uid])
    const events = await box.deliveries("?topic=live_event.created")
    expect(events[0]?.event_uid).toMatch(/^evt_/)

    await box.fresh()
    await set({ event_uid: "per_emission" })
    await box.subscribe(receiver.url, ["live_event.created", "live_event_product.updated"])
    await priceUpdates(2)
    await box.settle()
    const uids = receiver.envelopes().map(({ metadata }) => metadata.eventUid)
    expect(new Set(uids).size).toBe(2)
  })

  test("occurred_at: stable, new on each retry, or in the future", async () => {
    receiver.answer(503)
    await set({ occurred_at: "unstable", timestamps: "clock" })
    await box.emitted()
    await box.clock({ advance: "60s" })
    const [first, second] = receiver.envelopes()
    expect((second?.occurredAt ?? 0) - (first?.occurredAt ?? 0)).toBe(60_000)
    await set({ occurred_at: "future" })
    receiver.answer(200)
    await box.emitted("live_event.created")
    const { occurredAt, deliveryAt } = envelopeOf(receiver.only())
    expect(occurredAt - deliveryAt).toBe(3_600_000)
  })

  test("ties: changes within a second bear one occurredAt", async () => {
    const now = (await box.control<{ now: number }>("GET", "/clock")).now
    await box.clock({ set: Math.ceil(now / 1000) * 1000 + 100 })
    const seen: number[][] = []
    for (const ties of ["off", "same_ms"]) {
      await set({ ties, timestamps: "clock" })
      receiver.answer(200)
      await box.emit()
      await box.clock({ advance: 300 })
      await box.emitted()
      const [a, b] = receiver.envelopes().map(({ occurredAt }) => occurredAt)
      seen.push([(b ?? 0) - (a ?? 0)])
    }
    expect(seen).toEqual([[300], [0]])
  })

  test("ids: the one at the top is another", async () => {
    await set({ ids: "aliased" })
    await box.push(SIMPLE)
    const event = await box.event()
    const product = await box.addProduct(event.id, { external_id: SIMPLE.id })
    expect(event.data.id).not.toBe(event.data.event.id)
    expect(product.data.id).not.toBe(product.data.uid)
    expect(
      (await box.control<{ event: typeof event }>("GET", `/events/${event.id}`)).event.data.id,
    ).toBe(event.data.id)
  })

  test("duplicates: a storm of the same event under other deliveryUids", async () => {
    await set({ duplicates: "storm" })
    await box.emit()
    await box.clock({ run_until_idle: true })
    const envelopes = receiver.envelopes()
    expect(envelopes.length).toBeGreaterThanOrEqual(3)
    expect(envelopes.length).toBeLessThanOrEqual(5)
    expect(new Set(envelopes.map(({ metadata }) => metadata.eventUid)).size).toBe(1)
    expect(new Set(envelopes.map(({ deliveryUid }) => deliveryUid)).size).toBe(envelopes.length)
    expect((await box.onlyDelivery()).state).toBe("delivered")
  })

  test("late_2xx: a success that came too late is retried once", async () => {
    await set({ late_2xx: "on" })
    await box.emit()
    await box.clock({ run_until_idle: true })
    expect(receiver.requests.length).toBe(2)
    expect(await box.onlyDelivery()).toMatchObject({
      state: "delivered",
      attempts: [{ status: 200, outcome: "retry" }, { outcome: "success" }],
    })
  })

  // gap 8
  test("resend_signing: afresh, or with the old timestamp and signature", async () => {
    await box.emitted()
    const { id } = await box.onlyDelivery()
    await box.clock({ advance: "1h" })
    await set({ resend_signing: "frozen" })
    await box.control("POST", `/deliveries/${id}/resend`)
    const [first, second] = receiver.requests
    expect(second?.rawHeaders).toEqual(first?.rawHeaders)
    expect(second?.body).toEqual(first?.body)
    await set({ resend_signing: "fresh" })
    await box.control("POST", `/deliveries/${id}/resend`)
    expect(receiver.requests[2]?.headers["x-svc-timestamp"]).not.toBe(
      first?.headers["x-svc-timestamp"],
    )
  })

  test("key_encoding: the key signs as its base64-decoded bytes", async () => {
    await set({ key_encoding: "base64" })
    await box.emitted()
    const { headers, body } = receiver.only()
    const key = webhook.signatureKey ?? ""
    expect(isSignedWith(key, receiver.only())).toBe(false)
    const mac = createHmac("sha256", Buffer.from(key, "base64"))
    mac.update(`${headers["x-svc-timestamp"]}.`).update(body)
    expect(headers["x-svc-signature"]).toBe(mac.digest("base64"))
  })

  // gap 18
  test("timestamp_header: differs from deliveryAt and is what is signed", async () => {
    await set({ timestamp_header: "differs" })
    await box.emitted()
    const request = receiver.only()
    expect(Number(request.headers["x-svc-timestamp"])).not.toBe(envelopeOf(request).deliveryAt)
    expect(isSignedWith(webhook.signatureKey ?? "", request)).toBe(true)
  })

  test("hint_headers: absent, or at odds with the body", async () => {
    const hints = async (hint_headers: string) => {
      await set({ hint_headers })
      receiver.answer(200)
      await box.emitted()
      const request = receiver.only()
      expect(isSignedWith(webhook.signatureKey ?? "", request)).toBe(true)
      const names = ["page-uid", "subscriber-uid", "topic", "delivery-uid", "event-uid"]
      return names.map((name) => request.headers[`x-svc-${name}`])
    }
    expect((await hints("as_documented"))[2]).toBe("live_event.updated")
    expect(await hints("missing")).toEqual(Array(5).fill(undefined))
    expect(await hints("contradicting")).toEqual(Array(5).fill("another"))
  })

  test("test_body: svc.test without any ids", async () => {
    const metadata = async () => {
      receiver.answer(200)
      await box.control("POST", `/subscribers/${webhook.webhookUid}/test`)
      return envelopeOf(receiver.only()).metadata
    }
    expect(Object.keys(await metadata())).toEqual(["pageUid", "subscriberUid", "eventUid"])
    await set({ test_body: "bare" })
    expect(await metadata()).toEqual({})
  })

  test("unknowns: fields and values that no document names", async () => {
    await set({ unknowns: "on" })
    await box.push(SIMPLE)
    const event = await box.event()
    await box.addProduct(event.id, { external_id: SIMPLE.id })
    await box.settle()
    const [first, second] = receiver.envelopes()
    expect(first?.data).toMatchObject({ apiRevision: 7, event: { futureField: {} } })
    expect(first?.data.event.videoMetaData).toMatchObject({ orientation: "diagonal" })
    expect(second?.data).toMatchObject({ futureBadge: "hot" })
  })

  test("field_types: a product's fields in other types than documented", async () => {
    await set({ field_types: "other" })
    await box.push(SIMPLE)
    const event = await box.event()
    await box.addProduct(event.id, { external_id: SIMPLE.id, price: 249 })
    await box.settle()
    const [, told] = receiver.envelopes()
    expect(told?.data).toMatchObject({
      price: "249",
      available: 1,
      suggestedRetailPrice: null,
      minPurchaseQty: 0,
      maxQtyPerCustomer: "none",
      variants: null,
    })
  })

  test("identifiers: with spaces, slashes and other letters, encoded where a header or an address has them", async () => {
    await set({ identifiers: "any" })
    await box.push(SIMPLE)
    const { id, campaign_uid } = await box.onAir()
    expect(campaign_uid).toMatch(/^cmp_.* 26\/æ$/)
    await box.addProduct(id, { external_id: SIMPLE.id, price: 249 })
    const path = encodeURIComponent(campaign_uid)
    const price = await box.call("POST", `/getCampaignProductPrice/${path}`, {
      productId: SIMPLE.id,
    })
    expect(price.body).toMatchObject({ price: 249 })
    const number = await box.orderNumber(campaign_uid)
    expect(number).toMatch(/^SVC-.* 26\/æ$/)
    expect((await box.call("POST", "/processOrders", { svcOrderNumber: number })).status).toBe(200)
    await box.control("POST", "/pages", { uid: "sommer/æ", api_token: "other-token" })
    await box.event({ page_uid: "sommer/æ", campaign_uid: "own campaign" })
    for (const uid of ["..", "a/../b", "a\nb", "x".repeat(501)])
      await expect(box.event({ campaign_uid: uid })).rejects.toThrow("invalid_request")
  })
})

describe("answers", () => {
  test("webhook_answers: wrapped, in snake case, of other types, the key alone, or listed under another name", async () => {
    const answers = async () => {
      const path = `/api/v1/webhooks/${webhook.webhookUid}`
      const rotated = await box.call<object>("POST", `${path}/rotateSignatureKey`)
      return [rotated.body, (await box.call<object>("GET", path)).body]
    }
    await set({ webhook_answers: "wrapped" })
    expect(await answers()).toMatchObject([
      { webhook: { signatureKey: expect.any(String) } },
      { webhook: { name: "Shop" } },
    ])
    await set({ webhook_answers: "snake_case" })
    expect(await answers()).toMatchObject([
      { webhook_uid: webhook.webhookUid, signature_key: expect.any(String) },
      { webhook_uid: webhook.webhookUid, custom_headers: [] },
    ])
    await set({ webhook_answers: "other_types" })
    expect((await answers())[1]).toMatchObject({ customHeaders: {}, topics: expect.any(Array) })
    await set({ webhook_answers: "key_alone" })
    const { body } = await box.call<object>("POST", "/api/v1/webhooks", {
      name: "Alone",
      url: "https://shop.example.com/other",
      topics: ["live_event.created"],
    })
    expect(Object.keys(body)).toEqual(["signatureKey"])
    await set({ webhook_answers: "items" })
    const listed = await box.call("GET", "/api/v1/webhooks")
    expect(listed.body).toMatchObject({ data: { items: [{ name: "Shop" }, {}], total: 2 } })
  })

  test("listing: a bare array, {items, total}, {liveEvents}", async () => {
    const { data } = await box.event()
    const forms: Record<string, unknown> = {
      data: { data: [data], count: 1 },
      array: [data],
      items: { items: [data], total: 1 },
      named: { liveEvents: [data] },
    }
    for (const [listing, expected] of Object.entries(forms)) {
      await set({ listing })
      expect((await box.call("GET", "/api/v1/liveEvents")).body).toEqual(expected)
    }
  })

  test("paging: the listings do not know limit and offset", async () => {
    const older = await box.event()
    const newer = await box.event()
    const ids = async () => {
      const { body } = await box.call<{ data: { id: string }[] }>(
        "GET",
        "/api/v1/liveEvents?limit=1&offset=1",
      )
      return body.data.map(({ id }) => id)
    }
    expect(await ids()).toEqual([older.id])
    await set({ paging: "ignored" })
    expect(await ids()).toEqual([newer.id, older.id])
    await set({ listing_cap: 1 })
    expect(await ids()).toEqual([newer.id])
  })

  test("price_answer: six spellings of one price, and four answers that contradict themselves", async () => {
    await box.push(SIMPLE)
    const event = await box.onAir()
    await box.addProduct(event.id, { external_id: SIMPLE.id, price: 249 })
    const vat = { rate: 25, included: true }
    const currency = "DKK"
    const nested = { price: 249, discount: 50, vat, currency }
    const forms: Record<string, unknown> = {
      nested,
      flat: {
        campaignPrice: 249,
        discountAmount: 50,
        vatRate: 25,
        vatIncluded: true,
        currencyCode: currency,
      },
      strings: { ...nested, price: "249.00", discount: "50.00", vat: { ...vat, rate: "25" } },
      wrapped: { data: nested },
      minimal: { price: 249 },
      amount_object: { price: { amount: 249, currency }, discount: { amount: 50, currency }, vat },
      two_prices: { ...nested, price: 299, campaignPrice: 249 },
      ambiguous: { ...nested, price: 299, amount: 249 },
      two_currencies: { price: { amount: 249, currency }, currency: "EUR", vat },
      two_bases: { ...nested, priceIncludesVat: false },
    }
    for (const [price_answer, expected] of Object.entries(forms)) {
      await set({ price_answer })
      const { body } = await box.price(event.campaign_uid, { productId: SIMPLE.id })
      expect([price_answer, body]).toEqual([price_answer, expected])
    }
  })

  test("lookup_price: the lookup answers another price than the webhooks", async () => {
    await box.push(SIMPLE)
    const event = await box.onAir()
    const { data } = await box.addProduct(event.id, { external_id: SIMPLE.id, price: 249.95 })
    await set({ lookup_price: "lower" })
    const { body } = await box.price(event.campaign_uid, { productId: SIMPLE.id })
    expect([data.price, body.price]).toEqual([249.95, 224.96])
    await set({ lookup_price: "many_digits" })
    const answer = await box.price(event.campaign_uid, { productId: SIMPLE.id })
    expect([answer.body.price.toFixed(2), answer.body.price === 249.95]).toEqual(["249.95", false])
  })

  test("item_errors: seven ways to say which products were refused", async () => {
    const forms: [string, number, unknown, number][] = [
      [
        "results",
        200,
        {
          results: [
            { id: "prod_lamp", status: "created" },
            { id: "bad", status: "error", error: expect.anything() },
          ],
          accepted: 1,
          rejected: 1,
        },
        1,
      ],
      ["errors", 200, { errors: [{ id: "bad", message: expect.stringContaining("sku") }] }, 1],
      [
        "products",
        200,
        {
          products: [
            { id: "prod_lamp", valid: true },
            { id: "bad", valid: false, message: expect.stringContaining("sku") },
          ],
        },
        1,
      ],
      [
        "wrapped",
        200,
        { data: { results: [expect.anything(), expect.objectContaining({ id: "bad" })] } },
        1,
      ],
      ["list", 200, [expect.anything(), expect.objectContaining({ status: "error" })], 1],
      ["reject_batch", 422, { error: expect.objectContaining({ code: "invalid_products" }) }, 0],
      ["silent", 200, {}, 1],
    ]
    for (const [item_errors, status, body, kept] of forms) {
      await box.fresh()
      await set({ item_errors })
      const answer = await box.call("POST", "/products", { products: [SIMPLE, { id: "bad" }] })
      expect([item_errors, answer.status, answer.body]).toEqual([item_errors, status, body])
      expect([item_errors, (await box.received()).length]).toEqual([item_errors, kept])
    }
  })

  test("product_rules: strict refuses what the document lets pass", async () => {
    const lax = [
      { ...SIMPLE, status: "archived" },
      { ...CONFIGURABLE, configurableOptions: ["size"] },
      { ...CONFIGURABLE, variants: [{ code: "S" }] },
    ]
    const rejected = async (...products: object[]) =>
      (await box.call<{ rejected: number }>("POST", "/products", { products })).body.rejected
    expect(await rejected(...lax)).toBe(0)
    await box.fresh()
    await set({ product_rules: "strict" })
    expect(await rejected(...lax)).toBe(3)
    expect(await rejected(SIMPLE, CONFIGURABLE)).toBe(0)
    expect(await rejected({ ...SIMPLE, id: "other" })).toBe(1)
    expect(await rejected({ ...SIMPLE, price: 5 })).toBe(0)
  })

  test("process_orders: 204 without a body, 409 to a repeat, or to the first report of each number, or 422 under another key", async () => {
    const { campaign_uid } = await box.event()
    const reports = async (process_orders: string) => {
      await set({ process_orders })
      const svcOrderNumber = await box.orderNumber(campaign_uid)
      const seen: unknown[] = []
      for (let i = 0; i < 2; i++) {
        const { status, text } = await box.call("POST", "/processOrders", { svcOrderNumber })
        const order = (await box.orders()).find(({ order_no }) => order_no === svcOrderNumber)
        seen.push([status, text !== "", order?.reports, order?.converted_at !== null])
      }
      return seen
    }
    expect(await reports("empty")).toEqual([
      [204, false, 1, true],
      [204, false, 2, true],
    ])
    expect(await reports("conflict")).toEqual([
      [200, true, 1, true],
      [409, true, 2, true],
    ])
    expect(await reports("conflict_first")).toEqual([
      [409, true, 1, false],
      [200, true, 2, true],
    ])
    await set({ process_orders: "keyed" })
    const svcOrderNumber = await box.orderNumber(campaign_uid)
    const under = async (key: string) => {
      const headers = { "idempotency-key": key }
      return (await box.call("POST", "/processOrders", { svcOrderNumber }, headers)).status
    }
    expect([await under("a:1"), await under("a:1"), await under("a:2")]).toEqual([200, 200, 422])
  })

  test("rest_errors: other bodies of one refusal", async () => {
    const message = 'There is no campaign "nope".'
    const refused = async (value: string) => {
      await set({ rest_errors: value })
      const { status, text, headers } = await box.price("nope", { productId: "p" })
      return [status, headers.get("content-type")?.split(";")[0], text]
    }
    const body = { code: "campaign_not_found", message }
    expect(await refused("nested")).toEqual([
      404,
      "application/json",
      JSON.stringify({ error: body }),
    ])
    expect(await refused("flat")).toEqual([404, "application/json", JSON.stringify(body)])
    expect(await refused("text")).toEqual([404, "text/plain", message])
    expect(await refused("empty")).toEqual([404, undefined, ""])
    expect(await refused("in_200")).toEqual([
      200,
      "application/json",
      JSON.stringify({ success: false, error: body }),
    ])
  })

  test("§8 batch_limit: more products than that are refused as a whole", async () => {
    await set({ batch_limit: 2 })
    const batch = (count: number) =>
      box.call<ErrorBody>("POST", "/products", {
        products: Array.from({ length: count }, (_, i) => ({ ...SIMPLE, id: `p${i}` })),
      })
    expect((await batch(3)).status).toBe(413)
    expect(await box.received()).toEqual([])
    expect((await batch(2)).status).toBe(200)
  })

  test("§8 rate_limit: calls a second and page, with Retry-After", async () => {
    await box.control("POST", "/pages", { uid: "other", api_token: "other-token" })
    await set({ rate_limit: 3 })
    const call = (token?: string) =>
      box.call(
        "GET",
        "/api/v1/liveEvents",
        undefined,
        token ? { authorization: `Token ${token}` } : {},
      )
    const { answer, taken, mostTaken } = await box.callUntilRefused(3, call)
    expect([answer.status, taken >= 3, taken <= mostTaken]).toEqual([429, true, true])
    expect(answer.headers.get("retry-after")).toBe("1")
    expect((await call("other-token")).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect((await call()).status).toBe(200)
  })
})
