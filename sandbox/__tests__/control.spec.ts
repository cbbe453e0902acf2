/** What steers the sandbox: state, reset, snapshots, pages, the state file, the command. */

import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import http from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { readOptions } from "../cli/command-line"
import type { Page } from "../store/tables"
import {
  Box,
  CONFIGURABLE,
  type ErrorBody,
  isSignedWith,
  Receiver,
  type RunningCommand,
  runCommand,
  SIMPLE,
  TOKEN,
  type WebhookView,
} from "./harness"

const box = Box.forAll({ pages: [{ uid: "eu-page", api_token: "eu-token" }] })
const receiver = Receiver.forAll()

type State = Record<string, unknown[]>
const state = () => box.control<State>("GET", "/state")

/** One of everything. */
async function show() {
  await box.push(SIMPLE, CONFIGURABLE)
  const webhook = await box.subscribe(receiver.url, ["live_event.created", "live_event.updated"])
  const event = await box.event()
  const product = await box.addProduct(event.id, { external_id: SIMPLE.id, price: 249 })
  const order_no = await box.orderNumber(event.campaign_uid)
  await box.settle()
  return { webhook, event, product, order_no }
}

describe("state", () => {
  test("reset empties everything but the pages given at start", async () => {
    await show()
    await box.control("POST", "/pages", { uid: "third" })
    await box.control("POST", "/profiles", { ties: "same_ms" })
    await box.control("POST", "/faults", { on: "api", kind: "status" })
    await box.control("POST", "/reset")
    const { pages, now, ...rest } = await state()
    expect((pages as Page[]).map(({ uid, api_token }) => [uid, api_token])).toEqual([
      ["demo-page", TOKEN],
      ["eu-page", "eu-token"],
    ])
    for (const [name, table] of Object.entries(rest)) {
      expect([name, Object.keys(table)]).toEqual([name, []])
    }
    expect(await box.journal()).toEqual([])
    expect(await box.control("GET", "/clock")).toMatchObject({ running: true, pending_timers: 0 })
  })

  test("a reset cuts what is on its way: it never turns up in the new state", async () => {
    let answer: (() => void) | undefined
    receiver.answer((_request, response) => {
      answer = () => response.end()
    })
    await box.subscribe(receiver.url, ["live_event.created"])
    await box.event()
    while (!answer) await new Promise((resolve) => setTimeout(resolve, 5))
    await box.fresh()
    answer()
    await box.settle()
    expect(await box.deliveries()).toEqual([])
    receiver.answer(200)
    await box.subscribe(receiver.url, ["live_event.created"])
    await box.announced()
    expect(receiver.requests.length).toBe(1)
  })
})

describe("snapshots", () => {
  test("restore brings back everything, the clock and pending retries included", async () => {
    await box.control("POST", "/profiles", { campaign_prices: "open" })
    receiver.answer(503)
    const { event, product, webhook } = await show()
    await box.control("POST", "/profiles", { listing: "array" })
    await box.control("POST", "/faults", { on: "price", kind: "status", times: 1 })
    await box.clock({ advance: "10s" })
    const snapshot = await box.control("GET", "/snapshot")
    const before = await state()

    await box.control("POST", `/events/${event.id}/products/${product.uid}`, { price: 1 })
    await box.control("DELETE", `/events/${event.id}`)
    await box.call("POST", `/api/v1/webhooks/${webhook.webhookUid}/rotateSignatureKey`)
    await box.clock({ run_until_idle: true })
    await box.control("DELETE", "/faults")
    expect(await state()).not.toEqual(before)

    await box.control("POST", "/restore", snapshot)
    expect(await state()).toEqual(before)
    receiver.answer(200)
    await box.clock({ advance: "49999ms" })
    expect(receiver.requests.length).toBe(0)
    await box.clock({ advance: "1ms" })
    expect(receiver.topics()).toEqual(["live_event.created"])
    expect(isSignedWith(webhook.signatureKey ?? "", receiver.only())).toBe(true)
    expect((await box.price(event.campaign_uid, { productId: SIMPLE.id })).status).toBe(503)
    expect((await box.price(event.campaign_uid, { productId: SIMPLE.id })).status).toBe(200)
  })
})

