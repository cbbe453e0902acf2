import { diagnoseWebhook } from "../../../../../../../workflows/webhooks"
import { idOf, route } from "../../../../../../answer"
import { findingView } from "./view"

/** `GET /admin/svc/connections/:id/webhook/doctor` → `{findings}`, the worst first: why deliveries do not arrive. Refuses with `connection_not_found`. */
export const GET = route(async (req, res) => {
  const findings = await diagnoseWebhook(req.scope, idOf(req))
  res.json({ findings: findings.map(findingView) })
})
