import { SVC_MODULE } from "../../../../modules/svc"
import { createConnectionInput, createConnectionWorkflow } from "../../../../workflows/connections"
import { byColumn, readListQuery, route } from "../../../answer"
import { readBody } from "../../../body"
import { connectionView } from "./view"

/** `GET /admin/svc/connections` → `{connections, count, limit, offset}`. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const { filters, order, page } = readListQuery(req.query, {
    sortable: ["created_at", "updated_at", "name", "page_uid", "status", "id"],
    filters: ["id", "page_uid", "sales_channel_id", "region_id", "status", "managed_by"],
  })
  const [rows, count] = await svc.listAndCountSvcConnections(filters, {
    take: page.limit,
    skip: page.offset,
    order: byColumn(order),
  })
  res.json({ connections: rows.map(connectionView), count, ...page })
})

/**
 * `POST /admin/svc/connections` → `{connection}`.
 * Refuses with `encryption_key_missing`, `connection_exists`, `invalid_url`, `insecure_url`,
 * `sales_channel_not_found`, `region_not_found`, `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const input = await readBody(req, createConnectionInput)
  const { result } = await createConnectionWorkflow(req.scope).run({ input })
  res.json({ connection: connectionView(result) })
})