describe("pages", () => {
  test("a page is made, changed and removed with all it owns", async () => {
    const other = { authorization: "Token dk-token" }
    await box.control("POST", "/pages", { uid: "dk", name: "Denmark", api_token: "dk-token" })
    await box.call("POST", "/products", { products: [SIMPLE] }, other)
    const event = await box.event({ page_uid: "dk" })
    await box.control("POST", "/pages/dk", { currency: "EUR", api_token: "dk-token-2" })
    expect((await box.call("GET", "/api/v1/webhooks", undefined, other)).status).toBe(401)
    other.authorization = "Token dk-token-2"
    expect((await box.call("GET", "/api/v1/webhooks", undefined, other)).status).toBe(200)
    await box.control("DELETE", "/pages/dk")
    expect((await box.call("GET", "/api/v1/webhooks", undefined, other)).status).toBe(401)
    await expect(box.control("GET", `/events/${event.id}`)).rejects.toThrow("404")
    expect(await box.received()).toEqual([])
  })

  test("uid and token are one page's", async () => {
    const taken: [object, string][] = [
      [{ uid: "demo-page" }, "409 page_exists"],
      [{ uid: "new", api_token: TOKEN }, "409 token_taken"],
      [{ uid: "no\nbreaks" }, "400"],
      [{ uid: "new", currency: "kroner" }, "400"],
      [{ uid: "new", vat: { rate: 25 } }, "400"],
    ]
    for (const [page, error] of taken) {
      await expect(box.control("POST", "/pages", page)).rejects.toThrow(error)
    }
    await expect(box.control("GET", "/pages/new")).rejects.toThrow("404")
  })
})

/** As it is written: `fetch` would tidy the path up, and sets `sec-fetch-*` itself. */
function statusOf(
  method: string,
  path: string,
  headers: http.OutgoingHttpHeaders = {},
  body?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = box.sandbox
    const request = http.request({ port, method, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on("error", reject)
    request.end(body)
  })
}

describe("the player's part", () => {
  const player = <T>(path: string) => box.call<T>("GET", path, undefined, { authorization: "" })
  type Show = { event: { campaign_uid: string }; products: Record<string, unknown>[] }

  test("the show is told without a token, to every origin", async () => {
    const { event } = await show()
    await box.addProduct(event.id, {
      external_id: CONFIGURABLE.id,
      price: 149,
      variants: [{ external_id: "variant_m", price: 159 }],
      max_qty_per_customer: 3,
    })
    const answer = await player<Show>(
      `/player-api/show?page_uid=demo-page&campaign_uid=${event.campaign_uid}`,
    )
    expect(answer.headers.get("access-control-allow-origin")).toBe("*")
    expect(answer.body.event).toMatchObject({
      id: event.id,
      campaign_uid: event.campaign_uid,
      name: "Autumn show",
      status: "planned",
      currency: "DKK",
    })
    expect(answer.body.products).toMatchObject([
      { external_id: SIMPLE.id, sku: "LAMP-1", name: "Lamp", price: 249, variants: [] },
      {
        external_id: CONFIGURABLE.id,
        image: "https://shop.example/shirt.jpg",
        suggested_retail_price: 199.5,
        available: true,
        max_qty_per_customer: 3,
        min_purchase_qty: null,
        default_quantity_to_add: null,
        variants: [
          { external_id: "variant_s", sku: "SHIRT-S", names: ["S"], price: 149 },
          { external_id: "variant_m", sku: "SHIRT-M", names: ["M"], price: 159 },
        ],
      },
    ])
  })

  test("files are those of the pages, and nothing beside them", async () => {
    for (const [path, type] of [
      ["/", "text/html"],
      ["/player", "text/html"],
      ["/player.js", "text/javascript"],
    ] as const) {
      const response = await fetch(`${box.url}${path}`)
      expect([path, response.status, response.headers.get("content-type")]).toEqual([
        path,
        200,
        expect.stringContaining(type),
      ])
      if (type !== "text/html") continue
      // A page may run and ask nothing but the sandbox's own.
      const policy = response.headers.get("content-security-policy") ?? ""
      expect(policy).toMatch(/default-src 'none'; script-src 'self';.*connect-src 'self';/)
      expect(response.headers.get("x-content-type-options")).toBe("nosniff")
    }
    for (const path of [
      "/player/../../server.ts",
      "/_sandbox/ui/..%2f..%2fserver.ts",
      "/player/x",
    ]) {
      expect([path, await statusOf("GET", path)]).toEqual([path, 404])
    }
  })
})

