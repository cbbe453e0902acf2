/** Campaigns: a show's own prices, in one currency, until they close. */

import { SandboxError } from "./errors"
import type { Campaign, EventProduct, LiveEvent } from "./state"
import type { World } from "./world"

export function getCampaign(world: World, uid: string, pageUid?: string): Campaign {
  const campaign = world.tables.campaigns.get(uid)
  if (!campaign || (pageUid !== undefined && campaign.page_uid !== pageUid)) {
    throw new SandboxError(404, "campaign_not_found", `There is no campaign "${uid}".`)
  }
  return campaign
}

/** The event that a campaign is shown in; the latest where several were. */
export function eventOfCampaign(world: World, campaignUid: string): LiveEvent | undefined {
  let found: LiveEvent | undefined
  for (const event of world.tables.events.values()) {
    if (event.campaign_uid !== campaignUid) continue
    if (!found || found.deleted_at !== null || event.deleted_at === null) found = event
  }
  return found
}

/** By its deadline (interface §2.6), or because its event was cancelled or deleted. */
export function isClosed(world: World, campaign: Campaign): boolean {
  if (campaign.deadline > 0 && campaign.deadline <= world.clock.now()) return true
  const event = eventOfCampaign(world, campaign.uid)
  return !event || event.deleted_at !== null || event.data.event.currentStatus === "cancelled"
}

export function productsOfCampaign(world: World, campaignUid: string): EventProduct[] {
  return [...world.tables.event_products.values()]
    .filter((product) => product.campaign_uid === campaignUid && product.deleted_at === null)
    .sort((a, b) => a.data.sorting - b.data.sorting)
}
