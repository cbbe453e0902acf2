import type SvcModuleService from "./service"

/**
 * What our own code resolves from Medusa's container: the whole service. Apart from `index.ts`, because a store's code
 * resolves what `published.ts` shows of it.
 */
declare module "@medusajs/framework/types" {
  interface ModuleImplementations {
    svc: SvcModuleService
  }
}
