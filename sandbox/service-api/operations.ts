/**
 * The service's operations (interface §4): what each does for the page that calls, and in which of
 * its spellings it answers. `routes.ts` puts tokens, faults and the journal around them.
 */

import { z } from "zod"
import type { Endpoint } from "../contract/endpoints"
import { SandboxError } from "../contract/errors"
import { parse } from "../contract/input"
import { checkProducts, type ItemResult, receiveProducts } from "../domain/catalog"
import { processOrder } from "../domain/orders"
import { campaignPrice, spelled } from "../domain/prices"
import type { Context } from "../store/context"
import type { Page } from "../store/tables"
import {
  createSubscriber,
  deleteSubscriber,
  getSubscriber,
  listSubscribers,
  rotateKey,
  updateSubscriber,
  webhookView,
} from "../webhooks/subscribers"
import { listing } from "./listings"
import type { Answer } from "./responses"

type Call = {
  page: Page
  params: Record<string, string>
  query: unknown
  body: unknown
  idempotencyKey?: string | undefined
}
export type Operation = (context: Context, call: Call) => Answer | Promise<Answer>

export type ServiceRoute = {
  endpoint: Endpoint
  method: "GET" | "POST" | "PATCH" | "DELETE"
  path: string
  carryOut: Operation
}

const WEBHOOKS = "/api/v1/webhooks"
const WEBHOOK = `${WEBHOOKS}/:webhookUid`

const batch = z.looseObject({ products: z.array(z.unknown()) })

/** interface §4; the paths under `/api/v1/webhooks` but the last are gap 13. */
export const OPERATIONS: ServiceRoute[] = [
  {
    endpoint: "price",
    method: "POST",
    path: "/getCampaignProductPrice/:campaignUid",
    carryOut: getCampaignProductPrice,
  },
  { endpoint: "products", method: "POST", path: "/products", carryOut: pushProducts },
  { endpoint: "process_orders", method: "POST", path: "/processOrders", carryOut: processOrders },
  {
    endpoint: "live_events",
    method: "GET",
    path: "/api/v1/liveEvents",
    carryOut: (context, call) => listEvents(context, call, "live"),
  },
  {
    endpoint: "shoppables",
    method: "GET",
    path: "/api/v1/shoppables",
    carryOut: (context, call) => listEvents(context, call, "shoppable"),
  },
  { endpoint: "webhooks", method: "POST", path: WEBHOOKS, carryOut: createWebhook },
  { endpoint: "webhooks", method: "GET", path: WEBHOOKS, carryOut: listWebhooks },
  { endpoint: "webhooks", method: "GET", path: WEBHOOK, carryOut: getWebhook },
  { endpoint: "webhooks", method: "PATCH", path: WEBHOOK, carryOut: updateWebhook },
  { endpoint: "webhooks", method: "DELETE", path: WEBHOOK, carryOut: deleteWebhook },
  {
    endpoint: "webhooks",
    method: "POST",
    path: `${WEBHOOK}/rotateSignatureKey`,
    carryOut: rotateWebhookKey,
  },
]

function getCampaignProductPrice(context: Context, { page, params, body }: Call): Answer {
  const found = campaignPrice(context, page.uid, params.campaignUid ?? "", body)
  return { status: 200, body: spelled(context, found) }
}

function pushProducts(context: Context, { page, body }: Call): Answer {
  const { products } = parse(batch, body)
  const limit = context.profiles.get("batch_limit")
  if (limit > 0 && products.length > limit) {
    throw new SandboxError(413, "batch_too_large", `At most ${limit} products in one call.`)
  }
  const form = context.profiles.get("item_errors")
  if (form === "reject_batch") {
    const bad = checkProducts(context, page.uid, products).filter(isError)
    if (bad.length > 0) {
      throw new SandboxError(422, "invalid_products", `${bad.length} products are not valid.`)
    }
  }
  const results = receiveProducts(context, page.uid, products)
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
    case "wrapped":
      return { data: { results: results.map(told) } }
    case "list":
      return results.map(told)
    default:
      return {
        results: results.map(told),
        accepted: results.length - rejected.length,
        rejected: rejected.length,
      }
  }
}

