import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { assertManagedHere, SVC_MODULE } from "../../modules/svc"
import { copyOf } from "../../modules/svc/shared/copy-of"
import { leaveWebhook, type WebhookLeft, withWebhookLock } from "../webhooks"

/**
 * Removes the webhook, and forgets the connection whether the service let us or not. Whoever registers a webhook at the same
 * time waits, and finds no connection: else one would be left at the service.
 *
 * @returns the webhook that is still at the service; null where it is gone
 * @throws SvcRefusal `connection_not_found`
 */
export const disconnect = (container: MedusaContainer, id: string): Promise<WebhookLeft | null> =>
  withWebhookLock(container, id, async () => {
    const svc = container.resolve(SVC_MODULE)
    const connection = await svc.connection(id)
    const left = await leaveWebhook(container, connection)
    if (copyOf(connection, svc.options.backendUrl) !== null) {
      // Once no connection says that this is a copy, payments would be ended that may be the original's.
      const carts = (await svc.cart.expiring.closeBegun(id)).join(", ")
      const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
      if (carts) {
        logger.warn(
          `svc: a payment was begun for these carts, so they keep a show's price: ${carts}`,
        )
      }
    }
    await svc.connections.rows.forget([id])
    return left
  })

const deleteConnectionStep = createStep(
  "svc-delete-connection",
  async (id: string, { container }) => {
    assertManagedHere(await container.resolve(SVC_MODULE).connection(id))
    return new StepResponse({ id, webhook_left: await disconnect(container, id) })
  },
)

/**
 * Disconnects a page: unregisters the webhook (`webhook_left` is what the service did not remove), forgets the token, the
 * catalog's state, the inbox and the shows, and removes the connection. Attributions stay, with the names of their shows.
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
