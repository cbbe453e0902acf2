import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { wakeCatalog } from "../catalog"
import { wakeReports } from "../orders"

/**
 * Makes everything due that waited for this connection, and wakes the workers. For when a person entered a token that
 * works.
 */
export async function resumeWork(container: MedusaContainer, connectionId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  await svc.connections.resume(connectionId)
  wakeCatalog(container, [connectionId])
  wakeReports(container)
}
