import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { SVC_MODULE, SvcRefusal } from "../../modules/svc"
import { assertKeysCanBeKept, candidateKeyColumn } from "../../modules/svc/webhooks/signature-keys"
import {
  CALL_TIMEOUT_MS,
  callFailed,
  isOutcomeUnknown,
  requireRegistered,
  withWebhookLock,
} from "./subscriber-row"

const rotateWebhookKeyStep = createStep(
  "svc-rotate-webhook-key",
  async (connectionId: string, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    await svc.connection(connectionId)
    const rows = svc.subscribers
    await withWebhookLock(container, connectionId, async () => {
      const registered = await requireRegistered(svc, connectionId)
      // Refuses without an encryption key, while the old key still works.
      assertKeysCanBeKept(svc.keyring)
      await rows.beginRotation(registered.id)
      let key: string | null
      try {
        key = await svc.callNow(connectionId, (client) =>
          client.rotateSignatureKey(registered.webhook_uid, { timeoutMs: CALL_TIMEOUT_MS }),
        )
      } catch (error) {
        if (!isOutcomeUnknown(error)) {
          await rows.endRotation(registered.id, null)
          throw callFailed(error, "The key was not rotated.")
        }
        // Not repeated (gap 13): the service may have rotated already. Until a person decides, deliveries that do not
        // verify are answered 503, so that the service sends them again.
        throw callFailed(
          error,
          "It is not certain whether the key was rotated. Rotate it again, or paste the key of the service's dashboard.",
        )
      }
      if (key === null) {
        throw new SvcRefusal(
          "webhook_key_unknown",
          "The key was rotated, but the service's answer did not show it. Rotate it again, or paste it by hand.",
        )
      }
      // Tried beside the current key until it has verified a delivery, at most for the time of the rotation (gap 12).
      await svc.updateSvcWebhooks({
        id: registered.id,
        ...candidateKeyColumn(svc.keyring, registered.id, key),
      })
    })
    return new StepResponse(connectionId)
  },
)

/**
 * Asks the service for a new key. The old one stops verifying there at once (interface §5 rule 4), so both are tried here
 * until the new one has verified a delivery. No compensation: the old key cannot be brought back.
 *
 * @throws SvcRefusal `connection_not_found`, `webhook_not_registered`, `encryption_key_missing`,
 *   `webhook_key_unknown`, `svc_call_failed`
 */
export const rotateWebhookKeyWorkflow = createWorkflow(
  "svc-rotate-webhook-key",
  (connectionId: string) => new WorkflowResponse(rotateWebhookKeyStep(connectionId)),
)
