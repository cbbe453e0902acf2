import { z } from "zod"

/** Body of `POST /admin/svc/ledger/rebuild`: one order, or all of them. */
export const rebuildLedgerInput = z.strictObject({ order_id: z.string().min(1).optional() })
