import { z } from "zod"
import { reportAgain } from "../../../../../workflows/orders"
import { moment, route } from "../../../../answer"
import { readBody } from "../../../../body"

const oneOrMany = z
  .union([z.string().min(1).max(200), z.array(z.string().min(1).max(200)).min(1).max(1_000)])
  .transform((value) => [value].flat())

/** Body of `POST /admin/svc/orders/report`: the filters of the list, at least one. */
const reportOrdersInput = z.strictObject({
  filters: z
    .strictObject({
      id: oneOrMany.optional(),
      order_id: oneOrMany.optional(),
      connection_id: oneOrMany.optional(),
      campaign_uid: oneOrMany.optional(),
      svc_order_no: oneOrMany.optional(),
      state: oneOrMany.optional(),
      from: moment.optional(),
      to: moment.optional(),
    })
    .refine((filters) => Object.values(filters).some(Boolean), "must name at least one"),
})

/**
 * `POST /admin/svc/orders/report` `{filters: {id?, order_id?, connection_id?, campaign_uid?, svc_order_no?, state?, from?,
 * to?}}` → `{count}`: has all that match, and that failed or still wait, reported now, in the background. Refuses with
 * `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const { filters } = await readBody(req, reportOrdersInput)
  res.json({ count: await reportAgain(req.scope, filters) })
})
