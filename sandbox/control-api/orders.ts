/** `/_sandbox/order-numbers`, `/_sandbox/orders`, `/_sandbox/conversions`. */

import { z } from "zod"
import { slice, window } from "../contract/input"
import { issueOrderNumber } from "../domain/orders"
import type { Context } from "../store/context"
import type { Order } from "../store/tables"
import type { Route } from "./route"

const filters = {
  page_uid: z.string().optional(),
  campaign_uid: z.string().optional(),
  ...window,
}
type Filters = z.output<z.ZodObject<typeof filters>>
export type OrderFilters = Partial<z.input<z.ZodObject<typeof filters>>>

const MOST = 100_000

export function orders(route: Route, context: Context): void {
  const { tables } = context

  route("POST", "/order-numbers", ({ body }, reply) => {
    const { order_no, campaign_uid, page_uid } = issueOrderNumber(context, body)
    reply.code(201)
    return { order_no, campaign_uid, page_uid }
  })
  const find = (query: Filters, wanted: (order: Order) => boolean) => {
    const all = [...tables.orders.values()].filter(
      (order) =>
        (!query.page_uid || order.page_uid === query.page_uid) &&
        (!query.campaign_uid || order.campaign_uid === query.campaign_uid) &&
        wanted(order),
    )
    return { found: slice(all, query, MOST, MOST), count: all.length }
  }
  route(
    "GET",
    "/orders",
    ({ query }) => {
      const { found, count } = find(query, () => true)
      return { orders: found, count }
    },
    filters,
  )
  route(
    "GET",
    "/conversions",
    ({ query }) => {
      const { found, count } = find(query, ({ converted_at }) => converted_at !== null)
      return { conversions: found, count }
    },
    filters,
  )
}
