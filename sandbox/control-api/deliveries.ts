/** `/_sandbox/subscribers`, `/_sandbox/notifications`, `/_sandbox/deliveries`: the merchant's side. */

import { z } from "zod"
import { notFound, SandboxError } from "../contract/errors"
import { slice, window } from "../contract/input"
import type { Context } from "../store/context"
import { DELIVERY_STATES, notificationRecord } from "../store/tables"
import {
  activateSubscriber,
  getSubscriber,
  updateSubscriber,
  webhookChanges,
} from "../webhooks/subscribers"
import type { Route } from "./route"
import {
  deliveryShape,
  deliverySummary,
  deliverySummaryShape,
  deliveryView,
  subscriberShape,
  subscriberView,
} from "./views"

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
    {
      summary: "Webhook subscribers, without their keys",
      query: { page_uid: z.string().optional() },
      answer: { subscribers: z.array(subscriberShape) },
    },
    ({ query }) => ({
      subscribers: [...tables.subscribers.values()]
        .filter(({ page_uid }) => !query.page_uid || page_uid === query.page_uid)
        .map(subscriberView),
    }),
  )
  route(
    "POST",
    "/subscribers/:uid",
    {
      summary: "What somebody changes in the service's own pages, without the shop",
      body: webhookChanges,
      answer: { subscriber: subscriberShape },
    },
    ({ param, body }) => {
      const { page_uid, uid } = getSubscriber(context, param("uid"))
      return { subscriber: subscriberView(updateSubscriber(context, page_uid, uid, body)) }
    },
  )
  route(
    "POST",
    "/subscribers/:uid/activate",
    {
      summary: "What the merchant's Activate button does",
      answer: { subscriber: subscriberShape },
    },
    ({ param }) => ({ subscriber: subscriberView(activateSubscriber(context, param("uid"))) }),
  )
  route(
    "POST",
    "/subscribers/:uid/test",
    { summary: "Send svc.test", answer: { delivery: deliveryShape } },
    async ({ param }) => {
      const subscriber = getSubscriber(context, param("uid"))
      if (subscriber.state === "disabled") {
        throw new SandboxError(409, "subscriber_disabled", "The subscriber is disabled.")
      }
      return { delivery: deliveryView(await deliveries.test(subscriber)) }
    },
  )
  route(
    "GET",
    "/notifications",
    {
      summary: "What the merchant was told of failing subscribers",
      answer: { notifications: z.array(notificationRecord) },
    },
    () => ({ notifications: [...tables.notifications.values()].reverse() }),
  )

  route(
    "GET",
    "/deliveries",
    {
      summary: "Deliveries, newest first, without bodies",
      query: search,
      answer: { deliveries: z.array(deliverySummaryShape), count: z.int() },
    },
    ({ query }) => {
      const all = [...tables.deliveries.values()].filter((delivery) =>
        (["subscriber_uid", "topic", "state", "event_uid", "page_uid"] as const).every(
          (field) => !query[field] || delivery[field] === query[field],
        ),
      )
      const page = slice(all.reverse(), query, 200, 20_000)
      return { deliveries: page.map(deliverySummary), count: all.length }
    },
  )
  const getDelivery = (id: string) => {
    const found = tables.deliveries.get(id)
    if (!found) throw notFound("delivery", id)
    return found
  }
  const answer = { delivery: deliveryShape }
  route("GET", "/deliveries/:id", { summary: "One, with what was sent", answer }, ({ param }) => ({
    delivery: deliveryView(getDelivery(param("id"))),
  }))
  route(
    "POST",
    "/deliveries/:id/resend",
    { summary: "Send the same payload again", answer },
    async ({ param }) => {
      const delivery = getDelivery(param("id"))
      await deliveries.resend(delivery)
      return { delivery: deliveryView(delivery) }
    },
  )
}
