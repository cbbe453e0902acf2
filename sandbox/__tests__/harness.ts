/** A sandbox on a free port, a receiver on another, and short ways to talk to both. */

import { type ChildProcess, spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import http from "node:http"
import type { AddressInfo } from "node:net"
import path from "node:path"
import type {
  DeliveryView,
  EventProductView,
  EventView,
  SubscriberView,
} from "../control-api/views"
import { type Sandbox, type SandboxOptions, startSandbox } from "../index"
import type { JournalEntry } from "../store/journal"
import type { Order, ReceivedProduct } from "../store/tables"

export const TOKEN = "sandbox-token-demo-page"
export const START = Date.UTC(2026, 10, 20, 12)
/** Many times what the rate limit of any test lets through. */
const MOST_CALLS = 1_000

export type { DeliveryView, EventProductView, EventView, SubscriberView }
export type WebhookView = {
  webhookUid: string
  name: string
  url: string
  topics: string[]
  customHeaders: { name: string; value: string }[]
  state: string
  signatureKey?: string
}
export type ErrorBody = { error: { code: string; message: string; fields?: { field: string }[] } }
export type ClockView = {
  now: number
  running: boolean
  pending_timers: number
  next_timer_at: number | null
  in_flight: number
}

export type Reply<T> = { status: number; headers: Headers; body: T; text: string }

export class Box {
  private started: Sandbox | undefined

  private constructor() {}

  static async start(options: SandboxOptions = {}): Promise<Box> {
    const box = new Box()
    await box.open(options)
    return box
  }

  /** One for all tests of a file or a `describe`, empty before each. */
  static forAll(options: SandboxOptions = {}): Box {
    const box = new Box()
    beforeAll(() => box.open(options))
    afterAll(() => box.close())
    beforeEach(() => box.fresh())
    return box
  }

  private async open(options: SandboxOptions): Promise<void> {
    this.started = await startSandbox({ port: 0, seed: "tests", ...options })
  }

  get sandbox(): Sandbox {
    if (!this.started) throw new Error("The sandbox runs from `beforeAll` on.")
    return this.started
  }

  get url(): string {
    return this.sandbox.url
  }

  close(): Promise<void> {
    return this.sandbox.close()
  }

  /** Everything empty, and the clock standing at START. */
  async fresh(): Promise<void> {
    await this.sandbox.control.request("POST", "/reset")
    await this.sandbox.control.request("POST", "/clock", { stop: true })
  }

  control<T>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
    return this.sandbox.control.request<T>(method, path, body)
  }

  /** A call of the service over a socket. `body` as text goes out as it is. */
  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<T>> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Token ${TOKEN}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    })
    const text = await response.text()
    let json: unknown = null
    try {
      json = JSON.parse(text)
    } catch {
      // Left to the tests that expect no JSON.
    }
    return { status: response.status, headers: response.headers, body: json as T, text }
  }

  /**
   * Calls without a pause until one is refused.
   *
   * @param perSecond what a bucket of one second's calls gets back meanwhile, on a machine that may stand still
   * @throws where none is refused of so many that a limit would have to
   */
  async callUntilRefused<T>(perSecond: number, call: () => Promise<Reply<T>>) {
    const began = performance.now()
    for (let taken = 0; taken < MOST_CALLS; taken += 1) {
      const answer = await call()
      if (answer.status === 200) continue
      const seconds = (performance.now() - began) / 1_000
      return { answer, taken, mostTaken: perSecond * (1 + seconds) }
    }
    throw new Error(`None of ${MOST_CALLS} calls was refused, at ${perSecond} allowed a second.`)
  }

  async push(...products: object[]): Promise<void> {
    const { status } = await this.call("POST", "/products", { products })
    if (status !== 200) throw new Error(`push answered ${status}`)
  }

  async received(): Promise<ReceivedProduct[]> {
    return (await this.control<{ products: ReceivedProduct[] }>("GET", "/products")).products
  }

  async event(input: object = {}): Promise<EventView> {
    const body = { page_uid: "demo-page", kind: "live", name: "Autumn show", ...input }
    return (await this.control<{ event: EventView }>("POST", "/events", body)).event
  }

  async change(id: string, input: object): Promise<EventView> {
    return (await this.control<{ event: EventView }>("POST", `/events/${id}`, input)).event
  }

  /** A show that sells: its prices answer. */
  async onAir(input: object = {}): Promise<EventView> {
    return this.move((await this.event(input)).id, "start")
  }

  async move(id: string, ...moves: string[]): Promise<EventView> {
    let event: EventView | undefined
    for (const move of moves) {
      event = (await this.control<{ event: EventView }>("POST", `/events/${id}/${move}`)).event
    }
    if (!event) throw new Error("no move given")
    return event
  }

  async addProduct(eventId: string, input: object): Promise<EventProductView> {
    const answer = await this.control<{ event_product: EventProductView }>(
      "POST",
      `/events/${eventId}/products`,
      input,
    )
    return answer.event_product
  }

  async price(campaignUid: string, body: unknown) {
    return this.call<{
      price: number
      discount: number
      vat: { rate: number; included: boolean }
      currency: string
    }>("POST", `/getCampaignProductPrice/${campaignUid}`, body)
  }

  async orders(): Promise<Order[]> {
    return (await this.control<{ orders: Order[] }>("GET", "/orders")).orders
  }

  async subscribe(url: string, topics: readonly string[], more: object = {}): Promise<WebhookView> {
    const answer = await this.call<WebhookView>("POST", "/api/v1/webhooks", {
      name: "Shop",
      url,
      topics,
      ...more,
    })
    if (answer.status !== 201) throw new Error(`subscribe answered ${answer.status} ${answer.text}`)
    return answer.body
  }

  async subscriber(uid: string): Promise<SubscriberView> {
    const { subscribers } = await this.control<{ subscribers: SubscriberView[] }>(
      "GET",
      "/subscribers",
    )
    const found = subscribers.find((subscriber) => subscriber.uid === uid)
    if (!found) throw new Error(`no subscriber ${uid}`)
    return found
  }

  /** Oldest first. */
  async deliveries(query = ""): Promise<DeliveryView[]> {
    const answer = await this.control<{ deliveries: DeliveryView[] }>("GET", `/deliveries${query}`)
    return answer.deliveries.reverse()
  }

  async delivery(id: string): Promise<DeliveryView> {
    return (await this.control<{ delivery: DeliveryView }>("GET", `/deliveries/${id}`)).delivery
  }

  async onlyDelivery(): Promise<DeliveryView> {
    const [only, ...others] = await this.deliveries()
    if (!only || others.length > 0) throw new Error(`${others.length + (only ? 1 : 0)} deliveries`)
    return this.delivery(only.id)
  }

  /** Calls under way get long to end before time moves on, which costs nothing where they end; a test says less. */
  clock(command: object): Promise<ClockView> {
    return this.control("POST", "/clock", { grace_ms: 30_000, ...command })
  }

  /** Until nothing is on its way any more, without moving time. */
  settle(): Promise<ClockView> {
    return this.clock({ settle: true })
  }

  async emit(topic = "live_event.updated", data: unknown = { n: 1 }, more: object = {}) {
    return this.control<{ event_uid: string; deliveries: { id: string }[] }>("POST", "/emit", {
      page_uid: "demo-page",
      topic,
      data,
      ...more,
    })
  }

  /** Made, and what it makes is delivered. */
  async announced(input?: object): Promise<void> {
    await this.event(input)
    await this.settle()
  }

  /** Emitted and delivered. */
  async emitted(...emission: Parameters<Box["emit"]>): Promise<void> {
    await this.emit(...emission)
    await this.settle()
  }

  async orderNumber(campaign_uid: string): Promise<string> {
    const answer = await this.control<{ order_no: string }>("POST", "/order-numbers", {
      campaign_uid,
    })
    return answer.order_no
  }

  async journal(q = ""): Promise<JournalEntry[]> {
    const answer = await this.control<{ entries: JournalEntry[] }>(
      "GET",
      `/journal?q=${encodeURIComponent(q)}`,
    )
    return answer.entries
  }
}

