import type { MedusaRequest } from "@medusajs/framework/http"
import { idOf, route } from "../../../../answer"
import { singleProductView } from "../view"

/** `GET /admin/svc/products/:id` → `{product}` with `payload` and `last_payload`. Refuses with `not_found`. */
export const GET = route(async (req: MedusaRequest, res) => {
  res.json({ product: await singleProductView(req.scope, idOf(req)) })
})
