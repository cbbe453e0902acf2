/** What the package `svc-sandbox` gives to tests and scripts. */

export { type ControlClient, ControlError, createControlClient } from "./client/control-client"
export type {
  ClockView,
  DeliverySummary,
  DeliveryView,
  EventProductView,
  EventView,
  ProductView,
  SubscriberView,
} from "./control-api/views"
export type { EventProductInput } from "./domain/event-products"
export type { EventInput } from "./domain/events"
export {
  type CheckOptions,
  type CheckReport,
  check,
  type Finding,
  type ShopDriver,
  type ShopState,
  type Verdict,
} from "./referee"
export { type Sandbox, type SandboxOptions, startSandbox } from "./server"
export type { FaultInput } from "./simulation/faults"
export type { ProfileSettings } from "./simulation/profiles"
export type { JournalEntry } from "./store/journal"
export { type SignedHeaders, signDelivery } from "./webhooks/signing"
