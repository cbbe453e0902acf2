/**
 * What TypeScript shows of the module to a store that installs the plugin: `medusa-plugin-svc/modules/svc` has these types
 * in place of our own (`tools/package/declarations.ts`), so that our inside can change without breaking a store's build.
 * `service.ts` and `index.ts` are checked against them.
 */
import type { Constructor } from "@medusajs/framework/types"
import type {
  MedusaServiceReturnType,
  ModelConfigurationsToConfigTemplate,
  Module,
} from "@medusajs/framework/utils"
import type {
  SvcAttribution,
  SvcCartOrderNumber,
  SvcCatalogImport,
  SvcCatalogItem,
  SvcConnection,
  SvcDelivery,
  SvcEventProduct,
  SvcLedgerEntry,
  SvcLinePrice,
  SvcLiveEvent,
  SvcReportAttempt,
  SvcWebhook,
} from "./models"

/** The records that a store's own code may read. The others are how the plugin works: pace, cursors, counts. */
type Records = {
  readonly SvcConnection: typeof SvcConnection
  readonly SvcCatalogItem: typeof SvcCatalogItem
  readonly SvcCatalogImport: typeof SvcCatalogImport
  readonly SvcWebhook: typeof SvcWebhook
  readonly SvcDelivery: typeof SvcDelivery
  readonly SvcLiveEvent: typeof SvcLiveEvent
  readonly SvcEventProduct: typeof SvcEventProduct
  readonly SvcCartOrderNumber: typeof SvcCartOrderNumber
  readonly SvcLinePrice: typeof SvcLinePrice
  readonly SvcAttribution: typeof SvcAttribution
  readonly SvcReportAttempt: typeof SvcReportAttempt
  readonly SvcLedgerEntry: typeof SvcLedgerEntry
}

type Generated = InstanceType<MedusaServiceReturnType<ModelConfigurationsToConfigTemplate<Records>>>

/**
 * The module's service, `container.resolve("svc")`: `list`, `listAndCount` and `retrieve` of each record, as Medusa makes
 * them. Write through the workflows of `medusa-plugin-svc/workflows`: a row that is written past them may miss what the
 * plugin keeps beside it.
 */
export type SvcModuleService = {
  [Method in keyof Generated as Method extends `${"list" | "retrieve"}${string}`
    ? Method
    : never]: Generated[Method]
}

/** The module for Medusa, and its records for links of your own: `module.linkable.svcConnection`. */
export type SvcModule = ReturnType<
  typeof Module<"svc", Constructor<SvcModuleService> & { $modelObjects: Records }>
>
