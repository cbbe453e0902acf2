import { readHealth } from "../../../../workflows/connections"
import { route } from "../../../answer"
import { healthView } from "./view"

/**
 * `GET /admin/svc/health` → `{health: {status: "ok"|"warning"|"critical", problems: [{severity, connection_id, code,
 * message, fix}], connections, products, orders, deliveries}}`: one document for a monitor.
 */
export const GET = route(async (req, res) => {
  res.json({ health: healthView(await readHealth(req.scope)) })
})
