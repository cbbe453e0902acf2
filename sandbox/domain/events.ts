/**
 * Live events and shoppables: the state machine of interface §3.1 and the payload of §2.6.
 *
 * ```
 *   planned --start--> live --end--> processing --complete--> vod
 *      |                |                                      ^
 *      +----cancel------+--> cancelled            move (own)   v
 *                                                  shoppable: clip
 * ```
 *
 * The interface shows the upper row only; `cancel` and `move` are decisions of the sandbox
 * ("transitions involving cancelled and clip: not shown"). Every other move is refused.
 */

import { isDeepStrictEqual } from "node:util"
import { z } from "zod"
import { bareEvent } from "../contract/bare-payloads"
import { SandboxError } from "../contract/errors"
import { currency, identifier, parse, time } from "../contract/input"
import type { EventStatus } from "../contract/interface"
import { vat } from "../contract/payloads"
import { shaped } from "../simulation/identifiers"
import type { Context } from "../store/context"
import type { LiveEvent } from "../store/tables"
import { announceEvent, announceProduct } from "./announcements"
import { eventOfCampaign, getCampaign } from "./campaigns"
import { getEventToChange, productsOfEvent } from "./event-lookups"
import { getPage } from "./pages"

const eventChanges = z.strictObject({
  name: z.string().min(1).optional(),
  name_short: z.string().optional(),
  description: z.string().optional(),
  starts_at: time.optional(),
  is_published: z.boolean().optional(),
  deadline: time.nullish(),
  currency: currency.optional(),
  vat: vat.optional(),
  cover: z.string().optional(),
  cover_portrait: z.string().optional(),
  video_cover: z.string().optional(),
  tags: z.array(z.string()).optional(),
  category: z.string().optional(),
  animation: z.string().optional(),
  shoppable_groups: z.array(z.string()).optional(),
  video_meta_data: z
    .object({ width: z.number(), height: z.number(), orientation: z.string() })
    .nullish(),
})
type Details = z.output<typeof eventChanges>

const eventCreation = eventChanges.extend({
  page_uid: z.string(),
  kind: z.enum(["live", "shoppable"]),
  name: z.string().min(1),
  campaign_uid: identifier.optional(),
})

export type EventInput = z.input<typeof eventCreation>
export type EventChanges = z.input<typeof eventChanges>

export function createEvent(context: Context, body: unknown): LiveEvent {
  const { page_uid, kind, campaign_uid, ...rest } = parse(eventCreation, body)
  const page = getPage(context, page_uid)
  const { random, tables, clock } = context
  const now = clock.now()
  const campaignUid = campaign_uid ?? shaped(context, random.id("cmp"))
  const known = tables.campaigns.get(campaignUid)
  if (known && (known.page_uid !== page_uid || hasEvent(context, campaignUid))) {
    throw new SandboxError(409, "campaign_taken", `Campaign "${campaignUid}" has an event already.`)
  }
  tables.campaigns.set(campaignUid, {
    uid: campaignUid,
    page_uid,
    currency: page.currency,
    vat: page.vat,
    deadline: 0,
  })

  const id = random.id("event")
  const bare = bareEvent({ id, campaignId: campaignUid, name: rest.name })
  const event: LiveEvent = {
    id,
    kind,
    page_uid,
    campaign_uid: campaignUid,
    created_at: now,
    deleted_at: null,
    internal_status: "public",
    announced: [],
    data: {
      ...bare,
      event: {
        ...bare.event,
        eventStartTimestamp: now,
        currentStatus: kind === "live" ? "planned" : "clip",
        coverPhotoPath: `${context.url}/_sandbox/covers/${id}.svg`,
        coverPhotoPortraitModePath: `${context.url}/_sandbox/covers/${id}.svg?portrait=1`,
        liveVideoCover: `${context.url}/_sandbox/covers/${id}.svg`,
        cdnMp4VideoUrl: kind === "live" ? "" : videoUrl(id),
      },
    },
  }
  apply(context, event, rest)
  tables.events.set(id, event)
  announceEvent(context, event, "created")
  return event
}

export function updateEvent(context: Context, id: string, body: unknown): LiveEvent {
  const event = getEventToChange(context, id)
  apply(context, event, parse(eventChanges, body))
  announceEvent(context, event, "updated")
  return event
}

/** Its products are deleted first, each with a delivery. Each delivery carries the last snapshot (interface §2.6). */
export function deleteEvent(context: Context, id: string): LiveEvent {
  const event = getEventToChange(context, id)
  for (const product of productsOfEvent(context, event.id)) {
    product.deleted_at = context.clock.now()
    announceProduct(context, product, "deleted")
  }
  event.deleted_at = context.clock.now()
  announceEvent(context, event, "deleted")
  return event
}