export type Received = {
  method: string
  url: string
  /** As they came: order and spelling kept. */
  rawHeaders: [string, string][]
  headers: http.IncomingHttpHeaders
  body: Buffer
  /** False where the connection ended before the body did. */
  complete: boolean
}

export type EnvelopeRead = {
  version: string
  topic: string
  occurredAt: number
  deliveryUid: string
  deliveryAt: number
  metadata: { pageUid: string; subscriberUid: string; eventUid: string }
  data: Record<string, unknown> & { event: Record<string, unknown> }
}

type Respond = (request: Received, response: http.ServerResponse, n: number) => void

/** A shop's webhook address: a real HTTP server that keeps what it got. */
export class Receiver {
  readonly requests: Received[] = []
  connections = 0
  private respond: Respond = (_request, response) => response.end("ok")

  private readonly server = http.createServer()

  private constructor() {
    // On a slow machine it would close a connection just as the next delivery comes over it.
    this.server.keepAliveTimeout = 0
    this.server.on("connection", () => this.connections++)
    this.server.on("clientError", (_error, socket) => socket.destroy())
    this.server.on("request", (request, response) => {
      const chunks: Buffer[] = []
      const keep = (complete: boolean): Received => {
        const received: Received = {
          method: request.method ?? "",
          url: request.url ?? "",
          rawHeaders: pairs(request.rawHeaders),
          headers: request.headers,
          body: Buffer.concat(chunks),
          complete,
        }
        this.requests.push(received)
        return received
      }
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("error", () => keep(false))
      request.on("end", () => {
        const received = keep(true)
        this.respond(received, response, this.requests.length)
      })
    })
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver()
    await receiver.listen()
    return receiver
  }

