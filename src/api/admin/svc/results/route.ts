import { route } from "../../../answer"
import { sendResults } from "./list-results"
import { resultView } from "./view"

/**
 * `GET /admin/svc/results?group_by=campaign|event|product|day|hour|currency` → `{results, count, limit, offset}`: what shows
 * earned, from the ledger, in each currency for itself; by `currency`, the totals. `from` and `to` (before) narrow the
 * time; days, theirs too, and hours begin by `timezone` (UTC). With `Accept: text/csv` all of it, as a file.
 */
export const GET = route((req, res) => sendResults(req, res, { name: "results", view: resultView }))
