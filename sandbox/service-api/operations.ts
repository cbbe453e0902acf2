/**
 * The service's operations (interface §4): what each does for the page that calls, and in which of
 * its spellings it answers. `routes.ts` puts tokens, faults and the journal around them.
 */

import { z } from "zod"
import type { Endpoint } from "../contract/endpoints"
import { errorAnswer, SandboxError } from "../contract/errors"
import { parse } from "../contract/input"
import { apiLiveEventV1, undocumented } from "../contract/payloads"
import { checkProducts, type ItemResult, pushedProduct, receiveProducts } from "../domain/catalog"
import { orderReport, orderReported, processOrder } from "../domain/orders"
import { campaignPrice, campaignPriceAnswer, priceRequest, spelled } from "../domain/prices"
import type { Context } from "../store/context"
import type { Page } from "../store/tables"
import {
  createSubscriber,
  deleteSubscriber,
  getSubscriber,
  listSubscribers,
  rotateKey,
  updateSubscriber,
  webhook,
  webhookChanges,
  webhookSettings,
  webhookView,
} from "../webhooks/subscribers"
import { listing, listingQuery } from "./listings"
import type { Answer } from "./responses"

type Call = { page: Page; params: Record<string, string>; query: unknown; body: unknown }
export type Operation = (context: Context, call: Call) => Answer | Promise<Answer>

/** Statuses that the sandbox answers: what each means, and the shape of a right answer. */
type Answers = Record<number, string | { description: string; shape: z.ZodType }>

export type ServiceRoute = {
  endpoint: Endpoint
  method: "GET" | "POST" | "PATCH" | "DELETE"
  path: string
  carryOut: Operation
  /** What the OpenAPI document says beside what follows from the schemas. */
  id: string
  summary: string
  cites: string
  /** What of it the interface does not show. */
  marks?: "x-undocumented-path" | "x-undocumented-auth"
  query?: z.ZodRawShape
  body?: z.ZodType
  answers: Answers
}

const WEBHOOKS = "/api/v1/webhooks"
const WEBHOOK = `${WEBHOOKS}/:webhookUid`
const NO_WEBHOOK = "No such subscriber of this page."
const BROKEN_RULE = "A rule of §2.4 or §6.5 is broken."

const pushResult = z
  .object({
    results: z.array(
      z.object({
        id: z.string(),
        status: z.enum(["created", "updated", "error"]),
        error: errorAnswer.shape.error.optional(),
      }),
    ),
    accepted: z.int(),
    rejected: z.int(),
  })
  .meta(undocumented("23", "Response shape and per-product result are not shown (interface §4.2)."))
const createdWebhook = webhook
  .extend({
    signatureKey: z.string().meta({ description: "Shown this once (interface §2.4)." }),
  })
  .meta({ description: "`signatureKey` is documented (interface §2.4, §4.4), the rest is not." })
const rotatedKey = z
  .object({ webhookUid: z.string(), signatureKey: z.string() })
  .meta(undocumented("13", "The rotate response body is not shown (interface §4.4)."))
const webhookList = z
  .object({ data: z.array(webhook), count: z.int() })
  .meta(undocumented("13", "The response schema is not shown (interface §4.4)."))
const eventList = z
  .object({ data: z.array(apiLiveEventV1), count: z.int() })
  .meta(undocumented("20", "The response shape is not shown (interface §4.5)."))
const batch = z.looseObject({ products: z.array(z.unknown()) })

const listingOf = (name: string, kind: "live" | "shoppable", summary: string) =>
  ({
    endpoint: kind === "live" ? "live_events" : "shoppables",
    method: "GET",
    path: `/api/v1/${name}`,
    carryOut: (context, call) => listEvents(context, call, kind),
    id: `list${name[0]?.toUpperCase()}${name.slice(1)}`,
    summary,
    cites: "§4.5",
    marks: "x-undocumented-auth",
    query: listingQuery,
    answers: {
      200: { description: "Newest first.", shape: eventList },
      400: "`limit` or `offset` is no whole number, or below 0.",
    },
  }) satisfies ServiceRoute

