import { type FittingMarket, marketProblem } from "../../../../modules/svc"

/** A sales channel and a region; `reason` is null where they go together. */
export const marketView = (market: FittingMarket) => ({
  sales_channel_id: market.sales_channel_id,
  region_id: market.region_id,
  currency_code: market.currency_code,
  reason: marketProblem(market),
})
