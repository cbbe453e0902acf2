import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { SVC_MODULE, SvcRefusal } from "../../modules/svc"
import {
  assertKeysCanBeKept,
  keyTold,
  keyUntold,
  ROTATION_MS,
  rotationAsked,
} from "../../modules/svc/webhooks"
import {
  CALL_TIMEOUT_MS,
  callFailed,
  isOutcomeUnknown,
  requireOurs,
  requireRegistered,
  rotationOf,
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
      const askedAt = await svc.shows.projection.now()
      await svc.webhooks.subscribers.changeKeys(row.id, rotationAsked(askedAt))
      let key: string | null
      try {
        key = await svc.connections.calls.now(connectionId, "webhooks", (client) =>
          client.rotateSignatureKey(row.webhook_uid, { timeoutMs: CALL_TIMEOUT_MS }),
        )
      } catch (error) {
        if (!isOutcomeUnknown(error)) {
          // As it was before, which may have been a rotation of which nobody knows what came of it.
          await svc.webhooks.subscribers.changeKeys(row.id, rotationOf(row))
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
        await svc.webhooks.subscribers.changeKeys(row.id, keyUntold())
        throw new SvcRefusal(
          "webhook_key_unknown",
          "The key was rotated, but the service's answer did not show it. Rotate it again, or paste it by hand.",
        )
      }
      const now = await svc.shows.projection.now()
      await svc.webhooks.subscribers.changeKeys(
        row.id,
        keyTold(svc.keyring, row.id, key, now, now + ROTATION_MS),
      )
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
