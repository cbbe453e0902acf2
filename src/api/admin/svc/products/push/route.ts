import { z } from "zod"
import { sendAgain } from "../../../../../workflows/catalog"
import { route } from "../../../../answer"
import { readBody } from "../../../../body"

const oneOrMany = z
  .union([z.string().min(1).max(200), z.array(z.string().min(1).max(200)).min(1).max(1_000)])
  .transform((value) => [value].flat())

/** Body of `POST /admin/svc/products/push`. At least one filter: "everything" is an import. */
const pushProductsInput = z.strictObject({
  filters: z
    .strictObject({
      connection_id: oneOrMany.optional(),
      product_id: oneOrMany.optional(),
      state: oneOrMany.optional(),
      reason_code: oneOrMany.optional(),
    })
    .refine((filters) => Object.values(filters).some(Boolean), "must name at least one"),
})

/**
 * `POST /admin/svc/products/push` `{filters: {connection_id?, product_id?, state?, reason_code?}}` → `{count}`: sends all
 * products that match once more, each filter one value or several. Refuses with `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const { filters } = await readBody(req, pushProductsInput)
  res.json({ count: await sendAgain(req.scope, filters) })
})
