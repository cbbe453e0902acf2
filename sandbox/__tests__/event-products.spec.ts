/** Products in an event (interface §2.7). */

import { Box, CONFIGURABLE, type EventProductView, SIMPLE } from "./harness"

const box = Box.forAll()
let eventId: string
let campaignUid: string

beforeEach(async () => {
  await box.push(SIMPLE, CONFIGURABLE)
  const event = await box.onAir()
  eventId = event.id
  campaignUid = event.campaign_uid
})

const add = (input: object) => box.addProduct(eventId, input)
const update = async (uid: string, input: object) =>
  (
    await box.control<{ event_product: EventProductView }>(
      "POST",
      `/events/${eventId}/products/${uid}`,
      input,
    )
  ).event_product

test("§2.7 every required field is there, of its type", async () => {
  const { data } = await add({ external_id: "prod_lamp" })
  expect(data).toEqual({
    id: expect.stringMatching(/./),
    uid: expect.stringMatching(/./),
    sku: "LAMP-1",
    externalId: "prod_lamp",
    campaignUid,
    price: 299,
    suggestedRetailPrice: 299,
    available: true,
    isVirtualProduct: false,
    brand: "",
    url: "https://shop.example/lamp",
    name: "Lamp",
    sorting: 1,
  })
})

test("§2.7 id and uid name the record in the event, not the shop's product", async () => {
  const first = await add({ external_id: "prod_lamp" })
  const other = await box.event()
  const second = await box.addProduct(other.id, { external_id: "prod_lamp" })
  expect(first.data.uid).toBe(first.uid)
  expect(first.data.id).toBe(first.uid)
  expect(second.data.uid).not.toBe(first.data.uid)
})

test("§2.7 price is the campaign's, not the catalog's", async () => {
  const product = await add({ external_id: "prod_lamp", price: 199.95 })
  expect(product.data.price).toBe(199.95)
  expect(product.data.suggestedRetailPrice).toBe(299)
  expect((await box.received())[0]?.product.price).toBe(299)
})

const fields: [string, string, unknown, unknown][] = [
  ["sku", "sku", "LAMP-LIVE", "LAMP-LIVE-2"],
  ["suggestedRetailPrice", "suggested_retail_price", 349, 399],
  ["available", "available", false, true],
  ["minPurchaseQty", "min_purchase_qty", 2, 3],
  ["maxQtyPerCustomer", "max_qty_per_customer", 4, 5],
  ["defaultQuantityToAdd", "default_quantity_to_add", 2, 3],
  ["isVirtualProduct", "is_virtual", true, false],
  ["brand", "brand", "Nord", "Syd"],
  ["productCategories", "categories", ["Lamps"], ["Light", "Lamps"]],
  ["url", "url", "https://shop.example/live/lamp", "https://shop.example/lamp?x"],
  ["name", "name", "Lamp, live", "Lamp, last"],
  ["information", "information", "E27", "E14"],
  ["description", "description", "Warm light", "Cold light"],
  ["image", "image", { url: "https://shop.example/a.jpg" }, { url: "https://shop.example/b.jpg" }],
  ["images", "images", [{ url: "https://shop.example/a.jpg" }], []],
  ["sorting", "sorting", 7, 2.5],
]
for (const [field, input, first, second] of fields) {
  test(`§2.7 ${field} is what it was set to, and can be changed`, async () => {
    const product = await add({ external_id: "prod_lamp", [input]: first })
    expect(product.data).toMatchObject({ [field]: first })
    expect((await update(product.uid, { [input]: second })).data).toMatchObject({ [field]: second })
  })
}

test("§2.7 optional fields are absent until they are set, and can be taken away", async () => {
  const product = await add({ external_id: "prod_lamp", min_purchase_qty: 2 })
  expect(product.data).toHaveProperty("minPurchaseQty", 2)
  for (const field of ["maxQtyPerCustomer", "defaultQuantityToAdd", "image", "variants"]) {
    expect(product.data).not.toHaveProperty(field)
  }
  const changed = await update(product.uid, { min_purchase_qty: null })
  expect(changed.data).not.toHaveProperty("minPurchaseQty")
})

test("§2.7 variants bear uid, sku, externalId, names and, where they have one, a price", async () => {
  const { data } = await add({
    external_id: "prod_shirt",
    price: 149,
    variants: [{ external_id: "variant_m", price: 159 }],
  })
  expect(data.variants).toEqual([
    {
      uid: expect.stringMatching(/./),
      sku: "SHIRT-S",
      externalId: "variant_s",
      variantNames: ["S"],
    },
    {
      uid: expect.stringMatching(/./),
      sku: "SHIRT-M",
      externalId: "variant_m",
      variantNames: ["M"],
      price: 159,
    },
  ])
})

test("without a price of the show each variant keeps its own, with one all have it", async () => {
  const [small, medium] = CONFIGURABLE.variants
  const variants = [
    { ...small, price: 199.5 },
    { ...medium, price: 249 },
  ]
  await box.push({ ...CONFIGURABLE, variants })
  const prices = async (product: { uid: string }) => {
    const found = []
    for (const variantId of ["variant_s", "variant_m"]) {
      const { body } = await box.price(campaignUid, { productId: "prod_shirt", variantId })
      found.push([body.price, body.discount])
    }
    await box.control("DELETE", `/events/${eventId}/products/${product.uid}`)
    return found
  }
  expect(await prices(await add({ external_id: "prod_shirt" }))).toEqual([
    [199.5, 0],
    [249, 0],
  ])
  expect(await prices(await add({ external_id: "prod_shirt", price: 149 }))).toEqual([
    [149, 50.5],
    [149, 100],
  ])
})

test("what is not given comes from the pushed product", async () => {
  const { data } = await add({ external_id: "prod_shirt" })
  expect(data).toMatchObject({
    name: "Shirt",
    sku: "SHIRT",
    price: 199.5,
    image: { url: "https://shop.example/shirt.jpg" },
    images: [{ url: "https://shop.example/shirt-2.jpg" }],
  })
})

test("one variant alone can be in a show", async () => {
  const { data } = await add({ external_id: "prod_shirt", variant_external_id: "variant_m" })
  expect(data.variants?.map(({ externalId }) => externalId)).toEqual(["variant_m"])
  await expect(
    add({ external_id: "prod_shirt", variant_external_id: "variant_xl" }),
  ).rejects.toThrow("404")
})

test("a product that was never pushed is refused, unless all of it is given", async () => {
  await expect(add({ external_id: "nobody" })).rejects.toThrow("422 product_not_received")
  const given = { external_id: "nobody", name: "N", sku: "N", price: 1, url: "https://x.example/" }
  expect((await add(given)).data.name).toBe("N")
})

test("a product is in an event once", async () => {
  const { uid } = await add({ external_id: "prod_lamp" })
  await expect(add({ external_id: "prod_lamp" })).rejects.toThrow("409 product_in_event")
  await box.control("DELETE", `/events/${eventId}/products/${uid}`)
  expect((await add({ external_id: "prod_lamp" })).uid).not.toBe(uid)
})
