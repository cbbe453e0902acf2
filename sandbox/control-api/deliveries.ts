/** `/_sandbox/subscribers`, `/_sandbox/notifications`, `/_sandbox/deliveries`: the merchant's side. */

import { z } from "zod"
import { notFound, SandboxError } from "../contract/errors"
import { slice, window } from "../contract/input"
import type { Context } from "../store/context"
import { DELIVERY_STATES } from "../store/tables"
import { activateSubscriber, getSubscriber, updateSubscriber } from "../webhooks/subscribers"
import type { Route } from "./route"
import { deliverySummary, deliveryView, subscriberView } from "./views"

const search = {
  subscriber_uid: z.string().optional(),
  topic: z.string().optional(),
  state: z.enum(DELIVERY_STATES).optional(),
  event_uid: z.string().optional(),
  page_uid: z.string().optional(),
  ...window,
}
export type DeliveryFilters = Partial<z.input<z.ZodObject<typeof search>>>

export function subscribersAndDeliveries(route: Route, context: Context): void {
  const { tables, deliveries } = context

  route(
    "GET",
    "/subscribers",
    ({ query }) => ({
      subscribers: [...tables.subscribers.values()]
        .filter(({ page_uid }) => !query.page_uid || page_uid === query.page_uid)
        .map(subscriberView),
    }),
    { page_uid: z.string().optional() },
  )
  route("POST", "/subscribers/:uid", ({ param, body }) => {
    const { page_uid, uid } = getSubscriber(context, param("uid"))
    return { subscriber: subscriberView(updateSubscriber(context, page_uid, uid, body)) }
  })
  route("POST", "/subscribers/:uid/activate", ({ param }) => ({
    subscriber: subscriberView(activateSubscriber(context, param("uid"))),
  }))
  route("POST", "/subscribers/:uid/test", async ({ param }) => {
    const subscriber = getSubscriber(context, param("uid"))
    if (subscriber.state === "disabled") {
      throw new SandboxError(409, "subscriber_disabled", "The subscriber is disabled.")
    }
    return { delivery: deliveryView(await deliveries.test(subscriber)) }
  })
  route("GET", "/notifications", () => ({
    notifications: [...tables.notifications.values()].reverse(),
  }))

  route(
    "GET",
    "/deliveries",
    ({ query }) => {
      const all = [...tables.deliveries.values()].filter((delivery) =>
        (["subscriber_uid", "topic", "state", "event_uid", "page_uid"] as const).every(
          (field) => !query[field] || delivery[field] === query[field],
        ),
      )
      const page = slice(all.reverse(), query, 200, 20_000)
      return { deliveries: page.map(deliverySummary), count: all.length }
    },
    search,
  )
  const getDelivery = (id: string) => {
    const found = tables.deliveries.get(id)
    if (!found) throw notFound("delivery", id)
    return found
  }
  route("GET", "/deliveries/:id", ({ param }) => ({
    delivery: deliveryView(getDelivery(param("id"))),
  }))
  route("POST", "/deliveries/:id/resend", async ({ param }) => {
    const delivery = getDelivery(param("id"))
    await deliveries.resend(delivery)
    return { delivery: deliveryView(delivery) }
  })
}
