import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import type SvcModuleService from "../../modules/svc/service"
import { ConnectionRows } from "../../modules/svc/sql/connection"
import { wakeCatalog } from "../catalog"
import { wakeReports } from "../orders"

/** A person acted and it helped: what waited for this connection is due again and is taken up at once. */
export async function resumeWork(container: MedusaContainer, connectionId: string): Promise<void> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  await new ConnectionRows(svc.database()).resume(connectionId)
  wakeCatalog(container)
  wakeReports(container)
}
