import { z } from "zod"
import { rebuildLedger } from "../../../../../workflows/orders"
import { route } from "../../../../answer"
import { readBody } from "../../../../body"

/** One order, or all of them. */
const rebuildLedgerInput = z.strictObject({ order_id: z.string().min(1).optional() })

/**
 * `POST /admin/svc/ledger/rebuild` `{order_id?}` → 202 `{orders}`: has the ledger of one order, or of all, made again from
 * Medusa's rows. Answers, once they are marked, with how many orders that concerns.
 */
export const POST = route(async (req, res) => {
  const { order_id } = await readBody(req, rebuildLedgerInput)
  const orders = await rebuildLedger(req.scope, order_id ?? null)
  res.status(202).json({ orders })
})
