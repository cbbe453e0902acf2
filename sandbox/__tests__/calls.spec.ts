/** Every call of the service and of the control API, and every delivery, by the shapes of the interface. */

import { TEST_TOPIC, TOPICS } from "../contract/interface"
import { apiLiveEventProductV1, apiLiveEventV1 } from "../contract/payloads"
import { ControlError, createControlClient } from "../index"
import { Box, CONFIGURABLE, Receiver, SIMPLE } from "./harness"

const box = Box.forAll()
const receiver = Receiver.forAll()

test("the client of the control API makes each of its calls", async () => {
  const { control } = box.sandbox
  const event = await control.events.create({ page_uid: "demo-page", kind: "live", name: "Show" })
  await box.push(SIMPLE, CONFIGURABLE)
  const { uid } = await control.events.addProduct(event.id, { external_id: SIMPLE.id })
  await control.events.start(event.id)
  const { order_no } = await control.orders.issueNumber({ campaign_uid: event.campaign_uid })
  await box.call("POST", "/processOrders", { svcOrderNumber: order_no })
  expect((await control.orders.list()).orders).toEqual(
    (await control.orders.conversions()).conversions,
  )

  expect(await control.pages.create({ uid: "other" })).toMatchObject({ uid: "other" })
  expect((await control.pages.list()).pages).toHaveLength(2)
  expect((await control.pages.update("other", { name: "Another" })).name).toBe("Another")
  expect((await control.pages.get("other")).name).toBe("Another")
  await control.pages.remove("other")
  expect((await control.products.list()).count).toBe(2)
  expect((await control.products.get(SIMPLE.id)).product).toEqual(SIMPLE)
  expect((await control.events.getProduct(event.id, uid)).external_id).toBe(SIMPLE.id)
  const limited = await control.events.updateProduct(event.id, uid, { min_purchase_qty: 2 })
  expect(limited.data.minPurchaseQty).toBe(2)
  expect((await control.events.update(event.id, { tags: ["x"] })).data.event.tags).toEqual(["x"])
  await control.events.end(event.id)
  await control.events.complete(event.id)
  expect((await control.events.move(event.id, { kind: "shoppable" })).status).toBe("clip")
  await control.events.removeProduct(event.id, uid)
  expect((await control.events.get(event.id)).products).toEqual([])
  expect((await control.events.list()).count).toBe(1)
  const other = await control.events.create({ page_uid: "demo-page", kind: "live", name: "Other" })
  expect((await control.events.cancel(other.id)).status).toBe("cancelled")
  expect((await control.events.remove(other.id)).deleted_at).not.toBeNull()

  const hook = await box.subscribe(receiver.url, TOPICS)
  expect((await control.subscribers.test(hook.webhookUid)).state).toBe("delivered")
  const { deliveries } = await control.deliveries.list()
  const { id } = await control.deliveries.get(deliveries[0]?.id ?? "")
  expect((await control.deliveries.resend(id)).attempts).toHaveLength(2)
  receiver.answer(500)
  for (let hours = 0; hours < 4; hours++) {
    await control.emit({ page_uid: "demo-page", topic: "live_event.updated", data: {} })
    await control.clock.advance("1h")
  }
  const told = (await control.notifications()).notifications.map(({ kind }) => kind)
  expect(told).toEqual(["disabled", "warning"])
  await control.subscribers.update(hook.webhookUid, { name: "Renamed elsewhere" })
  expect((await control.subscribers.activate(hook.webhookUid)).state).toBe("active")
  expect((await control.subscribers.list()).subscribers).toMatchObject([
    { name: "Renamed elsewhere" },
  ])

  const { id: fault } = await control.faults.add({ on: "price", kind: "status" })
  expect((await control.faults.list()).faults).toHaveLength(1)
  await control.faults.remove(fault)
  await control.faults.clear()
  await control.profiles.set({ listing: "array" })
  await control.profiles.reset()
  expect((await control.profiles.list()).profiles[0]).toHaveProperty("value")
  const snapshot = await control.snapshot()
  expect((await control.journal.find()).count).toBeGreaterThan(0)
  await control.journal.wait("")
  await control.products.clear()
  expect((await control.products.list()).count).toBe(0)
  await control.journal.clear()
  expect((await control.health()).status).toBe("ok")
  await control.reset()
  expect((await control.state()).events).toEqual([])
  await control.restore(snapshot)
  expect((await control.state()).events).toHaveLength(2)
  await control.clock.settle()
  expect((await control.clock.get()).running).toBe(false)
})

test("the client throws an error answer with its status, its code and its sentence", async () => {
  const failure = await createControlClient(`${box.url}/`)
    .events.get("no/such?event")
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ControlError)
  expect(failure).toMatchObject({
    status: 404,
    code: "not_found",
    detail: 'There is no event "no/such?event".',
    message: '404 not_found: There is no event "no/such?event".',
  })
  const silence = createControlClient("http://127.0.0.1:1").health()
  await expect(silence).rejects.toMatchObject({ status: 0, code: "unreachable" })
})

test("§9 rule 1: every delivery of every topic is as documented, and of version v1", async () => {
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
    await box.change(event.id, { tags: ["x"] })
    await box.control("DELETE", `/events/${event.id}`)
  }
  await box.control("POST", `/subscribers/${webhookUid}/test`)
  await box.settle()
  const topics = new Set<string>()
  for (const [index, { topic, version, data, metadata }] of receiver.envelopes().entries()) {
    const shape = topic.includes("_product.") ? apiLiveEventProductV1 : apiLiveEventV1
    // What no schema names is left out by it, so that a field too many is seen as well.
    const documented = topic === TEST_TOPIC ? { test: true } : shape.parse(data)
    expect([topic, version, data]).toEqual([topic, "v1", documented])
    expect(receiver.requests[index]?.headers).toMatchObject({
      "x-svc-topic": topic,
      ...(topic === TEST_TOPIC ? {} : { "x-svc-event-uid": metadata.eventUid }),
    })
    topics.add(topic)
  }
  expect(topics).toEqual(new Set(TOPICS))
})
