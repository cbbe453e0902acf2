/** The package's own surface: the typed client, whose every call `calls.spec.ts` makes, and the signer. */

import { ControlError, createControlClient, signDelivery } from "../index"
import { Box, isSignedWith, Receiver } from "./harness"

const box = Box.forAll()
const receiver = Receiver.forAll()
const client = () => createControlClient(`${box.url}/`)

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