  /** One for all tests of a file or a `describe`, answering 200 at the beginning of each. */
  static forAll(): Receiver {
    const receiver = new Receiver()
    beforeAll(() => receiver.listen())
    afterAll(() => receiver.close())
    beforeEach(() => receiver.answer(200))
    return receiver
  }

  private listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve))
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks/svc`
  }

  /** What it answers from now on, and forgets what it got. */
  answer(respond: Respond | number): void {
    this.respond =
      typeof respond === "number"
        ? (_request, response) => {
            response.statusCode = respond
            response.end(`answered ${respond}`)
          }
        : respond
    this.requests.length = 0
    this.connections = 0
  }

  /** Waits until something is so that happens over sockets. */
  async until(holds: (receiver: Receiver) => boolean): Promise<void> {
    while (!holds(this)) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  envelopes(): EnvelopeRead[] {
    return this.requests.map(({ body }) => JSON.parse(body.toString("utf8")) as EnvelopeRead)
  }

  topics(): string[] {
    return this.envelopes().map(({ topic }) => topic)
  }

  only(): Received {
    const [only, ...others] = this.requests
    if (!only || others.length > 0) throw new Error(`${this.requests.length} requests came`)
    return only
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

export type RunningCommand = {
  child: ChildProcess
  /** Its address, once it is ready. @throws what it printed, where it ended before */
  ready: () => Promise<string>
  ended: Promise<number | null>
  output: () => string
}

/** The command as a process of its own. */
export function runCommand(args: string[], env: Record<string, string> = {}): RunningCommand {
  const bin = path.join(__dirname, "..", "cli", "bin.ts")
  const child = spawn(process.execPath, ["--import", "tsx", bin, ...args], {
    env: { ...process.env, ...env },
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8")
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
  const ready = async () => {
    while (!/ready at (\S+)/.test(output)) {
      if (child.exitCode !== null) throw new Error(output)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return /ready at (\S+)/.exec(output)?.[1] ?? ""
  }
  return { child, ready, ended, output: () => output }
}

function pairs(flat: string[]): [string, string][] {
  const list: [string, string][] = []
  for (let i = 0; i < flat.length; i += 2) list.push([flat[i] ?? "", flat[i + 1] ?? ""])
  return list
}

export function envelopeOf(request: Received): EnvelopeRead {
  return JSON.parse(request.body.toString("utf8")) as EnvelopeRead
}

/** The check of interface §5 rule 3, written again from the text. */
export function isSignedWith(key: string, request: Received): boolean {
  const mac = createHmac("sha256", key)
  mac.update(`${request.headers["x-svc-timestamp"]}.`)
  mac.update(request.body)
  return mac.digest("base64") === request.headers["x-svc-signature"]
}

export const SIMPLE = {
  id: "prod_lamp",
  sku: "LAMP-1",
  name: "Lamp",
  price: 299,
  url: "https://shop.example/lamp",
  type: "simple",
  status: "enabled",
}

export const CONFIGURABLE = {
  id: "prod_shirt",
  sku: "SHIRT",
  name: "Shirt",
  price: 199.5,
  url: "https://shop.example/shirt",
  type: "configurable",
  status: "enabled",
  image: "https://shop.example/shirt.jpg",
  images: ["https://shop.example/shirt-2.jpg"],
  configurableOptions: [{ name: "Size", values: ["S", "M"] }],
  variants: [
    { id: "variant_s", sku: "SHIRT-S", options: { Size: "S" } },
    { id: "variant_m", sku: "SHIRT-M", options: { Size: "M" } },
  ],
}
