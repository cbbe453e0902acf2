export type { OrderedCampaign } from "../../../../../workflows/orders"
