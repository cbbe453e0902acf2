import type { OrderedCampaign } from "../../../../../workflows/orders"

/** A campaign that orders came from. */
export const orderedCampaignView = (campaign: OrderedCampaign) => ({
  campaign_uid: campaign.campaign_uid,
  connection_id: campaign.connection_id,
  /** Of its show; null where it is not known. */
  name: campaign.name,
  orders: campaign.orders,
  last_placed_at: campaign.last_placed_at,
})
