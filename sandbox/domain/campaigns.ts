/** Campaigns: a show's own prices, in one currency, until they close. */

import { SandboxError } from "../contract/errors"
import type { Context } from "../store/context"
import type { Campaign, EventProduct, LiveEvent } from "../store/tables"

export function getCampaign(context: Context, uid: string, pageUid?: string): Campaign {
  const campaign = context.tables.campaigns.get(uid)
  if (!campaign || (pageUid !== undefined && campaign.page_uid !== pageUid)) {
    throw new SandboxError(404, "campaign_not_found", `There is no campaign "${uid}".`)
  }
  return campaign
}

/** The event that a campaign is shown in; the latest where several were. */
export function eventOfCampaign(context: Context, campaignUid: string): LiveEvent | undefined {
  let found: LiveEvent | undefined
  for (const event of context.tables.events.values()) {
    if (event.campaign_uid !== campaignUid) continue
    if (!found || found.deleted_at !== null || event.deleted_at === null) found = event
  }
  return found
}

/** By its deadline (interface §2.6), or because its event was cancelled or deleted. */
export function isClosed(context: Context, campaign: Campaign): boolean {
  if (campaign.deadline > 0 && campaign.deadline <= context.clock.now()) return true
  const event = eventOfCampaign(context, campaign.uid)
  return !event || event.deleted_at !== null || event.data.event.currentStatus === "cancelled"
}

/**
 * Whether it sells now (gap 21): a published show on air, one that is over while a deadline lies
 * ahead, or a published clip.
 */
export function isOnSale(context: Context, campaign: Campaign): boolean {
  const event = eventOfCampaign(context, campaign.uid)
  if (!event || isClosed(context, campaign) || event.internal_status !== "public") return false
  switch (event.data.event.currentStatus) {
    case "live":
    case "clip":
      return true
    case "processing":
    case "vod":
      return campaign.deadline > 0
    default:
      return false
  }
}

export function productsOfCampaign(context: Context, campaignUid: string): EventProduct[] {
  return [...context.tables.event_products.values()]
    .filter((product) => product.campaign_uid === campaignUid && product.deleted_at === null)
    .sort((a, b) => a.data.sorting - b.data.sorting)
}
