import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { SVC_MODULE } from "../../modules/svc"
import { assertKeysCanBeKept, ROTATION_MS } from "../../modules/svc/webhooks"
import { changeKey } from "./change-key"
import {
  CALL_TIMEOUT_MS,
  callFailed,
  requireOurs,
  requireRegistered,
  withWebhookLock,
} from "./subscriber-row"

const rotateWebhookKeyStep = createStep(
  "svc-rotate-webhook-key",
  async (connectionId: string, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    await withWebhookLock(container, connectionId, async () => {
      await svc.connection(connectionId)
      const row = await requireRegistered(svc, connectionId)
      // Refuses without an encryption key, while the old key still works.
      assertKeysCanBeKept(svc.keyring)
      await requireOurs(svc, connectionId, row.webhook_uid).catch((error: unknown) => {
        throw callFailed(error, "The key was not rotated.")
      })
      const about = {
        what: "The key was not rotated.",
        unsure:
          "It is not certain whether the key was rotated. Rotate it again, or paste the key of the service's dashboard.",
        isNew: false,
      }
      await changeKey(svc, row, about, async () => {
        const key = await svc.connections.calls.now(connectionId, "webhooks", (client) =>
          client.rotateSignatureKey(row.webhook_uid, { timeoutMs: CALL_TIMEOUT_MS }),
        )
        return { key, mismatchMs: ROTATION_MS }
      })
    })
    return new StepResponse(connectionId)
  },
)

/**
 * Asks the service for a new key. The old one stops verifying there at once (interface §5 rule 4), and here as soon as
 * the answer is there; deliveries that were signed with it before are asked to come again, and are signed anew. No
 * compensation: the old key cannot be brought back.
 *
 * @throws SvcRefusal `connection_not_found`, `webhook_not_registered`, `encryption_key_missing`,
 *   `webhook_of_another_store`, `webhook_key_unknown`, `svc_call_failed`
 */
export const rotateWebhookKeyWorkflow = createWorkflow(
  "svc-rotate-webhook-key",
  (connectionId: string) => new WorkflowResponse(rotateWebhookKeyStep(connectionId)),
)
