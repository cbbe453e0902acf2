import type { ResultRow } from "../../../../workflows/orders"
import { resultView } from "../results/view"

/** What a campaign sold in one currency: the fields of a result. */
export const campaignView = (row: ResultRow) => {
  const { product_id, period, campaign_uid, connection_id, ...result } = resultView(row)
  // Grouped by campaign, both are always there.
  return { ...result, campaign_uid: campaign_uid ?? "", connection_id: connection_id ?? "" }
}
