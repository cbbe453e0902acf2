import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { SvcError } from "../../client"
import { SVC_MODULE } from "../../modules/svc"
import { withWebhookLock } from "../webhooks"
import { assertManagedHere } from "./update-connection"

/** Milliseconds that a person waits for the service while a connection is deleted. */
const UNREGISTER_TIMEOUT_MS = 5_000

const deleteConnectionStep = createStep(
  "svc-delete-connection",
  async (id: string, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    const logger = container.resolve("logger")
    assertManagedHere(await svc.connection(id))
    // Whoever registers a webhook at the same time waits, and finds no connection: else one would be left at the service.
    await withWebhookLock(container, id, async () => {
      const [webhook] = await svc.listSvcWebhooks({ connection_id: id })
      const webhookUid = webhook?.webhook_uid
      if (webhookUid) {
        try {
          await svc.calls.now(id, (client) =>
            client.deleteWebhook(webhookUid, { timeoutMs: UNREGISTER_TIMEOUT_MS }),
          )
        } catch (error) {
          if (!(error instanceof SvcError)) throw error
          // The connection is deleted all the same: the service itself disables a subscriber whose deliveries fail.
          logger.warn(`svc: the webhook ${webhookUid} could not be removed: ${error.message}`)
        }
      }
      await svc.connections.forget([id])
    })
    return new StepResponse(id)
  },
)

/**
 * Disconnects a page: unregisters the webhook (if the service answers), forgets the token, the catalog's state, the
 * inbox and the shows, and removes the connection. Attributions stay, with the names of their shows.
 *
 * The products stay as they are at the service: the same page may be fed by another store, and the one that is
 * disconnected is as often the copy as the original.
 *
 * No compensation: the token and the inbox are deleted for good, which is what people ask for, and a subscriber that was
 * removed at the service cannot be brought back. A new one would have another key and would miss what happened meanwhile.
 *
 * @throws SvcRefusal `connection_not_found`, `connection_read_only`
 */
export const deleteConnectionWorkflow = createWorkflow(
  "svc-delete-connection",
  (id: string) => new WorkflowResponse(deleteConnectionStep(id)),
)
