export type {
  Announcement,
  EventProductPayload,
  LiveEventPayload,
  ShowEvents,
  ShowsTransaction,
} from "../../modules/svc/shows"
export {
  EVENT_COLUMNS,
  EVENT_FILTERS,
  type EventWrite,
  type Oddities,
  type ProductWrite,
  readWrite,
  recordOf,
} from "../../modules/svc/shows"
export * from "./announce-changes"
export { type JudgedProduct, withReadiness } from "./judged-products"
export { forgetLiveList } from "./live-list"
export { wakePulls, workPulls } from "./pull-listings"
export { type CurrentShow, type PastShow, readOverview } from "./read-overview"
export * from "./read-shows"
export { type ShowOfProduct, showsOfProduct } from "./shows-of-product"
