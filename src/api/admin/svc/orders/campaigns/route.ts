import { z } from "zod"
import { SVC_MODULE } from "../../../../../modules/svc"
import { readInput } from "../../../../../workflows/shared"
import { route } from "../../../../answer"
import { orderedCampaignView } from "./view"

/** As many as people can choose from; they search among them. */
const LATEST = 100

const uid = z.string().max(200)
const query = z.strictObject({
  campaign_uid: z
    .union([uid, z.array(uid).max(LATEST)])
    .transform((value) => [value].flat())
    .optional(),
})

/**
 * `GET /admin/svc/orders/campaigns` → `{campaigns: [{campaign_uid, connection_id, name, orders, last_placed_at}]}`: the 100
 * campaigns that orders came from last. Those named by `campaign_uid` are among them, however long ago that was.
 */
export const GET = route(async (req, res) => {
  const { attributionList } = req.scope.resolve(SVC_MODULE).orders
  const { campaign_uid = [] } = readInput(query, req.query)
  const campaigns = await attributionList.campaigns(campaign_uid, LATEST)
  res.json({ campaigns: campaigns.map(orderedCampaignView) })
})
