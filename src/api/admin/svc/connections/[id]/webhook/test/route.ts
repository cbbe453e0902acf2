import type { MedusaRequest } from "@medusajs/framework/http"
import { type AwaitTestInput, awaitTest } from "../../../../../../../workflows/webhooks"
import { idOf, route } from "../../../../../../answer"
import { testView } from "./view"

/**
 * `POST /admin/svc/connections/:id/webhook/test` `{wait_seconds?}` → `{test}`: waits for the test delivery that a person
 * fires in the service's dashboard.
 */
export const POST = route(async (req: MedusaRequest<AwaitTestInput>, res) => {
  res.json({ test: testView(await awaitTest(req.scope, idOf(req), req.validatedBody)) })
})
