import { z } from "zod"

/**
 * Body of `POST /processOrders` (interface §4.3). Only the order number leaves the store; other fields
 * are not shown (gap 47).
 */
export const processOrdersRequest = z.object({ svcOrderNumber: z.string().min(1) })
export type ProcessOrdersRequest = z.infer<typeof processOrdersRequest>
