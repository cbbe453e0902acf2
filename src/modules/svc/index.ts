import { Module } from "@medusajs/framework/utils"
import type { SvcModule } from "./published"
import SvcModuleService from "./service"

/** Key under which the module's service is resolved: `container.resolve(SVC_MODULE)`. */
export const SVC_MODULE = "svc"

export { STORE_STARTED } from "./service"

const svc = Module(SVC_MODULE, { service: SvcModuleService }) satisfies SvcModule
// Medusa loads a module by its default export. publint refuses one of CommonJS where an expression is assigned to it.
export default svc

export { assertManagedHere, readLastCheck, readLeftPage } from "./connections/connection-state"
export type { SetupStep } from "./connections/setup-steps"
// What workflows, api, jobs and subscribers may know of the module beside its service and their own domain's folder.
export type { ChangeKind } from "./core-tables/product-changes"
export type {
  Attribution,
  CatalogItem,
  Connection,
  Delivery,
  RefusedDelivery,
  ReportAttempt,
  Webhook,
} from "./models"
export type { ResultRow } from "./orders/result-query"
export { currencyDigits } from "./shared/currency-digits"
export { messageOf } from "./shared/error-message"
export { type Reason, readReason, reasonFor, reasonOfRow } from "./shared/reason"
export { REFUSALS, type RefusalCode, refusalCode, refusalOf, SvcRefusal } from "./shared/refusal"
export type { EventQuery, KnownEvent, KnownEventProduct } from "./shows/show-queries"
export type { ListedDelivery } from "./webhooks/delivery-list"
export type { SvcModuleService }
