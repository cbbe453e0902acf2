import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { wakeCatalog } from "./worker"

/**
 * Has every product of a connection compared with what the service got, after its settings changed: by an import, or by a
 * comparison where one is open, because it has sent a part under the old settings, and where nobody has asked for one
 * yet or somebody has cancelled it, because settings are no order to send a whole catalog.
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
  const { walks } = svc.catalog
  await svc.connections.holds.resume(connectionId, { moved })
  const latest = await walks.latestImport(connectionId)
  const isWanted = latest !== null && latest.status !== "cancelled"
  const opened = isWanted && (await walks.openImport(connectionId, false))
  wakeCatalog(container, opened ? [connectionId] : await walks.compareAnew([connectionId]))
  return Boolean(opened)
}
