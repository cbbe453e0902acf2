import type { Query } from "../../lib/client"
import { deliveryKeys, liveEventKeys } from "../../lib/query-keys"
import type { Delivery, DeliveryDetail, Page } from "../../lib/types"
import { post, useAnswer, useList, usePress } from "./request"

/** One of them is being applied: look again until it has been. */
const whileApplying = (deliveries: Pick<Delivery, "outcome">[] = []) =>
  deliveries.some(({ outcome }) => outcome === "received") && 2_000

export const useDeliveries = (query: Query) =>
  useList<{ deliveries: Delivery[] } & Page>(deliveryKeys.list(query), "/deliveries", query, {
    again: (answer) => whileApplying(answer?.deliveries),
  })

export const useDelivery = (id: string) =>
  useAnswer<{ delivery: DeliveryDetail }>(deliveryKeys.detail(id), `/deliveries/${id}`, {
    again: (answer) => whileApplying(answer && [answer.delivery]),
  })

/** Filters of the table, as the route that replays many takes them. */
export const useReplayDeliveries = () =>
  usePress<{ count: number }, Query>(
    (filters) => post("/deliveries/replay", { filters }),
    [deliveryKeys.all],
  )

export const useReplayDelivery = () =>
  usePress<{ delivery: DeliveryDetail }, string>(
    (id) => post(`/deliveries/${id}/replay`),
    [deliveryKeys.all, liveEventKeys.all],
  )
