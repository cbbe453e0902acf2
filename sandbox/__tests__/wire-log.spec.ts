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

test("§7 rule 1: garbage is logged as the bytes that were sent", async () => {
  const { entry, attempt } = await deliver("garbage")
  const sent = receiver.only().body
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

test("each copy of a storm is logged with its own body", async () => {
  await box.control("POST", "/profiles", { duplicates: "storm" })
  await box.subscribe(receiver.url, ["live_event.updated"])
  await box.emit()
  await box.clock({ run_until_idle: true })
  const entries = await box.journal("direction:out")
  expect(entries.map(({ request }) => request.body).sort()).toEqual(
    receiver.requests.map(({ body }) => body.toString("utf8")).sort(),
  )
})

test("a call whose body is no text is logged as its bytes", async () => {
  const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x00])
  await fetch(`${box.url}/products`, {
    method: "POST",
    headers: { authorization: `Token ${TOKEN}`, "content-type": "application/json" },
    body: bytes,
  })
  const [entry] = await box.journal("direction:in")
  expect(entry && bytesOf(entry.request)).toEqual(bytes)
})

test("an answer that was spoilt is logged as it went out", async () => {
  const raw = (kind: FaultKind) =>
    box
      .control("POST", "/faults", { on: "live_events", kind, times: 1 })
      .then(() => answerBytes("/api/v1/liveEvents"))
  for (const kind of ["garbage", "half_body"] as const) {
    const seen = await raw(kind)
    const entry = (await box.journal(`fault:${kind}`))[0]
    expect([kind, entry?.response && bytesOf(entry.response)]).toEqual([kind, seen])
  }
})

/** The body of an answer as it came, also where it was cut. */
function answerBytes(path: string): Promise<Buffer> {
  const { port } = new URL(box.url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = net.connect(Number(port), "127.0.0.1", () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Token ${TOKEN}\r\nConnection: close\r\n\r\n`,
      )
    })
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", () => undefined)
    socket.on("close", () => {
      const all = Buffer.concat(chunks)
      resolve(all.subarray(all.indexOf("\r\n\r\n") + 4))
    })
  })
}

test("what the player asks for is in the journal", async () => {
  const event = await box.event()
  await fetch(`${box.url}/player-api/show?page_uid=demo-page&campaign_uid=${event.campaign_uid}`)
  const checkout = await fetch(`${box.url}/player-api/checkout`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ campaign_uid: event.campaign_uid }),
  })
  const { order_no } = (await checkout.json()) as { order_no: string }
  const entries = await box.journal("endpoint:player")
  expect(
    entries.map(({ method, path, status }) => `${method} ${path.split("?")[0]} ${status}`),
  ).toEqual(["GET /player-api/show 200", "POST /player-api/checkout 201"])
  expect(entries[1]?.response?.body).toContain(order_no)
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
  expect(entry?.request.body).toBe(body)
})

test("§7 rule 1: of a body that is too large the beginning is logged, whether announced or not", async () => {
  // One byte more than is read of it: nothing is left on the wire when the connection is closed.
  const start = Buffer.alloc(256 * 1024 + 1, "[0,1]")
  const announced = await sendRaw(
    "POST /products HTTP/1.1",
    `content-length: ${65 * 1024 * 1024}\r\n\r\n`,
    start,
  )
  expect(announced).toMatch(/^HTTP\/1\.1 413 /)
  const chunk = Buffer.alloc(1024 * 1024, "[0,1]")
  const framed = Buffer.concat([Buffer.from("100000\r\n"), chunk, Buffer.from("\r\n")])
  const chunked = await sendRaw(
    "POST /products HTTP/1.1",
    "transfer-encoding: chunked\r\n\r\n",
    ...Array.from({ length: 65 }, () => framed),
  )
  // Whoever goes on sending may find the connection closed before the answer is read.
  expect(["", "HTTP/1.1 413"]).toContain(chunked.slice(0, 12))
  await box.control("POST", "/journal/wait", { q: "status:413", count: 2 })
  for (const entry of await box.journal("status:413")) {
    expect([entry.endpoint, entry.path, entry.page_uid]).toEqual([
      "products",
      "/products",
      "demo-page",
    ])
    expect(entry.request.body).toBe(chunk.toString("utf8", 0, 256 * 1024))
    expect(entry.response?.body).toContain("body_too_large")
  }
})

test("§7 rule 1: of a call that was cut in its body the part that came is logged", async () => {
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
  expect([entry?.status, entry?.response, entry?.request.body]).toEqual([
    null,
    null,
    '{"products":[',
  ])
})
