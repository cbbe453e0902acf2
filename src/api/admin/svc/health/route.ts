import { readHealth } from "../../../../workflows/connections"
import { route } from "../../../answer"

/**
 * `GET /admin/svc/health` → `{health: {status: "ok"|"warning"|"critical", problems: [{severity, connection_id, code,
 * message, fix}], connections, products, orders, deliveries, encryption_keys}}`: one document for a monitor. Answered with
 * 503 where it is critical, so that a monitor needs to read no more than the status.
 */
export const GET = route(async (req, res) => {
  const health = await readHealth(req.scope)
  res.status(health.status === "critical" ? 503 : 200).json({ health })
})
