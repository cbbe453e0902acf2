import { campaignRevenue } from "../../../../workflows/orders"
import { readListQuery, route } from "../../../answer"

/**
 * `GET /admin/svc/campaigns` → `{campaigns, count, limit, offset}`: orders, units, gross and net revenue per campaign
 * and currency, best sellers first. Filters: `connection_id`, `campaign_uid`.
 */
export const GET = route(async (req, res) => {
  const { where, page } = readListQuery(req.query, {
    sortable: ["gross"],
    filters: ["connection_id", "campaign_uid"],
  })
  const { campaigns, count } = await campaignRevenue(
    req.scope,
    { connectionIds: where.connection_id, campaignUids: where.campaign_uid },
    page,
  )
  res.json({ campaigns, count, ...page })
})
