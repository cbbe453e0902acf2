import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { z } from "zod"
import { SVC_MODULE } from "../../modules/svc"
import { fingerprint } from "../../modules/svc/secrets"
import type SvcModuleService from "../../modules/svc/service"
import { SubscriberRows } from "../../modules/svc/sql/subscriber"
import { wakePulls } from "./pull-listings"
import { candidatePlace } from "./secret-places"
import { createWebhookRow, currentKey, findWebhook, oneAtATime } from "./subscriber-row"

/** Body of `POST /admin/svc/connections/:id/webhook/key`. */
export const pasteWebhookKeyInput = z.strictObject({
  signature_key: z
    .string()
    .trim()
    .min(1)
    .max(1000)
    .refine((key) => !/\p{Cc}/u.test(key), "must be one line of text"),
})

type Input = { connection_id: string } & z.infer<typeof pasteWebhookKeyInput>

const pasteWebhookKeyStep = createStep(
  "svc-paste-webhook-key",
  async ({ connection_id: connectionId, signature_key: key }: Input, { container }) => {
    const svc = container.resolve<SvcModuleService>(SVC_MODULE)
    await svc.connection(connectionId)
    await oneAtATime(container, connectionId, async () => {
      const known = await findWebhook(svc, connectionId)
      // Tried first, so that without an encryption key no empty row is left behind.
      svc.keyring.encrypt("", candidatePlace(connectionId))
      const row = known ?? (await createWebhookRow(svc, connectionId, null))
      if (row.signature_key === null) {
        await svc.updateSvcWebhooks({ id: row.id, ...currentKey(svc, row.id, key) })
      } else if (row.signature_key_fingerprint !== fingerprint(key)) {
        // A slip of the hand must not silence a key that works: it has to verify a delivery first.
        await svc.updateSvcWebhooks({
          id: row.id,
          candidate_key: svc.keyring.encrypt(key, candidatePlace(row.id)),
          rotating_until: null,
        })
      }
      if (!known) await new SubscriberRows(svc.database()).wantPull([connectionId])
    })
    wakePulls(container)
    return new StepResponse(connectionId)
  },
)

/**
 * Takes a signature key that a person copied from the service's dashboard.
 *
 * @throws SvcRefusal `connection_not_found`, `encryption_key_missing`
 */
export const pasteWebhookKeyWorkflow = createWorkflow(
  "svc-paste-webhook-key",
  (input: Input) => new WorkflowResponse(pasteWebhookKeyStep(input)),
)
