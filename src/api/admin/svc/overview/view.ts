import type { CurrentShow, PastShow } from "../../../../workflows/shows"
import { campaignView } from "../campaigns/view"
import { liveEventListView } from "../live-events/view"

/** A show that runs or comes. `not_ready` of its `product_count` products cannot be bought, `warned` should be looked at. */
export const currentShowView = ({ event, products, notReady, warned, results }: CurrentShow) => ({
  ...liveEventListView(event, products),
  not_ready: notReady,
  warned,
  /** What was sold, in each currency. */
  results: results.map(campaignView),
})

/** A show that is over, and what it earned in each currency. */
export const pastShowView = ({ event, results }: PastShow) => ({
  id: event.id,
  name: event.name,
  connection_id: event.connection_id,
  campaign_uid: event.campaign_uid,
  live_ended_at: event.live_ended_at,
  results: results.map(campaignView),
})
