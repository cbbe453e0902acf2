import type { Query } from "../../lib/client"
import { campaignKeys, healthKeys, orderKeys } from "../../lib/query-keys"
import type {
  AttributedOrder,
  AttributedOrderDetail,
  Campaign,
  OrderedCampaign,
  Page,
} from "../../lib/types"
import { post, useAnswer, useList, usePress } from "./request"

/** A report that is due within a minute is looked at often; one that waits for days, for a payment say, is not. */
const SOON_MS = 60_000
const DUE_MS = 2_000
const WAITING_MS = 30_000
const WATCHED_MS = 5_000

type Waiting = Pick<AttributedOrder, "state" | "next_attempt_at">
const intervalFor = (orders: Waiting[] = []): number | false => {
  const waiting = orders.filter(({ state }) => state === "waiting")
  const isDue = waiting.some(
    ({ next_attempt_at: at }) => at === null || new Date(at).getTime() < Date.now() + SOON_MS,
  )
  if (isDue) return DUE_MS
  return waiting.length > 0 && WAITING_MS
}

/** @param watched a show that runs: its orders become more */
export const useAttributedOrders = (query: Query, watched = false) =>
  useList<{ orders: AttributedOrder[] } & Page>(orderKeys.list(query), "/orders", query, {
    again: (answer) => {
      const soon = intervalFor(answer?.orders)
      return watched ? Math.min(soon || WATCHED_MS, WATCHED_MS) : soon
    },
  })

/** Campaigns that orders came from, those that are chosen among them. */
export function useOrderedCampaigns(chosen: string[]) {
  const query = { campaign_uid: chosen }
  const key = [...orderKeys.lists(), "campaigns", query]
  return useList<{ campaigns: OrderedCampaign[] }>(key, "/orders/campaigns", query)
}

export const useAttributedOrder = (id: string) =>
  useAnswer<{ order: AttributedOrderDetail }>(orderKeys.detail(id), `/orders/${id}`, {
    again: (answer) => intervalFor(answer && [answer.order]),
  })

export const useReportOrder = () =>
  usePress<{ order: AttributedOrder; accepted: boolean }, string>(
    (id) => post(`/orders/${id}/report`),
    [orderKeys.all, healthKeys.all],
  )

/** Filters of the table, as the route that reports many takes them. */
export const useReportOrders = () =>
  usePress<{ count: number }, Query>(
    (filters) => post("/orders/report", { filters }),
    [orderKeys.all],
  )

export const useCampaigns = (query: Query) =>
  useList<{ campaigns: Campaign[] } & Page>(campaignKeys.list(query), "/campaigns", query)
