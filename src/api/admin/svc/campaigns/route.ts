import { SVC_MODULE } from "../../../../modules/svc"
import { route } from "../../../answer"
import { sendCsv, wantsCsv } from "../../../csv"
import { RESULT_CSV, readResultQuery, resultPages } from "../results/list-results"
import { campaignView } from "./view"

/**
 * `GET /admin/svc/campaigns` → `{campaigns, count, limit, offset}`: results by campaign and currency, best sellers first;
 * `q` searches the campaign's id and its show's name. With `Accept: text/csv` all of it, as a file.
 */
export const GET = route(async (req, res) => {
  const query = readResultQuery(req, "campaign")
  if (wantsCsv(req)) return sendCsv(req, res, "campaigns", RESULT_CSV, resultPages(req, query))
  const { rows, count } = await req.scope.resolve(SVC_MODULE).orders.results.list(query)
  res.json({
    campaigns: rows.map(campaignView),
    count,
    limit: query.limit,
    offset: query.offset,
  })
})