/** interface §4; the paths under `/api/v1/webhooks` but the last are gap 13. */
export const OPERATIONS: ServiceRoute[] = [
  {
    endpoint: "price",
    method: "POST",
    path: "/getCampaignProductPrice/:campaignUid",
    carryOut: getCampaignProductPrice,
    id: "getCampaignProductPrice",
    summary: "The campaign's price of one product",
    cites: "§4.1",
    marks: "x-undocumented-auth",
    body: priceRequest,
    answers: {
      200: { description: "The price.", shape: campaignPriceAnswer },
      400: "No productId, no variantId for a product with variants, or one for a product without.",
      404: "Unknown or closed campaign, product or variant not in it or not available.",
    },
  },
  {
    endpoint: "products",
    method: "POST",
    path: "/products",
    carryOut: pushProducts,
    id: "pushProducts",
    summary: "Import and update products",
    cites: "§4.2",
    marks: "x-undocumented-auth",
    // Each product is looked at by itself: a bad one spoils no batch.
    body: batch.extend({ products: z.array(pushedProduct) }),
    answers: {
      200: { description: "What became of each product.", shape: pushResult },
      400: "No array of products.",
      413: "Over the batch limit (profile `batch_limit`).",
    },
  },
  {
    endpoint: "process_orders",
    method: "POST",
    path: "/processOrders",
    carryOut: processOrders,
    id: "processOrders",
    summary: "Report that an order was placed",
    cites: "§4.3",
    marks: "x-undocumented-auth",
    body: orderReport,
    answers: {
      200: { description: "Converted, now or before.", shape: orderReported },
      400: "No svcOrderNumber.",
      404: "A number that was never issued to this page.",
    },
  },
  listingOf("liveEvents", "live", "Live broadcasts"),
  listingOf("shoppables", "shoppable", "Shoppables"),
  {
    endpoint: "webhooks",
    method: "POST",
    path: WEBHOOKS,
    carryOut: createWebhook,
    id: "createWebhook",
    summary: "Create a webhook subscriber",
    cites: "§4.4",
    marks: "x-undocumented-path",
    body: webhookSettings,
    answers: {
      201: { description: "With the key, shown this once.", shape: createdWebhook },
      400: BROKEN_RULE,
      409: "The page has five subscribers (§8).",
    },
  },
  {
    endpoint: "webhooks",
    method: "GET",
    path: WEBHOOKS,
    carryOut: listWebhooks,
    id: "listWebhooks",
    summary: "Webhook subscribers of the page",
    cites: "§4.4",
    marks: "x-undocumented-path",
    answers: { 200: { description: "At most five.", shape: webhookList } },
  },
  {
    endpoint: "webhooks",
    method: "GET",
    path: WEBHOOK,
    carryOut: getWebhook,
    id: "getWebhook",
    summary: "One subscriber",
    cites: "§4.4",
    marks: "x-undocumented-path",
    answers: { 200: { description: "Without the key.", shape: webhook }, 404: NO_WEBHOOK },
  },
  {
    endpoint: "webhooks",
    method: "PATCH",
    path: WEBHOOK,
    carryOut: updateWebhook,
    id: "updateWebhook",
    summary: "Change a subscriber",
    cites: "§4.4",
    marks: "x-undocumented-path",
    body: webhookChanges,
    answers: {
      200: { description: "Without the key.", shape: webhook },
      400: BROKEN_RULE,
      404: NO_WEBHOOK,
    },
  },
  {
    endpoint: "webhooks",
    method: "DELETE",
    path: WEBHOOK,
    carryOut: deleteWebhook,
    id: "deleteWebhook",
    summary: "Delete a subscriber",
    cites: "§4.4",
    marks: "x-undocumented-path",
    answers: { 204: "Deleted.", 404: NO_WEBHOOK },
  },
  {
    endpoint: "webhooks",
    method: "POST",
    path: `${WEBHOOK}/rotateSignatureKey`,
    carryOut: rotateWebhookKey,
    id: "rotateSignatureKey",
    summary: "Issue a new signature key; the previous one stops at once",
    cites: "§4.4, §5 rule 4",
    answers: { 200: { description: "The new key.", shape: rotatedKey }, 404: NO_WEBHOOK },
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
      } satisfies z.infer<typeof pushResult>
  }
}

function isError(item: ItemResult): boolean {
  return item.status === "error"
}

function explain({ fields }: ItemResult): string {
  return fields.map(({ field, message }) => `${field}: ${message}`).join("; ")
}

function processOrders(context: Context, { page, body }: Call): Answer {
  const order = processOrder(context, page.uid, body)
  if (context.profiles.get("process_orders") === "empty") return { status: 204 }
  return {
    status: 200,
    body: {
      svcOrderNumber: order.order_no,
      campaignUid: order.campaign_uid,
      status: "converted",
    } satisfies z.infer<typeof orderReported>,
  }
}

/** interface §4.5: the one lists live broadcasts only, the other shoppables only. */
function listEvents(context: Context, { page, query }: Call, kind: "live" | "shoppable"): Answer {
  return { status: 200, body: listing(context, page.uid, kind, query) }
}

function createWebhook(context: Context, { page, body }: Call): Answer {
  const subscriber = createSubscriber(context, page.uid, body)
  const view: z.infer<typeof createdWebhook> = {
    ...webhookView(subscriber),
    signatureKey: subscriber.signature_key,
  }
  return { status: 201, body: webhookAnswer(context, view) }
}

function listWebhooks(context: Context, { page }: Call): Answer {
  const data = listSubscribers(context, page.uid).map(webhookView)
  const snake = context.profiles.get("webhook_answers") === "snake_case"
  const body = { data: snake ? data.map(snakeCase) : data, count: data.length }
  return { status: 200, body }
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
  const view: z.infer<typeof rotatedKey> = { webhookUid: uid, signatureKey: signature_key }
  return { status: 200, body: webhookAnswer(context, view), lost: rotation === "answer_lost" }
}

function webhookAnswer(context: Context, view: Record<string, unknown>): unknown {
  switch (context.profiles.get("webhook_answers")) {
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
