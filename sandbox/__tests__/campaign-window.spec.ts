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

test("§1 §3.1 a price for the duration of the show; after it, processing and vod, only while a deadline lies ahead", async () => {
  const over = await show()
  const open = await show({ deadline: (await now()) + 3_600_000 })
  const closing = await show({ deadline: (await now()) + 3_600_000 })
  for (const { event } of [over, open, closing]) await box.move(event.id, "start")
  for (const { ask } of [over, open, closing]) expect(await ask()).toBe(249)
  for (const move of ["end", "complete"]) {
    await box.move(over.event.id, move)
    await box.move(open.event.id, move)
    expect([await over.ask(), await open.ask()]).toEqual(["campaign_closed", 249])
  }
  await box.clock({ advance: 3_599_999 })
  expect([await open.ask(), await closing.ask()]).toEqual([249, 249])
  await box.clock({ advance: 1 })
  expect([await open.ask(), await closing.ask()]).toEqual(["campaign_closed", "campaign_closed"])
})

test("§3.1 clip: a shoppable answers prices", async () => {
  expect(await (await show({ kind: "shoppable" })).ask()).toBe(249)
})

test("unpublished shows and unavailable products have no price, but where a profile says so", async () => {
  const hidden = await show({ is_published: false })
  const shown = await show()
  for (const { event } of [hidden, shown]) await box.move(event.id, "start")
  await box.control("POST", `/events/${shown.event.id}/products/${shown.product.uid}`, {
    available: false,
  })
  expect([await hidden.ask(), await shown.ask()]).toEqual([
    "campaign_closed",
    "product_unavailable",
  ])
  await set({ campaign_prices: "open" })
  expect([await hidden.ask(), await shown.ask()]).toEqual([249, 249])
})

test("what is over, cancelled, deleted or no longer in the show has no price, but under campaign_prices: always", async () => {
  const over = await show({ deadline: (await now()) + 1_000 })
  const cancelled = await show()
  const deleted = await show()
  const removed = await show()
  const planned = await show()
  for (const { event } of [over, cancelled, deleted, removed]) await box.move(event.id, "start")
  await box.clock({ advance: "2s" })
  await box.move(cancelled.event.id, "cancel")
  await box.control("DELETE", `/events/${deleted.event.id}`)
  await box.control("DELETE", `/events/${removed.event.id}/products/${removed.product.uid}`)
  const ask = () =>
    Promise.all([over, cancelled, deleted, removed, planned].map((each) => each.ask()))
  const closed = "campaign_closed"
  expect(await ask()).toEqual([closed, closed, closed, "product_not_in_campaign", closed])
  await set({ campaign_prices: "always" })
  expect(await ask()).toEqual([249, 249, 249, 249, 249])
  expect((await box.price("never-was", { productId: SIMPLE.id })).status).toBe(404)
  expect((await box.price(over.event.campaign_uid, { productId: "never" })).status).toBe(404)
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
