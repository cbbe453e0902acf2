/** The package's own surface: the typed client and the signer, as a test of somebody else uses them. */

import { ControlError, createControlClient, signDelivery } from "../index"
import { Box, isSignedWith, Receiver, SIMPLE, START } from "./harness"

const box = Box.forAll()
const receiver = Receiver.forAll()
const client = () => createControlClient(`${box.url}/`)

test("it runs a show, sees what was delivered and what was called", async () => {
  const svc = client()
  expect(await svc.health()).toMatchObject({ status: "ok", url: box.url })
  const { webhookUid } = await box.subscribe(receiver.url, ["live_event.updated"])
  await box.push(SIMPLE)
  expect((await svc.products.list({ q: "lamp" })).count).toBe(1)
  expect((await svc.products.get(SIMPLE.id)).product).toEqual(SIMPLE)

  const event = await svc.events.create({ page_uid: "demo-page", kind: "live", name: "Show" })
  const product = await svc.events.addProduct(event.id, { external_id: SIMPLE.id, price: 249 })
  await svc.events.updateProduct(event.id, product.uid, { price: 199 })
  expect((await svc.events.getProduct(event.id, product.uid)).data.price).toBe(199)
  await svc.events.update(event.id, { name: "Renamed" })
  expect((await svc.events.start(event.id)).status).toBe("live")
  expect((await svc.events.get(event.id)).products).toHaveLength(1)
  const { order_no } = await svc.orders.issueNumber({ campaign_uid: event.campaign_uid })
  await box.call("POST", "/processOrders", { svcOrderNumber: order_no })
  expect((await svc.orders.list()).orders).toMatchObject([{ order_no, reports: 1 }])
  expect((await svc.orders.conversions({ campaign_uid: "other" })).count).toBe(0)
  await svc.events.removeProduct(event.id, product.uid)
  expect((await svc.events.end(event.id)).status).toBe("processing")
  await svc.events.complete(event.id, { video_url: "https://cdn.example/1.mp4" })
  expect((await svc.events.move(event.id, { kind: "shoppable" })).status).toBe("clip")
  const other = await svc.events.create({ page_uid: "demo-page", kind: "live", name: "Other" })
  expect((await svc.events.cancel(other.id)).status).toBe("cancelled")
  await svc.events.remove(other.id)
  expect((await svc.events.list({ kind: "live" })).count).toBe(0)

  await svc.clock.settle(30_000)
  const { deliveries } = await svc.deliveries.list({ state: "delivered" })
  expect(deliveries.length).toBeGreaterThan(2)
  const first = deliveries[0]?.id ?? ""
  expect((await svc.deliveries.get(first)).attempts[0]?.request.body).toContain('"version":"v1"')
  expect((await svc.deliveries.resend(first)).attempts).toHaveLength(2)
  expect((await svc.subscribers.test(webhookUid)).state).toBe("delivered")
  await expect(svc.subscribers.activate(webhookUid)).rejects.toThrow("not_disabled")
  expect((await svc.subscribers.list({ page_uid: "demo-page" })).subscribers).toHaveLength(1)
  expect((await svc.notifications()).notifications).toEqual([])
  const emitted = await svc.emit({ page_uid: "demo-page", topic: "live_event.updated", data: {} })
  expect(emitted.deliveries).toHaveLength(1)

  expect((await svc.journal.find({ q: "endpoint:products" })).count).toBe(1)
  expect((await svc.journal.wait("endpoint:process_orders", { count: 1 })).count).toBe(1)
  await svc.journal.clear()
  expect((await svc.journal.find()).count).toBe(0)
})

test("it turns the clock, sets profiles and faults, and goes back to a snapshot", async () => {
  const svc = client()
  await svc.clock.set(Math.max(START, (await svc.clock.get()).now))
  const { now } = await svc.clock.get()
  expect((await svc.clock.advance("1h")).now).toBe(now + 3_600_000)
  expect((await svc.clock.runUntilIdle()).pending_timers).toBe(0)
  expect((await svc.clock.run()).running).toBe(true)
  expect((await svc.clock.stop()).running).toBe(false)

  await svc.pages.create({ uid: "eu", currency: "EUR" })
  expect((await svc.pages.update("eu", { name: "Europe" })).name).toBe("Europe")
  const before = await svc.snapshot()
  await svc.profiles.set({ listing: "array", rate_limit: 5 })
  const { profiles } = await svc.profiles.list()
  expect(profiles.filter((p) => p.value !== p.default).map(({ name }) => name)).toEqual([
    "listing",
    "rate_limit",
  ])
  const fault = await svc.faults.add({ on: "products", kind: "status", status: 500, times: 1 })
  expect((await svc.faults.list()).faults).toMatchObject([{ id: fault.id }])
  await svc.faults.remove(fault.id)
  await svc.faults.clear()
  await svc.profiles.reset()
  await svc.pages.remove("eu")
  await svc.restore(before)
  expect((await svc.pages.get("eu")).currency).toBe("EUR")
  await svc.reset("again")
  expect((await svc.state()).products).toEqual([])
})

test("an error answer is thrown with its status, its code and its sentence", async () => {
  const failure = await client()
    .events.get("no/such?event")
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ControlError)
  expect(failure).toMatchObject({
    status: 404,
    code: "not_found",
    detail: 'There is no event "no/such?event".',
    message: '404 not_found: There is no event "no/such?event".',
  })
  const silence = await createControlClient("http://127.0.0.1:1")
    .health()
    .catch((error: unknown) => error)
  expect(silence).toMatchObject({ status: 0, code: "unreachable" })
})

test("§5 rule 3: signDelivery makes the headers that a receiver accepts", async () => {
  const key = "the key as shown"
  const body = '{"version":"v1","æ":"🎥"}'
  for (const sent of [body, Buffer.from(body)]) {
    receiver.answer(200)
    await fetch(receiver.url, {
      method: "POST",
      headers: signDelivery({ key, body: sent }),
      body: sent,
    })
    expect(isSignedWith(key, receiver.only())).toBe(true)
    expect(isSignedWith("another key", receiver.only())).toBe(false)
    const age = Date.now() - Number(receiver.only().headers["x-svc-timestamp"])
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThan(300_000)
  }
  expect(signDelivery({ key, body, timestamp: 5 })["X-Svc-Timestamp"]).toBe("5")
})
