import type { MedusaContainer } from "@medusajs/framework/types"
import { type Connection, refusalCode, SVC_MODULE } from "../../modules/svc"
import { changesCatalog } from "../../modules/svc/catalog/settings"
import { startImport } from "./imports"
import { wakeCatalog } from "./worker"

/**
 * After a person changed a connection: where payloads read differently now, or somebody else reads them, everything is
 * compared. What was sent under the old settings is found, wherever an import stands that is under way.
 */
export async function connectionChanged(
  container: MedusaContainer,
  before: Connection,
  after: Connection,
): Promise<void> {
  if (!changesCatalog(before, after)) return
  const svc = container.resolve(SVC_MODULE)
  await svc.pace.resume(after.id)
  try {
    await startImport(container, after.id)
  } catch (error) {
    if (refusalCode(error) !== "sync_running") throw error
    wakeCatalog(container, await svc.walks.openCompare([after.id]))
  }
}
