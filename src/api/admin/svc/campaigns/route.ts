import { CAMPAIGN_COLUMNS, campaignRevenue } from "../../../../workflows/orders"
import { readListQuery, route } from "../../../answer"
import { campaignView } from "./view"

/**
 * `GET /admin/svc/campaigns` → `{campaigns, count, limit, offset}`: orders, units, gross and net revenue per campaign
 * and currency, best sellers first; `q` searches the campaign's id and its show's name.
 */
export const GET = route(async (req, res) => {
  const { filters, config, page } = readListQuery(req.query, {
    sortable: CAMPAIGN_COLUMNS,
    filters: ["connection_id", "campaign_uid", "currency_code"],
  })
  const { campaigns, count } = await campaignRevenue(req.scope, {
    filters,
    order: config.order,
    ...page,
  })
  res.json({ campaigns: campaigns.map(campaignView), count, ...page })
})