describe("what comes in", () => {
  test("what cannot be read is refused with its name, and not ignored", async () => {
    const cases: [string, unknown, number, string, string?][] = [
      ["POST /events", {}, 400, "name"],
      ["POST /events", { page_uid: "nope", kind: "live", name: "x" }, 404, "nope"],
      ["POST /events", { page_uid: "demo-page", kind: "film", name: "x" }, 400, "kind"],
      ["POST /events", { page_uid: "demo-page", kind: "live", name: "x", typo: 1 }, 400, "typo"],
      ["POST /order-numbers", { campaign_uid: "nope" }, 404, "nope"],
      ["POST /clock", {}, 400, "stop"],
      ["POST /clock", { advance: "soon" }, 400, "advance"],
      ["POST /clock", { advance: 1e17 }, 400, "ten years"],
      ["POST /clock", { set: 5 }, 400, "backwards"],
      ["POST /clock", { set: "noon" }, 400, "ISO 8601"],
      ["POST /emit", { page_uid: "demo-page" }, 400, "topic"],
      ["GET /deliveries/nope", undefined, 404, "nope"],
      ["POST /subscribers/nope/activate", {}, 404, "nope"],
      ["DELETE /faults/nope", undefined, 404, "nope"],
      ["GET /nothing", undefined, 404, "nothing"],
      [
        "GET /journal?path=/products",
        undefined,
        400,
        "q, order, limit, offset",
        "unknown_parameter",
      ],
      ["GET /health?verbose=1", undefined, 400, "It takes none"],
      ["POST /reset?seed=x", undefined, 400, "It takes none"],
      ["GET /journal?q=a&q=b", undefined, 400, "q", "repeated_parameter"],
      ["GET /events?status=sideways", undefined, 400, "status"],
      ["GET /events?deleted=yes", undefined, 400, "deleted"],
      ["GET /deliveries?state=lost", undefined, 400, "state"],
      ["GET /journal?order=newest", undefined, 400, "order"],
      ["GET /journal?limit=-1", undefined, 400, "limit"],
      ["GET /journal?q=colour:red", undefined, 400, "delivery_uid"],
      ["GET /journal?q=request.boddy:x", undefined, 400, "delivery_uid"],
      ["GET /journal?q=topic.name:x", undefined, 400, "delivery_uid"],
      ["GET /journal?q=http://shop.example/x", undefined, 400, "delivery_uid"],
    ]
    for (const [call, body, status, word, code = expect.anything()] of cases) {
      const [method = "", path] = call.split(" ")
      const answer = await box.call<ErrorBody>(method, `/_sandbox${path}`, body)
      const { error } = answer.body
      expect([call, answer.status, error.code, error.message]).toEqual([
        call,
        status,
        code,
        expect.stringContaining(word),
      ])
    }
  })

  test.each<[string, object, string | undefined, number]>([
    ["a form", { "content-type": "text/plain" }, "{}", 415],
    ["a call without a body", { "sec-fetch-site": "cross-site" }, undefined, 403],
    ["one of an older browser", { origin: "https://evil.example" }, undefined, 403],
    ["one from a sandboxed frame", { origin: "null" }, undefined, 403],
    ["one from another port of this machine", { origin: "http://127.0.0.1:1" }, undefined, 403],
  ])("a foreign web page cannot reset the sandbox: %s", async (_what, headers, body, status) => {
    await box.push(SIMPLE)
    for (const path of ["/_sandbox/reset", "/_sandbox/clock"]) {
      expect(await statusOf("POST", path, { ...headers }, body)).toBe(status)
    }
    expect(await box.received()).toHaveLength(1)
  })

  test("the sandbox's own pages can reset it", async () => {
    for (const headers of [{ "sec-fetch-site": "same-origin" }, { origin: box.url }]) {
      await box.push(SIMPLE)
      expect(await statusOf("POST", "/_sandbox/reset", headers)).toBe(200)
      expect(await box.received()).toEqual([])
    }
  })

  test("times are ms or ISO 8601", async () => {
    const starts = Date.UTC(2027, 0, 1)
    for (const starts_at of [starts, String(starts), "2027-01-01", "2027-01-01T01:00:00+01:00"]) {
      expect((await box.event({ starts_at })).data.event.eventStartTimestamp).toBe(starts)
    }
  })
})

