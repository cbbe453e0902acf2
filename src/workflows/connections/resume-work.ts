import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import type { Asked } from "../../modules/svc/connections"
import { wakeCatalog } from "../catalog"
import { wakeReports } from "../orders"
import { wakePulls } from "../shows"

/**
 * Makes everything due that waited for this connection, and wakes the workers.
 *
 * @param asked who answered that all is well; null where a person has just entered a token, whatever it is
 */
export async function resumeWork(
  container: MedusaContainer,
  connectionId: string,
  asked: Asked | null,
): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  if (!(await svc.connections.rows.resume(connectionId, asked))) return
  wakeCatalog(container, [connectionId])
  wakeReports(container)
  wakePulls(container, [connectionId])
}
