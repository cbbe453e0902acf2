/**
 * What the player in the shopper's browser asks for. The interface does not show how the real player
 * talks to the service, so these calls are the sandbox's own. They need no token and answer every
 * origin, because the shop's page lives on another one.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { SandboxError } from "../contract/errors"
import { readJson } from "../contract/input"
import { eventOfCampaign, getCampaign, productsOfCampaign } from "../domain/campaigns"
import { issueOrderNumber } from "../domain/orders"
import { givesPrices } from "../domain/prices"
import { logPlayerCall } from "../service-api/routes"
import type { Context } from "../store/context"
import { loggedHeaders } from "../store/journal"
import type { Campaign, EventProduct, LiveEvent } from "../store/tables"

export function playerApi(app: FastifyInstance, context: Context): void {
  const begun = new WeakMap<FastifyRequest, { at: number; started: number }>()
  app.addHook("onSend", async (request, reply, payload) => {
    const begin = begun.get(request)
    if (!begin) return
    const body = Buffer.from(typeof payload === "string" ? payload : "")
    const headers = loggedHeaders(Object.entries(reply.getHeaders()))
    logPlayerCall(context, request, { status: reply.statusCode, headers, body }, begin)
  })
  app.addHook("onRequest", async (request, reply) => {
    if (!request.url.startsWith("/player")) return
    if (/^\/player-api\/(show|checkout)/.test(request.url) && request.method !== "OPTIONS") {
      begun.set(request, { at: context.clock.now(), started: performance.now() })
    }
    reply.header("access-control-allow-origin", "*")
    reply.header("access-control-allow-headers", "content-type")
    reply.header("access-control-allow-methods", "GET, POST, OPTIONS")
  })
  app.options("/player-api/*", async (_request, reply) => reply.code(204).send())

  app.get("/player-api/show", async (request) => {
    const { page_uid = "", campaign_uid } = request.query as Record<string, string>
    const event = campaign_uid ? shown(context, page_uid, campaign_uid) : running(context, page_uid)
    if (!event) throw new SandboxError(404, "no_show", "There is no show to play.")
    return show(context, event)
  })

  app.post("/player-api/checkout", async (request: FastifyRequest, reply: FastifyReply) => {
    const { order_no } = issueOrderNumber(context, readJson(request))
    reply.code(201)
    return { order_no }
  })
}

function shown(context: Context, pageUid: string, campaignUid: string): LiveEvent | undefined {
  const campaign = getCampaign(context, campaignUid, pageUid || undefined)
  const event = eventOfCampaign(context, campaign.uid)
  return event?.deleted_at === null ? event : undefined
}

/** The live event that is on now and public; the latest to start where there are several. */
function running(context: Context, pageUid: string): LiveEvent | undefined {
  return [...context.tables.events.values()]
    .filter(
      (event) =>
        event.page_uid === pageUid &&
        event.deleted_at === null &&
        event.internal_status === "public" &&
        event.data.event.currentStatus === "live",
    )
    .sort((a, b) => b.data.event.liveStartTime - a.data.event.liveStartTime)[0]
}

export type Show = ReturnType<typeof show>

function show(context: Context, event: LiveEvent) {
  const campaign = getCampaign(context, event.campaign_uid)
  const { eventName, currentStatus, coverPhotoPath } = event.data.event
  return {
    event: {
      id: event.id,
      campaign_uid: event.campaign_uid,
      page_uid: event.page_uid,
      name: eventName,
      status: currentStatus,
      cover: coverPhotoPath,
      currency: campaign.currency,
      deadline: campaign.deadline || null,
      /**
       * Milliseconds by the sandbox's clock, which is not that of the page; null where there is no deadline ahead, and
       * while the clock stands: nobody can say when the deadline comes.
       */
      closes_in_ms: closesIn(context, campaign),
      sells: givesPrices(context, campaign),
    },
    products: productsOfCampaign(context, event.campaign_uid).map(card),
  }
}

function closesIn({ clock }: Context, { deadline }: Campaign): number | null {
  const left = deadline - clock.now()
  return clock.running && left > 0 ? left : null
}

function card({ data, external_id }: EventProduct) {
  return {
    uid: data.uid,
    external_id,
    sku: data.sku,
    name: data.name,
    image: data.image?.url ?? data.images?.[0]?.url ?? null,
    url: data.url,
    price: data.price,
    suggested_retail_price: data.suggestedRetailPrice,
    available: data.available,
    min_purchase_qty: data.minPurchaseQty ?? null,
    max_qty_per_customer: data.maxQtyPerCustomer ?? null,
    default_quantity_to_add: data.defaultQuantityToAdd ?? null,
    variants: (data.variants ?? []).map((variant) => ({
      external_id: variant.externalId,
      sku: variant.sku,
      names: variant.variantNames,
      price: variant.price ?? data.price,
    })),
  }
}
