/**
 * The service's own endpoints, at their own paths (interface §4), each behind the page's token
 * (§5 rule 1; gap 52: everywhere), the fault plans and the journal.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import { checkProducts, type ItemResult, receiveProducts } from "./catalog"
import { SandboxError } from "./errors"
import type { Endpoint, Fault } from "./faults"
import { parse, slice } from "./input"
import { loggedHeaders } from "./journal"
import { processOrder } from "./orders"
import { authenticate } from "./pages"
import { eventPayload } from "./payloads"
import { campaignPrice, spelled } from "./prices"
import { RateLimited, RateLimiter } from "./rate-limit"
import { bodyText, readJson } from "./request-body"
import { type Answer, type Listener, type Sent, send, sendSpoilt } from "./responses"
import type { Page } from "./state"
import {
  createSubscriber,
  deleteSubscriber,
  getSubscriber,
  listSubscribers,
  rotateKey,
  updateSubscriber,
  webhookView,
} from "./subscribers"
import type { World } from "./world"

type Call = { page: Page; params: Record<string, string>; query: unknown; body: unknown }
type Operation = (world: World, call: Call) => Answer | Promise<Answer>

const WEBHOOKS = "/api/v1/webhooks"
const WEBHOOK = `${WEBHOOKS}/:webhookUid`

/** interface §4; the paths under `/api/v1/webhooks` but the last are gap 13. */
export const OPERATIONS: [Endpoint, "GET" | "POST" | "PATCH" | "DELETE", string, Operation][] = [
  ["price", "POST", "/getCampaignProductPrice/:campaignUid", getCampaignProductPrice],
  ["products", "POST", "/products", pushProducts],
  ["process_orders", "POST", "/processOrders", processOrders],
  ["live_events", "GET", "/api/v1/liveEvents", (world, call) => listing(world, call, "live")],
  ["shoppables", "GET", "/api/v1/shoppables", (world, call) => listing(world, call, "shoppable")],
  ["webhooks", "POST", WEBHOOKS, createWebhook],
  ["webhooks", "GET", WEBHOOKS, listWebhooks],
  ["webhooks", "GET", WEBHOOK, getWebhook],
  ["webhooks", "PATCH", WEBHOOK, updateWebhook],
  ["webhooks", "DELETE", WEBHOOK, deleteWebhook],
  ["webhooks", "POST", `${WEBHOOK}/rotateSignatureKey`, rotateWebhookKey],
]

export function serviceApi(app: FastifyInstance, world: World, listener: Listener): void {
  const limiter = new RateLimiter()
  for (const [endpoint, method, url, operation] of OPERATIONS) {
    app.route({
      method,
      url,
      handler: (request, reply) =>
        serve(world, limiter, listener, endpoint, operation, request, reply),
    })
  }
}

async function serve(
  world: World,
  limiter: RateLimiter,
  listener: Listener,
  endpoint: Endpoint,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const at = world.clock.now()
  const started = performance.now()
  const page = authenticate(world, request.headers.authorization)
  const fault = world.faults.take({
    endpoint,
    pageUid: page?.uid ?? null,
    method: request.method,
    path: request.url,
  })

  let sent: Sent
  if (fault && replacesTheCall(fault)) {
    sent = await sendSpoilt(request, reply, null, fault, listener)
  } else {
    const answer = await carryOut(world, limiter, page, operation, request)
    sent = fault
      ? await sendSpoilt(request, reply, answer, fault, listener)
      : await send(request, reply, answer)
  }

  world.journal.add({
    direction: "in",
    at,
    ms: Math.round(performance.now() - started),
    endpoint,
    method: request.method,
    path: request.url,
    page_uid: page?.uid ?? null,
    status: sent.status,
    fault: fault?.kind ?? null,
    request: {
      headers: loggedHeaders(Object.entries(request.headers)),
      body: bodyText(request.body),
    },
    response: sent.status === null ? null : { headers: sent.headers, body: sent.body },
    topic: null,
    subscriber_uid: null,
    event_uid: null,
    delivery_uid: null,
    attempt: null,
    outcome: null,
  })
  world.changes.touch("journal")
  return reply
}

/** The others need the right answer, to spoil it. */
function replacesTheCall({ kind, after }: Fault): boolean {
  return !after && ["status", "hang", "reset", "garbage", "refuse"].includes(kind)
}

async function carryOut(
  world: World,
  limiter: RateLimiter,
  page: Page | null,
  operation: Operation,
  request: FastifyRequest,
): Promise<Answer> {
  try {
    const refusal = world.profiles.get("rest_auth")
    if (refusal !== "token") {
      throw new SandboxError(Number(refusal), "unauthorized", "The API token is refused.")
    }
    if (!page) {
      throw new SandboxError(
        401,
        "unauthorized",
        "Send the page's API token as `Authorization: Token <API_KEY>`.",
      )
    }
    limiter.check(page.uid, world.profiles.get("rate_limit"), world.clock.now())
    const params = request.params as Record<string, string>
    const body = request.method === "GET" ? undefined : readJson(request)
    return await operation(world, { page, params, query: request.query, body })
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    const headers = error instanceof RateLimited ? error.headers : {}
    return { status: error.status, body: error.body(), headers }
  }
}

