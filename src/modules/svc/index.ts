import { Module } from "@medusajs/framework/utils"
import SvcModuleService from "./service"

/** Key under which the module's service is resolved: `container.resolve("svc")`. */
export const SVC_MODULE = "svc"

export default Module(SVC_MODULE, { service: SvcModuleService })
