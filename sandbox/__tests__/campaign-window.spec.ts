/** When a campaign answers prices (interface §4.1, gap 21), and for whom. */

import { Box, CONFIGURABLE, type ErrorBody, SIMPLE } from "./harness"

const box = Box.forAll()

beforeEach(() => box.push(SIMPLE, CONFIGURABLE))

async function show(input: object = {}) {
  const event = await box.event(input)
  const product = await box.addProduct(event.id, { external_id: SIMPLE.id, price: 249 })
  const ask = async () => {
    const answer = await box.price(event.campaign_uid, { productId: SIMPLE.id })
    return answer.status === 200
      ? answer.body.price
      : (answer.body as unknown as ErrorBody).error.code
  }
  return { event, product, ask }
}
const now = async () => (await box.control<{ now: number }>("GET", "/clock")).now
const set = (profiles: object) => box.control("POST", "/profiles", profiles)

test("§3.1 planned: no price before the show, and a profile that answers one", async () => {
  const { event, ask } = await show()
  expect(await ask()).toBe("campaign_closed")
  await set({ campaign_prices: "open" })
  expect(await ask()).toBe(249)
  await set({ campaign_prices: "on_sale" })
  await box.move(event.id, "start")
  expect(await ask()).toBe(249)
})

test("§3.1 processing and vod: a price only while a deadline lies ahead", async () => {
  const over = await show()
  await box.move(over.event.id, "start", "end")
  expect(await over.ask()).toBe("campaign_closed")
  await box.move(over.event.id, "complete")
  expect(await over.ask()).toBe("campaign_closed")

  const open = await show({ deadline: (await now()) + 3_600_000 })
  await box.move(open.event.id, "start", "end")
  expect(await open.ask()).toBe(249)
  await box.move(open.event.id, "complete")
  expect(await open.ask()).toBe(249)
  await box.clock({ advance: "1h" })
  expect(await open.ask()).toBe("campaign_closed")
})

test("§3.1 clip: a shoppable answers prices", async () => {
  expect(await (await show({ kind: "shoppable" })).ask()).toBe(249)
})

test("unpublished shows and unavailable products have no price, but where a profile says so", async () => {
  const hidden = await show({ is_published: false })
  await box.move(hidden.event.id, "start")
  expect(await hidden.ask()).toBe("campaign_closed")

  const shown = await show()
  await box.move(shown.event.id, "start")
  await box.control("POST", `/events/${shown.event.id}/products/${shown.product.uid}`, {
    available: false,
  })
  expect(await shown.ask()).toBe("product_unavailable")
  await set({ campaign_prices: "open" })
  expect([await hidden.ask(), await shown.ask()]).toEqual([249, 249])
})

test("§2.2 variantId is for products with variants only", async () => {
  const { event } = await show({ kind: "shoppable" })
  const answer = await box.price(event.campaign_uid, { productId: SIMPLE.id, variantId: "v1" })
  expect([answer.status, (answer.body as unknown as ErrorBody).error.code]).toEqual([
    400,
    "variant_not_allowed",
  ])
  const none = await box.price(event.campaign_uid, { productId: SIMPLE.id, variantId: null })
  expect(none.status).toBe(400)
})

test("§1 a show that was deleted gives no order numbers", async () => {
  const { event } = await show({ kind: "shoppable" })
  await box.control("POST", "/order-numbers", { campaign_uid: event.campaign_uid })
  await box.control("DELETE", `/events/${event.id}`)
  await expect(
    box.control("POST", "/order-numbers", { campaign_uid: event.campaign_uid }),
  ).rejects.toThrow("404 campaign_not_found")
})
