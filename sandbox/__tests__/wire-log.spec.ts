/** The request log (interface §7 rule 1): what was on the wire, byte for byte. */

import net from "node:net"
import type { FaultKind } from "../simulation/faults"
import { Box, Receiver, TOKEN } from "./harness"

const box = Box.forAll()
const receiver = Receiver.forAll()

type Logged = { body: string; body_base64?: string; headers: unknown }
const bytesOf = ({ body, body_base64 }: Logged): Buffer =>
  body_base64 === undefined ? Buffer.from(body, "utf8") : Buffer.from(body_base64, "base64")

async function deliver(kind: FaultKind, more: object = {}) {
  await box.subscribe(receiver.url, ["live_event.updated"])
  await box.control("POST", "/faults", { on: "delivery", kind, times: 1, ...more })
  await box.emitted("live_event.updated", { text: "Æ".repeat(40) })
  const [entry] = await box.journal("direction:out")
  const [attempt] = (await box.onlyDelivery()).attempts
  if (!entry || !attempt) throw new Error("nothing was logged")
  return { entry, attempt }
}

test("§7 rule 1: garbage, no JSON under the right headers, is logged as the bytes that were sent", async () => {
  const { entry, attempt } = await deliver("garbage")
  const { body: sent, headers } = receiver.only()
  expect(() => JSON.parse(sent.toString("utf8"))).toThrow()
  expect(headers["content-type"]).toBe("application/json")
  expect(headers["content-length"]).toBe(String(sent.length))
  expect(bytesOf(entry.request)).toEqual(sent)
  expect(bytesOf(attempt.request)).toEqual(sent)
})

test("§7 rule 1: of a body that was cut the half that was sent is logged", async () => {
  const { entry, attempt } = await deliver("half_body")
  await receiver.until(({ requests }) => requests.length > 0)
  const sent = receiver.only()
  expect(sent.complete).toBe(false)
  expect(sent.body.length).toBeGreaterThan(50)
  expect(bytesOf(entry.request)).toEqual(sent.body)
  expect(bytesOf(attempt.request)).toEqual(sent.body)
})

test("§7 rule 1: where nothing was sent, nothing is logged", async () => {
  const { attempt } = await deliver("status", { status: 500 })
  expect([attempt.request.headers, bytesOf(attempt.request).length]).toEqual([[], 0])
  await box.control("DELETE", "/faults")
  await box.fresh()
  const reset = await deliver("reset")
  expect(reset.attempt).toMatchObject({ status: null, outcome: "retry" })
  expect(receiver.requests.filter(({ complete }) => complete)).toEqual([])
  expect(bytesOf(reset.attempt.request).length).toBe(0)
  expect(reset.attempt.request.headers.length).toBeGreaterThan(5)
})

test("§7 rule 1: an answer that is no text is logged as its bytes", async () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x80])
  receiver.answer((_request, response) => response.end(bytes))
  await box.subscribe(receiver.url, ["live_event.updated"])
  await box.emitted()
  const [entry] = await box.journal("direction:out")
  expect(entry?.response && bytesOf(entry.response)).toEqual(bytes)
})

/** One request as bytes, whatever a client would make of it. */
async function sendRaw(head: string, ...pieces: (string | Buffer | number)[]): Promise<string> {
  const socket = net.connect(Number(new URL(box.url).port), "127.0.0.1")
  let answer = ""
  socket.on("data", (chunk) => {
    answer += chunk.toString("latin1")
  })
  socket.on("error", () => undefined)
  const closed = new Promise((resolve) => socket.on("close", resolve))
  const common = `host: x\r\nauthorization: Token ${TOKEN}\r\ncontent-type: application/json\r\n`
  socket.write(`${head}\r\n${common}connection: close\r\n`)
  for (const piece of pieces) {
    // A number is a pause, so that what follows arrives by itself.
    if (typeof piece === "number") await new Promise((resolve) => setTimeout(resolve, piece))
    else socket.write(piece)
  }
  await closed
  return answer
}

test("§7 rule 1: a call to an address that cannot be decoded is logged as it came", async () => {
  const body = '{"productId":"Æ"}'
  const length = Buffer.byteLength(body)
  const address = "/getCampaignProductPrice/%E0%A4%A?x=%zz"
  const answer = await sendRaw(
    `POST ${address} HTTP/1.1`,
    `content-length: ${length}\r\n\r\n`,
    50,
    body,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  await box.control("POST", "/journal/wait", { q: "direction:in status:400" })
  const [entry] = await box.journal("direction:in status:400")
  expect(entry).toMatchObject({ method: "POST", path: address, page_uid: "demo-page" })
})

test("§7 rule 1: a call that was cut in its body is logged as one without an answer", async () => {
  const socket = net.connect(Number(new URL(box.url).port), "127.0.0.1")
  socket.write(
    "POST /products HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n",
  )
  // From then on the sandbox reads the body.
  await new Promise((resolve) => socket.once("data", resolve))
  await new Promise((resolve) => socket.write('{"products":[', resolve))
  socket.destroy()
  await box.control("POST", "/journal/wait", { q: "direction:in endpoint:products" })
  const [entry] = await box.journal("direction:in endpoint:products")
  expect([entry?.status, entry?.response]).toEqual([null, null])
})
