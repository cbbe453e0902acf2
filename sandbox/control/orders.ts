/** `/_sandbox/order-numbers`, `/_sandbox/orders`, `/_sandbox/conversions`. */

import { slice } from "../input"
import { issueOrderNumber } from "../orders"
import type { World } from "../world"
import type { Route } from "./route"

export function orders(route: Route, world: World): void {
  const { tables } = world

  route("POST", "/order-numbers", ({ body }, reply) => {
    const { order_no, campaign_uid, page_uid } = issueOrderNumber(world, body)
    reply.code(201)
    return { order_no, campaign_uid, page_uid }
  })
  const find = (query: Record<string, string>, converted: boolean) =>
    [...tables.orders.values()].filter(
      (order) =>
        (!query.page_uid || order.page_uid === query.page_uid) &&
        (!query.campaign_uid || order.campaign_uid === query.campaign_uid) &&
        (!converted || order.converted_at !== null),
    )
  route("GET", "/orders", ({ query }) => {
    const all = find(query, false)
    return { orders: slice(all, query, 100_000, 100_000), count: all.length }
  })
  route("GET", "/conversions", ({ query }) => {
    const all = find(query, true)
    return { conversions: slice(all, query, 100_000, 100_000), count: all.length }
  })
}
