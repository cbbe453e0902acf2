import { route } from "../../../answer"
import { sendResults } from "../results/list-results"
import { campaignView } from "./view"

/**
 * `GET /admin/svc/campaigns` → `{campaigns, count, limit, offset}`: results by campaign and currency, best sellers first;
 * `q` searches the campaign's id and its show's name. With `Accept: text/csv` all of it, as a file.
 */
export const GET = route((req, res) =>
  sendResults(req, res, { name: "campaigns", view: campaignView, groupBy: "campaign" }),
)
