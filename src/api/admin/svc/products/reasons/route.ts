import { z } from "zod"
import { SVC_MODULE } from "../../../../../modules/svc"
import { readInput } from "../../../../../workflows/shared"
import { filtersOf, route } from "../../../../answer"
import type { ReasonCount } from "./view"

const query = z.strictObject(filtersOf("connection_id", "state"))

/**
 * `GET /admin/svc/products/reasons` → `{reasons: [{code, count}]}`, the most frequent first: which reasons products have,
 * narrowed by `connection_id` and `state` as the list is.
 */
export const GET = route(async (req, res) => {
  const { items } = req.scope.resolve(SVC_MODULE).catalog
  const reasons: ReasonCount[] = await items.countReasons(readInput(query, req.query))
  res.json({ reasons })
})
