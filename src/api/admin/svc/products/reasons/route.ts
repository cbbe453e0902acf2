import { z } from "zod"
import { SVC_MODULE } from "../../../../../modules/svc"
import { readInput } from "../../../../../workflows/shared"
import { route } from "../../../../answer"
import { reasonCountView } from "./view"

const oneOrMany = z
  .union([z.string().max(200), z.array(z.string().max(200))])
  .transform((value) => [value].flat())
const query = z.strictObject({
  connection_id: oneOrMany.optional(),
  state: oneOrMany.optional(),
})

/**
 * `GET /admin/svc/products/reasons` → `{reasons: [{code, count}]}`, the most frequent first: which reasons products have,
 * narrowed by `connection_id` and `state` as the list is.
 */
export const GET = route(async (req, res) => {
  const { items } = req.scope.resolve(SVC_MODULE).catalog
  const reasons = await items.countReasons(readInput(query, req.query))
  res.json({ reasons: reasons.map(reasonCountView) })
})
