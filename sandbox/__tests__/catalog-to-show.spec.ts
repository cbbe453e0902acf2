/** What the shop pushes reaches the shows that sell it: sold out and switched off is not available. */

import { Box, CONFIGURABLE, type EnvelopeRead, Receiver, SIMPLE } from "./harness"

const box = Box.forAll()
const receiver = Receiver.forAll()

async function showWith(
  product: { id: string; inventory?: number; manageStock?: boolean },
  more: object = {},
) {
  await box.push(product)
  const event = await box.event({ kind: "live" })
  const added = await box.addProduct(event.id, { external_id: product.id, ...more })
  await box.move(event.id, "start")
  await box.subscribe(receiver.url, ["live_event_product.updated"])
  return { event, added }
}

async function announced(...pushes: object[]): Promise<EnvelopeRead[]> {
  receiver.answer(200)
  for (const product of pushes) await box.push(product)
  await box.settle()
  return receiver.envelopes()
}
const availability = (envelopes: EnvelopeRead[]) => envelopes.map(({ data }) => data.available)

test("§2.1 status: a product that is pushed as disabled becomes unavailable, and is announced", async () => {
  await showWith(SIMPLE)
  const off = { ...SIMPLE, status: "disabled" }
  expect(availability(await announced(off))).toEqual([false])
  expect(availability(await announced(off))).toEqual([])
  expect(availability(await announced(SIMPLE))).toEqual([true])
})

test("§2.1 inventory: without stock it is unavailable, unless stock is not managed", async () => {
  await showWith(SIMPLE)
  expect(availability(await announced({ ...SIMPLE, inventory: 0, manageStock: true }))).toEqual([
    false,
  ])
  expect(availability(await announced({ ...SIMPLE, inventory: 0, manageStock: false }))).toEqual([
    true,
  ])
  expect(availability(await announced({ ...SIMPLE, inventory: 0 }))).toEqual([false])
  expect(availability(await announced({ ...SIMPLE, inventory: 3 }))).toEqual([true])
})

test("§2.1 stock is reserved at variant level: one variant with stock keeps the product", async () => {
  await showWith(CONFIGURABLE)
  const stock = (s: number, m: number) => ({
    ...CONFIGURABLE,
    variants: [
      { id: "variant_s", sku: "SHIRT-S", inventory: s, manageStock: true },
      { id: "variant_m", sku: "SHIRT-M", inventory: m, manageStock: true },
    ],
  })
  expect(availability(await announced(stock(0, 2)))).toEqual([])
  expect(availability(await announced(stock(0, 0)))).toEqual([false])
  expect(availability(await announced(stock(1, 0)))).toEqual([true])
})

test("§2.1 a variant that is sold by itself follows its own stock", async () => {
  await showWith(CONFIGURABLE, { variant_external_id: "variant_s" })
  const soldOut = {
    ...CONFIGURABLE,
    variants: [
      { id: "variant_s", sku: "SHIRT-S", inventory: 0, manageStock: true },
      { id: "variant_m", sku: "SHIRT-M", inventory: 9, manageStock: true },
    ],
  }
  expect(availability(await announced(soldOut))).toEqual([false])
})

test("what the host took off stays off when the shop pushes again", async () => {
  const { event, added } = await showWith(SIMPLE)
  await box.control("POST", `/events/${event.id}/products/${added.uid}`, { available: false })
  expect(availability(await announced({ ...SIMPLE, name: "Lamp II" }))).toEqual([])
})

test("a product that is sold out already enters a show as unavailable", async () => {
  const { added } = await showWith({ ...SIMPLE, inventory: 0, manageStock: true })
  expect(added.data.available).toBe(false)
})

describe("§2.1 stock of a product with variants", () => {
  const [small, medium] = CONFIGURABLE.variants
  const cases: [string, object, boolean][] = [
    ["a variant without a number has the product's", { inventory: 0 }, false],
    [
      "a variant's own number counts, not the product's",
      { inventory: 0, variants: [{ ...small, inventory: 2 }, medium] },
      true,
    ],
    [
      "stock that the product does not manage does not run out",
      {
        manageStock: false,
        variants: [
          { ...small, inventory: 0 },
          { ...medium, inventory: 0 },
        ],
      },
      true,
    ],
    [
      "a variant's own manageStock counts, not the product's",
      {
        manageStock: false,
        variants: [
          { ...small, inventory: 0, manageStock: true },
          { ...medium, inventory: 0, manageStock: true },
        ],
      },
      false,
    ],
    [
      "variants that are all disabled are not for sale",
      {
        variants: [
          { ...small, status: "disabled" },
          { ...medium, status: "disabled" },
        ],
      },
      false,
    ],
  ]
  test.each(cases)("%s", async (_what, fields, available) => {
    await box.push({ ...CONFIGURABLE, ...fields })
    const event = await box.onAir()
    const added = await box.addProduct(event.id, { external_id: CONFIGURABLE.id })
    expect(added.data.available).toBe(available)
  })
})

test("§4.1 a variant that is sold out or disabled has no price, and its sisters have; by profile it has", async () => {
  const [small, medium] = CONFIGURABLE.variants
  const large = { id: "variant_l", sku: "SHIRT-L", options: { Size: "L" } }
  await box.push({
    ...CONFIGURABLE,
    variants: [{ ...small, inventory: 0 }, { ...medium, status: "disabled" }, large],
  })
  const event = await box.onAir()
  await box.addProduct(event.id, { external_id: CONFIGURABLE.id, price: 99 })
  const statusOf = async (variantId: string) =>
    (await box.price(event.campaign_uid, { productId: CONFIGURABLE.id, variantId })).status
  const statuses = () => Promise.all(["variant_s", "variant_m", "variant_l"].map(statusOf))
  expect(await statuses()).toEqual([404, 404, 200])
  await box.control("POST", "/profiles", { campaign_prices: "open" })
  expect(await statuses()).toEqual([200, 200, 200])
})

test("§2.1 what was pushed can be forgotten: a show that begins then is not held back by it", async () => {
  const sells = async () => {
    const { id } = await box.event({ kind: "live" })
    return (
      await box.addProduct(id, {
        external_id: SIMPLE.id,
        name: "A lamp",
        sku: "LAMP",
        price: 99,
        url: "https://shop.example/lamp",
      })
    ).data.available
  }
  await box.push({ ...SIMPLE, inventory: 0, manageStock: true })
  expect(await sells()).toBe(false)
  await box.control("DELETE", "/products")
  expect(await sells()).toBe(true)
})
