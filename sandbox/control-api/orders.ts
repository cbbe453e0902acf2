/** `/_sandbox/order-numbers`, `/_sandbox/orders`, `/_sandbox/conversions`. */

import { z } from "zod"
import { slice, window } from "../contract/input"
import { issueOrderNumber, orderNumberRequest } from "../domain/orders"
import type { Context } from "../store/context"
import { type Order, orderRecord } from "../store/tables"
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

  route(
    "POST",
    "/order-numbers",
    {
      summary: "An order number, as the player gets it at a checkout",
      body: orderNumberRequest,
      status: 201,
      answer: orderRecord.pick({ order_no: true, campaign_uid: true, page_uid: true }).shape,
    },
    ({ body }) => {
      const { order_no, campaign_uid, page_uid } = issueOrderNumber(context, body)
      return { order_no, campaign_uid, page_uid }
    },
  )
  const find = (query: Filters, wanted: (order: Order) => boolean) =>
    [...tables.orders.values()].filter(
      (order) =>
        (!query.page_uid || order.page_uid === query.page_uid) &&
        (!query.campaign_uid || order.campaign_uid === query.campaign_uid) &&
        wanted(order),
    )
  const list = z.array(orderRecord)
  route(
    "GET",
    "/orders",
    {
      summary: "Order numbers that were given",
      query: filters,
      answer: { orders: list, count: z.int() },
    },
    ({ query }) => {
      const all = find(query, () => true)
      return { orders: slice(all, query, MOST, MOST), count: all.length }
    },
  )
  route(
    "GET",
    "/conversions",
    {
      summary: "Those that were reported",
      query: filters,
      answer: { conversions: list, count: z.int() },
    },
    ({ query }) => {
      const all = find(query, ({ converted_at }) => converted_at !== null)
      return { conversions: slice(all, query, MOST, MOST), count: all.length }
    },
  )
}
