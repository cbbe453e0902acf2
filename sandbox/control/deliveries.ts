/** `/_sandbox/subscribers`, `/_sandbox/notifications`, `/_sandbox/deliveries`: the merchant's side. */

import { notFound, SandboxError } from "../errors"
import { slice } from "../input"
import { activateSubscriber, getSubscriber } from "../subscribers"
import type { World } from "../world"
import type { Route } from "./route"
import { deliveryView, subscriberView } from "./views"

export function subscribersAndDeliveries(route: Route, world: World): void {
  const { tables, dispatcher } = world

  route("GET", "/subscribers", ({ query }) => ({
    subscribers: [...tables.subscribers.values()]
      .filter(({ page_uid }) => !query.page_uid || page_uid === query.page_uid)
      .map(subscriberView),
  }))
  route("POST", "/subscribers/:uid/activate", ({ param }) => ({
    subscriber: subscriberView(activateSubscriber(world, param("uid"))),
  }))
  route("POST", "/subscribers/:uid/test", async ({ param }) => {
    const subscriber = getSubscriber(world, param("uid"))
    if (subscriber.state === "disabled") {
      throw new SandboxError(409, "subscriber_disabled", "The subscriber is disabled.")
    }
    return { delivery: deliveryView(await dispatcher.test(subscriber), true) }
  })
  route("GET", "/notifications", () => ({
    notifications: [...tables.notifications.values()].reverse(),
  }))

  route("GET", "/deliveries", ({ query }) => {
    const all = [...tables.deliveries.values()].filter((delivery) =>
      (["subscriber_uid", "topic", "state", "event_uid", "page_uid"] as const).every(
        (field) => !query[field] || delivery[field] === query[field],
      ),
    )
    const page = slice(all.reverse(), query, 200, 20_000)
    return { deliveries: page.map((delivery) => deliveryView(delivery)), count: all.length }
  })
  const delivery = (id = "") => {
    const found = tables.deliveries.get(id)
    if (!found) throw notFound("delivery", id)
    return found
  }
  route("GET", "/deliveries/:id", ({ param }) => ({
    delivery: deliveryView(delivery(param("id")), true),
  }))
  route("POST", "/deliveries/:id/resend", async ({ param }) => {
    const found = delivery(param("id"))
    await dispatcher.resend(found)
    return { delivery: deliveryView(found, true) }
  })
}