describe("the command and the state file", () => {
  let folder: string
  const running: RunningCommand[] = []

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "svc-sandbox-"))
  })
  afterAll(async () => {
    for (const { child } of running) child.kill("SIGKILL")
    await rm(folder, { recursive: true, force: true })
  })

  function run(args: string[]): RunningCommand {
    const command = runCommand(args)
    running.push(command)
    return command
  }

  async function call(url: string, token: string, method = "GET", body?: object) {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Token ${token}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  test("runs on a free port, ends cleanly at a signal, and finds its state again", async () => {
    const file = path.join(folder, "state.json")
    const args = ["--port", "0", "--file", file, "--page", "se-page:se:token"]
    const first = run(args)
    const url = await first.ready()
    expect((await call(`${url}/api/v1/webhooks`, "se:token")).status).toBe(200)
    const created = await call(`${url}/api/v1/webhooks`, TOKEN, "POST", {
      name: "Kept",
      url: "https://shop.example/",
      topics: ["svc.test"],
    })
    await call(`${url}/products`, TOKEN, "POST", { products: [SIMPLE] })
    first.child.kill("SIGINT")
    expect(await first.ended).toBe(0)

    const second = run([...args, "--page", "no-page:no-token"])
    const again = await second.ready()
    const listed = await call(`${again}/api/v1/webhooks`, TOKEN)
    const [webhook] = listed.body.data as WebhookView[]
    expect(webhook).toMatchObject({ name: "Kept", webhookUid: created.body.webhookUid })
    const products = await call(`${again}/_sandbox/products`, TOKEN)
    expect(products.body).toMatchObject({ count: 1, products: [{ product: SIMPLE }] })
    for (const token of ["se:token", "no-token"]) {
      expect((await call(`${again}/api/v1/webhooks`, token)).status).toBe(200)
    }
    second.child.kill("SIGTERM")
    expect(await second.ended).toBe(0)
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ format: 1 })
  })

  test("§2.5 killed in the middle of an attempt: the next one has a deliveryUid of its own, new events ids of their own", async () => {
    const file = path.join(folder, "killed.json")
    const copy = path.join(folder, "killed-copy.json")
    receiver.answer(() => undefined)
    const killed = await Box.start({ file, seed: "again" })
    await killed.subscribe(receiver.url, ["live_event.updated"])
    await killed.emit()
    await receiver.until(({ requests }) => requests.length === 1)
    while (!(await readFile(file, "utf8").catch(() => "")).includes('"pending"')) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    // What a kill leaves is the file as it was last written: what came later is not in it.
    await copyFile(file, copy)
    const lost = await killed.event()
    const again = await Box.start({ file: copy, seed: "again" })
    await receiver.until(({ requests }) => requests.length === 2)
    const [first, second] = receiver.envelopes()
    expect(second?.metadata.eventUid).toBe(first?.metadata.eventUid)
    expect(second?.deliveryUid).not.toBe(first?.deliveryUid)
    expect((await again.event()).id).not.toBe(lost.id)
    await Promise.all([killed.close(), again.close()])
  })

  test("a state file that cannot be written is said at start, and later without an end", async () => {
    await expect(Box.start({ file: path.join(folder, "none", "state.json") })).rejects.toThrow(
      /state\.json cannot be written/,
    )
    const lost = path.join(folder, "lost")
    await mkdir(lost)
    const kept = await Box.start({ file: path.join(lost, "state.json") })
    const said = new Promise<string>((resolve) => {
      jest.spyOn(process.stderr, "write").mockImplementation((text) => {
        resolve(String(text))
        return true
      })
    })
    await rm(lost, { recursive: true })
    await kept.event()
    expect(await said).toMatch(/state\.json cannot be written/)
    jest.restoreAllMocks()
    await kept.control("GET", "/health")
    await mkdir(lost)
    await kept.close()
    expect(JSON.parse(await readFile(path.join(lost, "state.json"), "utf8")).tables.events).toEqual(
      [expect.anything()],
    )
  })

  test("what a kill in the middle of a write leaves behind does no harm", async () => {
    const file = path.join(folder, "killed.json")
    const first = await Box.start({ file })
    await first.push(SIMPLE)
    await first.close()
    await writeFile(`${file}.new`, '{"format":1,"tables":{"pro')
    const second = await Box.start({ file })
    expect(await second.received()).toMatchObject([{ product: SIMPLE }])
    await second.close()
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ format: 1 })
  })

  test("a page given at start may be demo-page with another token", async () => {
    const own = await Box.start({ pages: [{ uid: "demo-page", api_token: "mine" }] })
    const { pages } = await own.control<{ pages: Page[] }>("GET", "/pages")
    expect(pages).toMatchObject([{ uid: "demo-page", name: "Demo page", api_token: "mine" }])
    await own.close()
  })

  test("a taken port is a clear sentence", async () => {
    const { ended, output } = run(["--port", String(box.sandbox.port)])
    expect(await ended).toBe(1)
    expect(output()).toMatch(/port is taken/)
    expect(output()).not.toMatch(/\n\s+at /)
  })

  test("flags win over the environment; what is wrong is said", () => {
    const env = { SANDBOX_PORT: "9401", SANDBOX_PAGES: "a:1,b", SANDBOX_SEED: "s" }
    expect(readOptions([], {})).toMatchObject({ port: 9400, pages: [] })
    expect(readOptions([], env)).toMatchObject({
      port: 9401,
      seed: "s",
      pages: [{ uid: "a", api_token: "1" }, { uid: "b" }],
    })
    expect(readOptions(["--port", "0", "--page", "c:x:y"], env)).toMatchObject({
      port: 0,
      pages: [{ uid: "c", api_token: "x:y" }],
    })
    // An empty variable is one that is not set.
    expect(readOptions([], { SANDBOX_PORT: "", SANDBOX_SEED: "" })).toMatchObject({
      port: 9400,
      seed: undefined,
    })
    expect(readOptions(["--help"], {})).toBeNull()
    for (const [args, message] of [
      [["--port", "many"], /is no port/],
      [["--port", "70000"], /is no port/],
      [["--wrong"], /wrong/],
      [["--page", ":x"], /is no page/],
      [["serve"], /Unexpected argument 'serve'/],
      [["--page", "x:"], /is no page/],
    ] as const) {
      expect(() => readOptions([...args], {})).toThrow(message)
    }
  })
})
