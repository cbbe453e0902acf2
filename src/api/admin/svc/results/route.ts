import { SVC_MODULE } from "../../../../modules/svc"
import { route } from "../../../answer"
import { sendCsv, wantsCsv } from "../../../csv"
import { RESULT_CSV, readResultQuery, resultPages } from "./list-results"
import { resultView } from "./view"

/**
 * `GET /admin/svc/results?group_by=campaign|event|product|day|hour|currency` → `{results, count, limit, offset}`: what shows
 * earned, from the ledger, in each currency for itself; by `currency`, the totals. `from` and `to` (before) narrow the
 * time; days and hours begin by `timezone` (UTC). With `Accept: text/csv` all of it, as a file.
 */
export const GET = route(async (req, res) => {
  const query = readResultQuery(req)
  if (wantsCsv(req)) return sendCsv(req, res, "results", RESULT_CSV, resultPages(req, query))
  const { rows, count } = await req.scope.resolve(SVC_MODULE).orders.results.list(query)
  res.json({
    results: rows.map(resultView),
    count,
    limit: query.limit,
    offset: query.offset,
  })
})
