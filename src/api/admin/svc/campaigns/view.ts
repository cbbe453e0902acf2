import type { CampaignRevenue } from "../../../../workflows/orders"

/** What a campaign sold in one currency; amounts in major units with VAT. */
export const campaignView = (campaign: CampaignRevenue) => ({
  campaign_uid: campaign.campaign_uid,
  connection_id: campaign.connection_id,
  event_id: campaign.event_id,
  name: campaign.name,
  currency_code: campaign.currency_code,
  orders: campaign.orders,
  units: campaign.units,
  gross: campaign.gross,
  refunded: campaign.refunded,
  net: campaign.net,
  conversion_rate: campaign.conversion_rate,
})
