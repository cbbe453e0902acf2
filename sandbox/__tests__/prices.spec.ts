/** The campaign's price (interface §2.2, §4.1). */

import { Box, CONFIGURABLE, type ErrorBody, type EventView, SIMPLE } from "./harness"

const box = Box.forAll()
let event: EventView

beforeEach(async () => {
  await box.push(SIMPLE, CONFIGURABLE)
  event = await box.onAir()
  await box.addProduct(event.id, { external_id: "prod_lamp", price: 249 })
  await box.addProduct(event.id, {
    external_id: "prod_shirt",
    price: 149,
    variants: [{ external_id: "variant_m", price: 159.5 }],
  })
})

const price = (body: unknown, campaign = event.campaign_uid) => box.price(campaign, body)
async function refusal(body: unknown, campaign?: string): Promise<[number, string]> {
  const answer = await price(body, campaign)
  return [answer.status, (answer.body as unknown as ErrorBody).error.code]
}

test("§4.1 answers campaign price, discount and VAT information", async () => {
  const answer = await price({ productId: "prod_lamp" })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    price: 249,
    discount: 50,
    vat: { rate: 25, included: true },
    currency: "DKK",
  })
})

test("§4.1 campaignUid in the path says which campaign", async () => {
  const other = await box.onAir()
  await box.addProduct(other.id, { external_id: "prod_lamp", price: 99 })
  expect((await price({ productId: "prod_lamp" }, other.campaign_uid)).body.price).toBe(99)
  expect((await price({ productId: "prod_lamp" })).body.price).toBe(249)
  expect(await refusal({ productId: "prod_lamp" }, "cmp_unknown")).toEqual([
    404,
    "campaign_not_found",
  ])
})

test("§2.2 productId is required", async () => {
  for (const body of [{}, { productId: "" }, { productId: 7 }, []]) {
    expect(await refusal(body)).toEqual([400, "invalid_request"])
  }
  expect(await refusal({ productId: "prod_unknown" })).toEqual([404, "product_not_in_campaign"])
})

test("§2.2 variantId is required of a product with variants", async () => {
  expect(await refusal({ productId: "prod_shirt" })).toEqual([400, "variant_required"])
  expect((await price({ productId: "prod_shirt", variantId: "variant_s" })).body.price).toBe(149)
  expect((await price({ productId: "prod_shirt", variantId: "variant_m" })).body.price).toBe(159.5)
  expect(await refusal({ productId: "prod_shirt", variantId: "variant_xl" })).toEqual([
    404,
    "variant_not_in_campaign",
  ])
})

test("§4.1 a price that changes during the show is answered at once", async () => {
  const { products } = await box.control<{ products: { uid: string }[] }>(
    "GET",
    `/events/${event.id}`,
  )
  await box.control("POST", `/events/${event.id}/products/${products[0]?.uid}`, { price: 0.1 })
  const { body } = await price({ productId: "prod_lamp" })
  expect([body.price, body.discount]).toEqual([0.1, 298.9])
})

test("§1 the catalog price is untouched by the campaign", async () => {
  await box.push({ ...SIMPLE, price: 279 })
  expect((await price({ productId: "prod_lamp" })).body.price).toBe(249)
  expect((await box.received())[0]?.product.price).toBe(279)
})

test("currency and VAT are the page's or the campaign's, also where it changes, unless the product has its own", async () => {
  await box.control("POST", "/pages/demo-page", {
    currency: "sek",
    vat: { rate: 12, included: false },
  })
  const next = await box.onAir()
  await box.addProduct(next.id, { external_id: "prod_lamp" })
  const own = { currency: "EUR", vat: { rate: 6, included: true }, discount: 12.5 }
  await box.addProduct(next.id, {
    external_id: "prod_shirt",
    variant_external_id: "variant_s",
    ...own,
  })
  await box.addProduct(next.id, {
    external_id: "prod_shirt",
    variant_external_id: "variant_m",
    currency: "USD",
  })
  const answered = async (productId: string, variantId?: string) =>
    (await price({ productId, variantId }, next.campaign_uid)).body
  const vat = { rate: 12, included: false }
  expect(await answered("prod_lamp")).toMatchObject({ currency: "SEK", vat })
  expect(await answered("prod_shirt", "variant_s")).toMatchObject(own)
  expect(await answered("prod_shirt", "variant_m")).toMatchObject({ currency: "USD", vat })
  const other = { rate: 19, included: false }
  await box.change(next.id, { currency: "NOK", vat: other })
  expect(await answered("prod_lamp")).toMatchObject({ currency: "NOK", vat: other })
  expect(await answered("prod_shirt", "variant_s")).toMatchObject(own)
  expect(await answered("prod_shirt", "variant_m")).toMatchObject({ currency: "USD", vat: other })
})

test("another page's campaign is not there", async () => {
  await box.control("POST", "/pages", { uid: "other", api_token: "other-token" })
  const answer = await box.call(
    "POST",
    `/getCampaignProductPrice/${event.campaign_uid}`,
    { productId: "prod_lamp" },
    { authorization: "Token other-token" },
  )
  expect(answer.status).toBe(404)
})
