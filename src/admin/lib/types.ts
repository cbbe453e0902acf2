/**
 * What the plugin's admin routes answer, derived from the functions that build the answers. Only types are imported: none
 * of the server's code reaches the browser.
 */
import type { campaignView } from "../../api/admin/svc/campaigns/view"
import type { ConnectionCheck as CheckAnswer } from "../../api/admin/svc/connections/[id]/check/view"
import type { OpenFeed } from "../../api/admin/svc/connections/[id]/feed/view"
import type { setupView } from "../../api/admin/svc/connections/[id]/setup/view"
import type { Preview as PreviewAnswer } from "../../api/admin/svc/connections/[id]/sync/preview/view"
import type { Sync as SyncAnswer } from "../../api/admin/svc/connections/[id]/sync/view"
import type { testView } from "../../api/admin/svc/connections/[id]/webhook/[action]/view"
import type { findingView } from "../../api/admin/svc/connections/[id]/webhook/doctor/view"
import type { webhookView } from "../../api/admin/svc/connections/[id]/webhook/view"
import type {
  CreateConnectionInput,
  connectionView,
  WebhookLeft,
} from "../../api/admin/svc/connections/view"
import type {
  DeliveryTopic,
  deliveryDetail,
  deliveryView,
} from "../../api/admin/svc/deliveries/view"
import type { Health as HealthAnswer } from "../../api/admin/svc/health/view"
import type { liveEventDetail, liveEventListView } from "../../api/admin/svc/live-events/view"
import type { OrderedCampaign as CampaignAnswer } from "../../api/admin/svc/orders/campaigns/view"
import type { orderDetail, orderView } from "../../api/admin/svc/orders/view"
import type { currentShowView, pastShowView } from "../../api/admin/svc/overview/view"
import type { ReasonCount as ReasonAnswer } from "../../api/admin/svc/products/reasons/view"
import type { showOfProductView } from "../../api/admin/svc/products/shows/view"
import type {
  absentProductView,
  productListView,
  singleProductView,
} from "../../api/admin/svc/products/view"
import type { resultView } from "../../api/admin/svc/results/view"

/** A value as JSON carries it: dates travel as ISO 8601 text in UTC. */
type Json<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [Key in keyof T]: Json<T[Key]> }
      : T

/** The JSON that a view's answer arrives as. */
type Answer<View extends (...input: never[]) => unknown> = Json<Awaited<ReturnType<View>>>

export type Page = { count: number; limit: number; offset: number }

export type Connection = Answer<typeof connectionView>
/** An absent or empty token keeps the stored one. */
export type ConnectionInput = Omit<CreateConnectionInput, "api_token"> & { api_token?: string }
/** Beside the answer to a change or a deletion: the webhook that is still at the service. */
export type Left = { webhook_left: WebhookLeft | null }
/** What a product can belong to, and be chosen by. */
export type RuleKind = "category_ids" | "collection_ids" | "tag_ids" | "type_ids"
/** An opened feed, with the password that is shown once. */
export type Feed = Json<OpenFeed>
export type ConnectionCheck = Json<CheckAnswer>

export type Setup = Answer<typeof setupView>
export type SetupStep = Setup["steps"][number]
export type SetupState = SetupStep["state"]

export type Sync = Json<SyncAnswer>
export type SyncStatus = Sync["status"]

/** What an import would send. */
export type Preview = Json<PreviewAnswer>

export type Finding = Answer<typeof findingView>
export type TestDelivery = Answer<typeof testView>
export type Webhook = Answer<typeof webhookView>

export type SyncedProduct = Answer<typeof productListView>
/** What is answered about one product of the store. */
export type ProductAnywhere = SyncedProduct | Answer<typeof absentProductView>
export type SyncedProductDetail = Answer<typeof singleProductView>
export type ProductState = SyncedProduct["state"]
/** Why something is not as it should be, and what to do: for a merchant. */
export type Reason = NonNullable<SyncedProduct["reason"]>

export type ShowOfProduct = Answer<typeof showOfProductView>
export type ReasonCount = Json<ReasonAnswer>

export type Delivery = Answer<typeof deliveryView>
export type DeliveryDetail = Answer<typeof deliveryDetail>
export type DeliveryOutcome = Delivery["outcome"]
export type { DeliveryTopic }

export type LiveEvent = Answer<typeof liveEventListView>
export type LiveEventDetail = Answer<typeof liveEventDetail>
export type EventProduct = LiveEventDetail["products"][number]

export type CurrentShow = Answer<typeof currentShowView>
export type PastShow = Answer<typeof pastShowView>

export type Result = Answer<typeof resultView>

export type AttributedOrder = Answer<typeof orderView>
export type AttributedOrderDetail = Answer<typeof orderDetail>
export type AttemptOutcome = AttributedOrderDetail["report_attempts"][number]["outcome"]
export type OrderedCampaign = Json<CampaignAnswer>
export type OrderState = AttributedOrder["state"]

export type Campaign = Answer<typeof campaignView>

export type Health = Json<HealthAnswer>
export type HealthProblem = Health["problems"][number]

const OF = [
  "live_event",
  "shoppable_event",
  "live_event_product",
  "shoppable_event_product",
] as const
const WHAT = ["created", "updated", "deleted"] as const

/** Topics of changes (interface §6.2); whatever else comes is kept as unknown. */
export const CHANGES: DeliveryTopic[] = OF.flatMap((of) =>
  WHAT.map((what) => `${of}.${what}` as const),
)
