export type {
  Announcement,
  EventProductPayload,
  LiveEventPayload,
  ShowEvents,
} from "../../modules/svc/shows/announcements"
export type { Difference } from "../../modules/svc/shows/listing-writer"
export type { ShowsTransaction, WriteOutcome } from "../../modules/svc/shows/projection-writer"
export { PULL_CAUSES } from "../../modules/svc/shows/pull-rows"
export {
  type EventWrite,
  type Oddities,
  type ProductWrite,
  readWrite,
} from "../../modules/svc/shows/read-write"
export { EVENT_COLUMNS, EVENT_FILTERS } from "../../modules/svc/shows/show-queries"
export * from "./announce-changes"
export { wakeCurrencies, workCurrencies } from "./ask-currencies"
export { cachedLiveList, forgetLiveList } from "./live-list"
export { wakePulls, workPulls } from "./pull-listings"
export { type CurrentShow, type PastShow, readOverview } from "./read-overview"
export * from "./read-shows"
export { type ProductReadiness, readReadiness } from "./readiness"
export { type ShowOfProduct, showsOfProduct } from "./shows-of-product"
