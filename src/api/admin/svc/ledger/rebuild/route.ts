import type { MedusaRequest } from "@medusajs/framework/http"
import type { z } from "zod"
import { rebuildLedger } from "../../../../../workflows/orders"
import { route } from "../../../../answer"
import type { rebuildLedgerInput } from "./body"

/**
 * `POST /admin/svc/ledger/rebuild` `{order_id?}` → 202 `{orders}`: has the ledger of one order, or of all, made again from
 * Medusa's rows. Answers at once with how many orders that concerns.
 */
export const POST = route(async (req: MedusaRequest<z.infer<typeof rebuildLedgerInput>>, res) => {
  const orders = await rebuildLedger(req.scope, req.validatedBody.order_id ?? null)
  res.status(202).json({ orders })
})
