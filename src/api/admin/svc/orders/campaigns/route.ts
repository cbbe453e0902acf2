import { z } from "zod"
import { SVC_MODULE } from "../../../../../modules/svc"
import { readInput } from "../../../../../workflows/shared"
import { filtersOf, route } from "../../../../answer"

/** As many as people can choose from; they search among them. */
const LATEST = 100

const query = z.strictObject(filtersOf("campaign_uid"))

/**
 * `GET /admin/svc/orders/campaigns` → `{campaigns: [{campaign_uid, connection_id, name, orders, last_placed_at}]}`: the 100
 * campaigns that orders came from last. Those named by `campaign_uid` are among them, however long ago that was.
 */
export const GET = route(async (req, res) => {
  const { attributionList } = req.scope.resolve(SVC_MODULE).orders
  const { campaign_uid = [] } = readInput(query, req.query)
  const campaigns = await attributionList.campaigns(campaign_uid, LATEST)
  res.json({ campaigns })
})