function getCampaignProductPrice(world: World, { page, params, body }: Call): Answer {
  const found = campaignPrice(world, page.uid, params.campaignUid ?? "", body)
  return { status: 200, body: spelled(world, found) }
}

const batch = z.looseObject({ products: z.array(z.unknown()) })

function pushProducts(world: World, { page, body }: Call): Answer {
  const { products } = parse(batch, body)
  const limit = world.profiles.get("batch_limit")
  if (limit > 0 && products.length > limit) {
    throw new SandboxError(413, "batch_too_large", `At most ${limit} products in one call.`)
  }
  const form = world.profiles.get("item_errors")
  if (form === "reject_batch") {
    const bad = checkProducts(world, page.uid, products).filter(isError)
    if (bad.length > 0) {
      throw new SandboxError(422, "invalid_products", `${bad.length} products are not valid.`)
    }
  }
  const results = receiveProducts(world, page.uid, products)
  return { status: 200, body: productAnswer(results, form) }
}

/** The per-product result format is not shown (interface §4.2): gap 23 lists what to expect. */
function productAnswer(results: ItemResult[], form: string): unknown {
  const rejected = results.filter(isError)
  switch (form) {
    case "errors":
      return { errors: rejected.map((item) => ({ id: item.id, message: explain(item) })) }
    case "products":
      return {
        products: results.map((item) =>
          isError(item)
            ? { id: item.id, valid: false, message: explain(item) }
            : { id: item.id, valid: true },
        ),
      }
    case "silent":
      return {}
    default:
      return {
        results: results.map((item) => ({
          id: item.id,
          status: item.status,
          ...(isError(item) && {
            error: { code: "invalid_product", message: explain(item), fields: item.fields },
          }),
        })),
        accepted: results.length - rejected.length,
        rejected: rejected.length,
      }
  }
}

function isError(item: ItemResult): boolean {
  return item.status === "error"
}

function explain({ fields }: ItemResult): string {
  return fields.map(({ field, message }) => `${field}: ${message}`).join("; ")
}

function processOrders(world: World, { page, body }: Call): Answer {
  const order = processOrder(world, page.uid, body)
  return {
    status: 200,
    body: {
      svcOrderNumber: order.order_no,
      campaignUid: order.campaign_uid,
      status: "converted",
    },
  }
}

/** interface §4.5: the one lists live broadcasts only, the other shoppables only. */
function listing(world: World, { page, query }: Call, kind: "live" | "shoppable"): Answer {
  const all = [...world.tables.events.values()]
    .filter((event) => event.page_uid === page.uid && event.kind === kind && !event.deleted_at)
    .reverse()
  const data = slice(all, query, 50, 100).map((event) => eventPayload(world, event))
  const name = kind === "live" ? "liveEvents" : "shoppables"
  const forms = {
    data: { data, count: all.length },
    array: data,
    items: { items: data, total: all.length },
    named: { [name]: data },
  }
  return { status: 200, body: forms[world.profiles.get("listing")] }
}

function createWebhook(world: World, { page, body }: Call): Answer {
  const subscriber = createSubscriber(world, page.uid, body)
  const view = { ...webhookView(subscriber), signatureKey: subscriber.signature_key }
  return { status: 201, body: webhookAnswer(world, view) }
}

function listWebhooks(world: World, { page }: Call): Answer {
  const data = listSubscribers(world, page.uid).map(webhookView)
  const snake = world.profiles.get("webhook_answers") === "snake_case"
  const body = { data: snake ? data.map(snakeCase) : data, count: data.length }
  return { status: 200, body }
}

function getWebhook(world: World, { page, params }: Call): Answer {
  const subscriber = getSubscriber(world, params.webhookUid ?? "", page.uid)
  return { status: 200, body: webhookAnswer(world, webhookView(subscriber)) }
}

function updateWebhook(world: World, { page, params, body }: Call): Answer {
  const subscriber = updateSubscriber(world, page.uid, params.webhookUid ?? "", body)
  return { status: 200, body: webhookAnswer(world, webhookView(subscriber)) }
}

function deleteWebhook(world: World, { page, params }: Call): Answer {
  deleteSubscriber(world, page.uid, params.webhookUid ?? "")
  return { status: 204 }
}

const ROTATION_LAG_MS = 500

async function rotateWebhookKey(world: World, { page, params }: Call): Promise<Answer> {
  const { uid, signature_key } = rotateKey(world, page.uid, params.webhookUid ?? "")
  const rotation = world.profiles.get("rotation")
  if (rotation === "answer_late") {
    await new Promise((resolve) => setTimeout(resolve, ROTATION_LAG_MS))
  }
  const view = { webhookUid: uid, signatureKey: signature_key }
  return { status: 200, body: webhookAnswer(world, view), lost: rotation === "answer_lost" }
}

function webhookAnswer(world: World, view: Record<string, unknown>): unknown {
  switch (world.profiles.get("webhook_answers")) {
    case "wrapped":
      return { webhook: view }
    case "snake_case":
      return snakeCase(view)
    default:
      return view
  }
}

function snakeCase(view: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(view).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
}
