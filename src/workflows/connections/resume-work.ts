import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { wakeCatalog } from "../catalog"
import { wakeReports } from "../orders"

/** A person acted and it helped: what waited for this connection is due again and is taken up at once. */
export async function resumeWork(container: MedusaContainer, connectionId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  await svc.connections.resume(connectionId)
  wakeCatalog(container, [connectionId])
  wakeReports(container)
}
