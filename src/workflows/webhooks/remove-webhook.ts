import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { SvcError } from "../../client"
import { SVC_MODULE } from "../../modules/svc"
import { callFailed, deleteOurs, findWebhook, withWebhookLock } from "./subscriber-row"

const removeWebhookStep = createStep(
  "svc-remove-webhook",
  async (connectionId: string, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    await withWebhookLock(container, connectionId, async () => {
      await svc.connection(connectionId)
      const row = await findWebhook(svc, connectionId)
      if (!row) return
      const { webhook_uid: webhookUid } = row
      if (webhookUid) {
        try {
          await deleteOurs(svc, connectionId, webhookUid)
        } catch (error) {
          const isGone = error instanceof SvcError && error.code === "svc_not_found"
          if (!isGone) throw callFailed(error, "The webhook was not removed.")
        }
      }
      // No copy of its keys stays.
      await svc.webhooks.subscribers.remove(row.id)
    })
    return new StepResponse(connectionId)
  },
)

/**
 * Removes the webhook at the service and here. Its inbox and what was learned from it stay. No compensation: the record
 * at the service is gone, and a new one has another key.
 *
 * @throws SvcRefusal `connection_not_found`, `webhook_of_another_store`, `svc_call_failed`
 */
export const removeWebhookWorkflow = createWorkflow(
  "svc-remove-webhook",
  (connectionId: string) => new WorkflowResponse(removeWebhookStep(connectionId)),
)