function told(item: ItemResult): unknown {
  const error = { code: "invalid_product", message: explain(item), fields: item.fields }
  return { id: item.id, status: item.status, ...(isError(item) && { error }) }
}

function isError(item: ItemResult): boolean {
  return item.status === "error"
}

function explain({ fields }: ItemResult): string {
  return fields.map(({ field, message }) => `${field}: ${message}`).join("; ")
}

function processOrders(context: Context, { page, body, idempotencyKey }: Call): Answer {
  const order = processOrder(context, page.uid, body, idempotencyKey)
  if (context.profiles.get("process_orders") === "empty") return { status: 204 }
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
function listEvents(context: Context, { page, query }: Call, kind: "live" | "shoppable"): Answer {
  return { status: 200, body: listing(context, page.uid, kind, query) }
}

function createWebhook(context: Context, { page, body }: Call): Answer {
  const subscriber = createSubscriber(context, page.uid, body)
  // Shown this once (interface §2.4).
  const key = { signatureKey: subscriber.signature_key }
  const isAlone = context.profiles.get("webhook_answers") === "key_alone"
  const view = isAlone ? key : { ...webhookView(subscriber), ...key }
  return { status: 201, body: webhookAnswer(context, view) }
}

function listWebhooks(context: Context, { page }: Call): Answer {
  const data = listSubscribers(context, page.uid).map((one) => shaped(context, webhookView(one)))
  const isItems = context.profiles.get("webhook_answers") === "items"
  const count = data.length
  return { status: 200, body: isItems ? { data: { items: data, total: count } } : { data, count } }
}

function getWebhook(context: Context, { page, params }: Call): Answer {
  const subscriber = getSubscriber(context, params.webhookUid ?? "", page.uid)
  return { status: 200, body: webhookAnswer(context, webhookView(subscriber)) }
}

function updateWebhook(context: Context, { page, params, body }: Call): Answer {
  const subscriber = updateSubscriber(context, page.uid, params.webhookUid ?? "", body)
  return { status: 200, body: webhookAnswer(context, webhookView(subscriber)) }
}

function deleteWebhook(context: Context, { page, params }: Call): Answer {
  deleteSubscriber(context, page.uid, params.webhookUid ?? "")
  return { status: 204 }
}

const ROTATION_LAG_MS = 500

async function rotateWebhookKey(context: Context, { page, params }: Call): Promise<Answer> {
  const { uid, signature_key } = rotateKey(context, page.uid, params.webhookUid ?? "")
  const rotation = context.profiles.get("rotation")
  if (rotation === "answer_late") {
    await new Promise((resolve) => setTimeout(resolve, ROTATION_LAG_MS))
  }
  const view = { webhookUid: uid, signatureKey: signature_key }
  return { status: 200, body: webhookAnswer(context, view), lost: rotation === "answer_lost" }
}

function webhookAnswer(context: Context, view: Record<string, unknown>): unknown {
  const isWrapped = context.profiles.get("webhook_answers") === "wrapped"
  return isWrapped ? { webhook: view } : shaped(context, view)
}

function shaped(context: Context, view: Record<string, unknown>): Record<string, unknown> {
  switch (context.profiles.get("webhook_answers")) {
    case "snake_case":
      return snakeCase(view)
    case "other_types":
      return otherTypes(view)
    default:
      return view
  }
}

function otherTypes({ topics, customHeaders, ...view }: Record<string, unknown>) {
  return {
    ...view,
    ...(Array.isArray(topics) ? { topics: topics.map((topic) => ({ topic })) } : {}),
    ...(Array.isArray(customHeaders)
      ? { customHeaders: Object.fromEntries(customHeaders.map(({ name, value }) => [name, value])) }
      : {}),
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
