import { sendAgain } from "../../../../../workflows/catalog"
import { filtersOf, route, someFilters } from "../../../../answer"
import { readBody } from "../../../../body"

/** Body of `POST /admin/svc/products/push`. At least one filter: "everything" is an import. */
const pushProductsInput = someFilters(
  filtersOf("id", "connection_id", "product_id", "state", "reason_code"),
)

/**
 * `POST /admin/svc/products/push` `{filters: {id?, connection_id?, product_id?, state?, reason_code?}}` → `{count}`: sends all
 * products that match once more, each filter one value or several. Refuses with `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const { filters } = await readBody(req, pushProductsInput)
  res.json({ count: await sendAgain(req.scope, filters) })
})
