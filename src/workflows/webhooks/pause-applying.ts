import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE, SvcRefusal } from "../../modules/svc"
import { wakeInbox } from "./apply-inbox"
import { findWebhook } from "./subscriber-row"

/**
 * Pauses or resumes applying the deliveries of a connection: they are taken and kept meanwhile, and nothing changes.
 *
 * @throws SvcRefusal `connection_not_found`, `webhook_not_registered`
 */
export async function pauseApplying(
  container: MedusaContainer,
  connectionId: string,
  paused: boolean,
): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  await svc.connection(connectionId)
  if (!(await findWebhook(svc, connectionId))) {
    throw new SvcRefusal(
      "webhook_not_registered",
      "No webhook is registered, so there is nothing to apply. Register it first.",
    )
  }
  await svc.webhooks.inbox.pause(connectionId, paused)
  if (!paused) wakeInbox(container, [connectionId])
}
