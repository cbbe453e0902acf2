import type { MedusaContainer } from "@medusajs/framework/types"
import { type Visit, visitPage } from "../../client"
import { SVC_MODULE } from "../../modules/svc"
import { type Reason, reasonFor } from "../../modules/svc/shared/reason"

/**
 * Opens the storefront's address as a shopper would, and records what came of it on the connection.
 *
 * @throws SvcRefusal `connection_not_found`
 */
export async function checkStorefront(container: MedusaContainer, id: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const { storefront_url: url } = await svc.connection(id)
  const at = new Date().toISOString()
  const reason = reasonOfVisit(await visitPage(url, svc.options.allowInsecureUrls))
  await svc.connections.setup.recordStorefront(id, { at, url, ok: reason === null, reason })
}

function reasonOfVisit(visit: Visit): Reason | null {
  switch (visit.kind) {
    case "opened":
      return null
    case "private":
      return reasonFor("storefront_private")
    case "refused":
      return reasonFor("storefront_refused", { status: visit.status })
    case "unreachable":
      return reasonFor("storefront_unreachable", { problem: visit.problem })
  }
}
