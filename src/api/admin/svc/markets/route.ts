import { SVC_MODULE } from "../../../../modules/svc"
import { route } from "../../../answer"
import { marketView } from "./view"

/** `GET /admin/svc/markets` → `{markets}`: every sales channel with every region, and why a pair does not fit. */
export const GET = route(async (req, res) => {
  const markets = await req.scope.resolve(SVC_MODULE).connections.marketFits.read(null)
  res.json({ markets: markets.map(marketView) })
})
