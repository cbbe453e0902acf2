import { uninstall, uninstallInput } from "../../../../workflows/connections"
import { route } from "../../../answer"
import { readBody } from "../../../body"

/**
 * `POST /admin/svc/uninstall` `{dry_run?: true, products?: "keep" | "disable", leave_paid_carts?: false}` → `{uninstall: {dry_run,
 * connections, webhooks_left, connections_left, carts, paid_carts, orders_waiting}}`: removes the webhooks at the service, disconnects everything and puts open baskets back to the catalog
 * price; nothing is changed unless `dry_run` is false. What the command `uninstall` does with it: docs/upgrading.md. Refuses
 * with `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const input = await readBody(req, uninstallInput)
  res.json({ uninstall: await uninstall(req.scope, input) })
})