/** interface §3.1: the broadcast starts. */
export function startEvent(context: Context, id: string): LiveEvent {
  return move(context, id, ["planned"], "live", (event) => {
    event.data.event.liveStartTime = context.clock.now()
  })
}

/** interface §3.1: the broadcast ends. */
export function endEvent(context: Context, id: string): LiveEvent {
  return move(context, id, ["live"], "processing", (event) => {
    event.data.event.liveEndTime = context.clock.now()
  })
}

const completion = z.strictObject({ video_url: z.string().min(1).optional() })

/** interface §3.1: VOD processing completes. */
export function completeEvent(context: Context, id: string, body: unknown): LiveEvent {
  const { video_url } = parse(completion, body)
  return move(context, id, ["processing"], "vod", (event) => {
    event.data.event.cdnMp4VideoUrl = video_url ?? videoUrl(event.id)
  })
}

export function cancelEvent(context: Context, id: string): LiveEvent {
  return move(context, id, ["planned", "live"], "cancelled", () => undefined)
}

const relocation = z.strictObject({
  kind: z.enum(["live", "shoppable"]),
  announce: z.enum(["updated", "deleted_created"]).default("updated"),
})
export type Relocation = z.input<typeof relocation>

/** A recording becomes a shoppable or the reverse, and its topics follow (interface §3.1, gap 6). */
export function moveEvent(context: Context, id: string, body: unknown): LiveEvent {
  const event = getEventToChange(context, id)
  const { kind, announce } = parse(relocation, body)
  const from = kind === "shoppable" ? "vod" : "clip"
  if (event.data.event.currentStatus !== from) throw illegal(event, `be moved to "${kind}"`)
  const products = productsOfEvent(context, event.id)
  // Topics follow the status, so each goes under its old family and comes under its new one.
  if (announce === "deleted_created") {
    for (const product of products) announceProduct(context, product, "deleted")
    announceEvent(context, event, "deleted")
  }
  event.kind = kind
  event.data.event.currentStatus = kind === "shoppable" ? "clip" : "vod"
  announceEvent(context, event, announce === "updated" ? "updated" : "created")
  if (announce === "deleted_created") {
    for (const product of products) announceProduct(context, product, "created")
  }
  return event
}

function move(
  context: Context,
  id: string,
  from: EventStatus[],
  to: EventStatus,
  change: (event: LiveEvent) => void,
): LiveEvent {
  const event = getEventToChange(context, id)
  if (!from.includes(event.data.event.currentStatus)) throw illegal(event, `become "${to}"`)
  event.data.event.currentStatus = to
  change(event)
  announceEvent(context, event, "updated")
  return event
}

function illegal(event: LiveEvent, what: string): SandboxError {
  const status = event.data.event.currentStatus
  return new SandboxError(
    409,
    "illegal_transition",
    `An event that is "${status}" cannot ${what} (interface §3.1).`,
  )
}

function apply(context: Context, event: LiveEvent, changes: Details): void {
  const campaign = getCampaign(context, event.campaign_uid)
  const { currency = campaign.currency, vat = campaign.vat } = changes
  for (const product of productsOfEvent(context, event.id)) {
    // A product that was given a currency or VAT of its own keeps it.
    if (product.currency === campaign.currency) product.currency = currency
    if (isDeepStrictEqual(product.vat, campaign.vat)) product.vat = vat
  }
  Object.assign(campaign, { currency, vat })
  if (changes.deadline !== undefined) campaign.deadline = changes.deadline ?? 0
  if (changes.is_published !== undefined) {
    event.internal_status = changes.is_published ? "public" : "draft"
  }
  const data = event.data.event
  if (changes.name !== undefined) {
    // The short name follows the name until someone gives it one of its own.
    if (data.eventNameShort === data.eventName) data.eventNameShort = changes.name
    data.eventName = changes.name
  }
  if (changes.video_meta_data) data.videoMetaData = changes.video_meta_data
  if (changes.video_meta_data === null) delete data.videoMetaData
  data.eventNameShort = changes.name_short ?? data.eventNameShort
  data.description = changes.description ?? data.description
  data.eventStartTimestamp = changes.starts_at ?? data.eventStartTimestamp
  data.coverPhotoPath = changes.cover ?? data.coverPhotoPath
  data.coverPhotoPortraitModePath = changes.cover_portrait ?? data.coverPhotoPortraitModePath
  data.liveVideoCover = changes.video_cover ?? data.liveVideoCover
  data.tags = changes.tags ?? data.tags
  data.category = changes.category ?? data.category
  data.animation = changes.animation ?? data.animation
  data.shoppableGroups = changes.shoppable_groups ?? data.shoppableGroups
}

function hasEvent(context: Context, campaignUid: string): boolean {
  const event = eventOfCampaign(context, campaignUid)
  return event !== undefined && event.deleted_at === null
}

function videoUrl(id: string): string {
  return `https://cdn.svc.example/vod/${id}.mp4`
}
