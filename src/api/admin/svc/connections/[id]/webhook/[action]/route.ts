import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import {
  awaitTest,
  awaitTestInput,
  pasteWebhookKeyInput,
  pasteWebhookKeyWorkflow,
  rotateWebhookKeyWorkflow,
} from "../../../../../../../workflows/webhooks"
import { idOf, requireAction, route } from "../../../../../../answer"
import { readBody } from "../../../../../../body"
import { answerWebhook } from "../answer-webhook"
import { testView } from "./view"

const ACTIONS: Record<string, (req: MedusaRequest, res: MedusaResponse) => Promise<unknown>> = {
  rotate: async (req, res) => {
    await rotateWebhookKeyWorkflow(req.scope).run({ input: idOf(req) })
    await answerWebhook(req, res)
  },
  key: async (req, res) => {
    const input = { connection_id: idOf(req), ...(await readBody(req, pasteWebhookKeyInput)) }
    await pasteWebhookKeyWorkflow(req.scope).run({ input })
    await answerWebhook(req, res)
  },
  test: async (req, res) => {
    const input = await readBody(req, awaitTestInput)
    res.json({ test: testView(await awaitTest(req.scope, idOf(req), input)) })
  },
}

/**
 * `POST /admin/svc/connections/:id/webhook/:action` → `{webhook}`, by action: `rotate` has the service make a new key, which is never shown; `key` `{signature_key}` takes one that was
 * pasted; `test` `{wait_seconds?}` → `{test}` waits for the test delivery that a person fires in the service's dashboard.
 * Refuses with `not_found`, `connection_not_found`, `webhook_not_registered`, `encryption_key_missing`,
 * `webhook_key_unknown`, `svc_call_failed`, `webhook_rotation_unsure`, `webhook_of_another_store`, `invalid_request`.
 */
export const POST = route((req, res) => requireAction(req, ACTIONS)(req, res))
