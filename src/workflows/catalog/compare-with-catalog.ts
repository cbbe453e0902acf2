import type { MedusaContainer } from "@medusajs/framework/types"
import { refusalCode, SVC_MODULE } from "../../modules/svc"
import { startImport } from "./imports"
import { wakeCatalog } from "./worker"

/**
 * Has every product of a connection compared with what the service got, after its settings changed: by an import, or,
 * where one is running, by a second pass over the catalog, because the running one has sent a part under the old
 * settings.
 *
 * @param moved it has another page or address now: nothing that was said before concerns it
 * @returns whether an import was started
 */
export async function compareWithCatalog(
  container: MedusaContainer,
  connectionId: string,
  { moved }: { moved: boolean },
): Promise<boolean> {
  const svc = container.resolve(SVC_MODULE)
  await svc.connections.holds.resume(connectionId, { moved })
  try {
    await startImport(container, connectionId)
    return true
  } catch (error) {
    if (refusalCode(error) !== "sync_running") throw error
    wakeCatalog(container, await svc.catalog.walks.openCompare([connectionId]))
    return false
  }
}
