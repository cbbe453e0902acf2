/** The state of a subscriber (interface §3.2, §6.3), on the virtual clock. */

import type { Notification } from "../store/tables"
import { Box, Receiver, type WebhookView } from "./harness"

const MINUTE = 60_000

const box = Box.forAll()
const receiver = Receiver.forAll()
let webhook: WebhookView

beforeEach(async () => {
  receiver.answer(503)
  webhook = await box.subscribe(receiver.url, ["live_event.created", "live_event.updated"])
})

const state = async () => (await box.subscriber(webhook.webhookUid)).state
const notifications = async () =>
  (await box.control<{ notifications: Notification[] }>("GET", "/notifications")).notifications
    .map(({ kind, subscriber_uid }) => [kind, subscriber_uid])
    .reverse()

/** An event every five minutes: each fails, and is retried. */
async function failFor(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 5) {
    await box.emitted()
    await box.clock({ advance: 5 * MINUTE })
  }
}

test("§3.2 §8 consecutive failures lead to warning at 30 minutes and to disabled at 60, each told once", async () => {
  const inTheApi = async () =>
    (await box.call<WebhookView>("GET", `/api/v1/webhooks/${webhook.webhookUid}`)).body.state
  /** The states a millisecond before that many minutes of failures, and at them. */
  const around = async (minutes: number) => {
    const { failing_since } = await box.subscriber(webhook.webhookUid)
    await box.clock({ set: (failing_since ?? 0) + minutes * MINUTE - 1 })
    await box.emitted()
    const before = [await state(), await inTheApi()]
    await box.clock({ advance: 1 })
    await box.emitted()
    return [...before, await state(), await inTheApi()]
  }
  await failFor(25)
  expect(await around(30)).toEqual(["active", "active", "warning", "warning"])
  expect(await notifications()).toEqual([["warning", webhook.webhookUid]])
  // Deliveries continue.
  receiver.answer(503)
  await failFor(25)
  expect(receiver.requests.length).toBeGreaterThan(0)
  expect(await around(60)).toEqual(["warning", "warning", "disabled", "disabled"])
  expect(await notifications()).toEqual([
    ["warning", webhook.webhookUid],
    ["disabled", webhook.webhookUid],
  ])
})

test("§3.2 warning: any delivery that succeeds leads back to active, without a manual step", async () => {
  await failFor(31)
  receiver.answer(200)
  await box.emitted()
  expect(await box.subscriber(webhook.webhookUid)).toMatchObject({
    state: "active",
    failing_since: null,
    consecutive_failures: 0,
  })
  expect(await notifications()).toEqual([["warning", webhook.webhookUid]])
})

test("§3.2 a success in between starts the count afresh", async () => {
  await failFor(20)
  receiver.answer(200)
  await box.clock({ run_until_idle: true })
  receiver.answer(503)
  await failFor(29)
  expect([await state(), await notifications()]).toEqual(["active", []])
})

test("§3.2 disabled: nothing further is sent until Activate leads to active, and what was missed never", async () => {
  const { webhookUid } = webhook
  const activate = () => box.control("POST", `/subscribers/${webhookUid}/activate`)
  await expect(activate()).rejects.toThrow("409 not_disabled")
  await failFor(61)
  const [first, ...others] = await box.deliveries()
  receiver.answer(200)
  expect((await box.emit("live_event.updated", { missed: true })).deliveries).toEqual([])
  await box.clock({ run_until_idle: true })
  expect((await box.deliveries()).length).toBe(1 + others.length)
  await expect(box.control("POST", `/subscribers/${webhookUid}/test`)).rejects.toThrow("409")
  await expect(box.control("POST", `/deliveries/${first?.id}/resend`)).rejects.toThrow("409")
  expect([await state(), receiver.requests]).toEqual(["disabled", []])
  await activate()
  await box.clock({ run_until_idle: true })
  expect([await state(), receiver.requests]).toEqual(["active", []])
  await box.emitted("live_event.updated", { missed: false })
  expect(receiver.envelopes().map(({ data }) => data)).toEqual([{ missed: false }])
})

test("§7 rule 3: dropped deliveries count as failures too", async () => {
  receiver.answer(401)
  await failFor(61)
  expect(await state()).toBe("disabled")
})

test("§3.2 a test that fails counts for nothing, one that succeeds ends the streak", async () => {
  await box.emitted()
  await box.clock({ advance: 61 * MINUTE })
  const before = await state()
  await box.control("POST", `/subscribers/${webhook.webhookUid}/test`)
  expect([before, await state()]).toEqual(["active", "active"])
  receiver.answer(200)
  await box.control("POST", `/subscribers/${webhook.webhookUid}/test`)
  expect((await box.subscriber(webhook.webhookUid)).failing_since).toBeNull()
})

test("§3.2 two failures ten hours apart lead to warning, not to disabled at once", async () => {
  receiver.answer(401)
  await box.emitted()
  await box.clock({ advance: 600 * MINUTE })
  await box.emitted()
  expect(await state()).toBe("warning")
})

test("§3.2 re-sends by hand are no failures of deliveries, but their success is a success", async () => {
  receiver.answer(401)
  const { id } = (await box.emit()).deliveries[0] ?? { id: "" }
  await box.settle()
  const resend = () => box.control("POST", `/deliveries/${id}/resend`)
  for (let times = 0; times < 4; times++) {
    await box.clock({ advance: 31 * MINUTE })
    await resend()
  }
  expect([await state(), (await box.subscriber(webhook.webhookUid)).consecutive_failures]).toEqual([
    "active",
    1,
  ])
  receiver.answer(200)
  await resend()
  expect((await box.subscriber(webhook.webhookUid)).failing_since).toBeNull()
})

test("§3.2 each subscriber has a state of its own", async () => {
  const well = await Receiver.start()
  const other = await box.subscribe(well.url, ["live_event.updated"])
  await failFor(61)
  expect(await state()).toBe("disabled")
  expect((await box.subscriber(other.webhookUid)).state).toBe("active")
  expect(well.requests.length).toBe(13)
  await well.close()
})

test("§3.2 what somebody without the key sent is no failure of the service's deliveries, and no success", async () => {
  await box.control("POST", "/faults", { on: "delivery", kind: "forged_signature" })
  receiver.answer(401)
  await failFor(90)
  expect(await box.subscriber(webhook.webhookUid)).toMatchObject({
    state: "active",
    consecutive_failures: 0,
    failing_since: null,
  })
  await box.control("DELETE", "/faults")
  receiver.answer(503)
  await failFor(31)
  expect(await state()).toBe("warning")
  // A receiver that takes a forged delivery has not answered a right one.
  await box.control("POST", "/faults", { on: "delivery", kind: "forged_signature" })
  receiver.answer(200)
  await box.emitted()
  expect(await state()).toBe("warning")
})
