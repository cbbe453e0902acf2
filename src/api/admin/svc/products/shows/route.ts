import { z } from "zod"
import { readInput } from "../../../../../workflows/shared"
import { showsOfProduct } from "../../../../../workflows/shows"
import { filterText, route } from "../../../../answer"
import { showOfProductView } from "./view"

const query = z.strictObject({ product_id: filterText.min(1) })

/**
 * `GET /admin/svc/products/shows?product_id=` → `{shows}`: the shows that run or come and have this product, running ones
 * first, with its price in each.
 */
export const GET = route(async (req, res) => {
  const { product_id } = readInput(query, req.query)
  const shows = await showsOfProduct(req.scope, product_id)
  res.json({ shows: shows.map(showOfProductView) })
})
