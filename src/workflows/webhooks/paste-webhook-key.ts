import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { z } from "zod"
import { SVC_MODULE, type Webhook } from "../../modules/svc"
import { assertKeysCanBeKept, type KeyColumns, keyPasted } from "../../modules/svc/webhooks"
import { readInput } from "../shared"
import { wakePulls } from "../shows"
import { rotationOf, withSubscriber } from "./subscriber-row"

/** Body of `POST /admin/svc/connections/:id/webhook/key`. */
export const pasteWebhookKeyInput = z.strictObject({
  signature_key: z
    .string()
    .trim()
    .min(1)
    .max(1000)
    .refine((key) => !/\p{Cc}/u.test(key), "must be one line of text"),
})

type PasteWebhookKeyInput = z.input<typeof pasteWebhookKeyInput>

type Input = { connection_id: string } & PasteWebhookKeyInput

/** The row as it was before; `null` columns where the step made the row. */
type Before = { id: string; columns: KeyColumns | null }

const pasteWebhookKeyStep = createStep(
  "svc-paste-webhook-key",
  async ({ connection_id: connectionId, ...given }: Input, { container }) => {
    const { signature_key: key } = readInput(pasteWebhookKeyInput, given)
    const before = await withSubscriber(
      container,
      connectionId,
      async (svc, _connection, known): Promise<Before> => {
        // Tried first, so that without an encryption key no empty row is left behind.
        assertKeysCanBeKept(svc.keyring)
        const row = known ?? (await svc.webhooks.subscribers.add(connectionId, null))
        const now = await svc.shows.projection.now()
        const columns = keyPasted(svc.keyring, { ...row, ...rotationOf(row) }, key, now)
        if (columns) await svc.webhooks.subscribers.changeKeys(row.id, columns)
        // What came before there was a key was refused.
        if (!known?.signature_key) await svc.shows.pulls.request("registered", [connectionId])
        return { id: row.id, columns: known && keyColumns(known) }
      },
    )
    wakePulls(container, [connectionId])
    return new StepResponse(connectionId, before)
  },
  async (before, { container }) => {
    if (!before) return
    const svc = container.resolve(SVC_MODULE)
    if (before.columns) await svc.webhooks.subscribers.changeKeys(before.id, before.columns)
    else await svc.webhooks.subscribers.remove(before.id)
  },
)

const keyColumns = (row: Webhook): KeyColumns => ({
  signature_key: row.signature_key,
  signature_key_fingerprint: row.signature_key_fingerprint,
  signature_key_updated_at: row.signature_key_updated_at,
  candidate_key: row.candidate_key,
  ...rotationOf(row),
})

/**
 * Takes a signature key that a person copied from the service's dashboard. If a later step of the caller's fails, the
 * keys are as they were before.
 *
 * @throws SvcRefusal `connection_not_found`, `encryption_key_missing`
 */
export const pasteWebhookKeyWorkflow = createWorkflow(
  "svc-paste-webhook-key",
  (input: Input) => new WorkflowResponse(pasteWebhookKeyStep(input)),
)
