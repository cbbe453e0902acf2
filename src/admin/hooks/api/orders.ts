import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type ApiError, type Query, svcFetch } from "../../lib/client"
import { campaignKeys, healthKeys, orderKeys } from "../../lib/query-keys"
import type {
  AttributedOrder,
  AttributedOrderDetail,
  Campaign,
  OrderedCampaign,
  Page,
} from "../../lib/types"

/** A report that is due within a minute is looked at often; one that waits for days, for a payment say, is not. */
const SOON_MS = 60_000
const DUE_MS = 2_000
const WAITING_MS = 30_000
const WATCHED_MS = 5_000

type Waiting = Pick<AttributedOrder, "state" | "next_attempt_at">
const intervalFor = (orders: Waiting[]): number | false => {
  const waiting = orders.filter(({ state }) => state === "waiting")
  const isDue = waiting.some(
    ({ next_attempt_at: at }) => at === null || new Date(at).getTime() < Date.now() + SOON_MS,
  )
  if (isDue) return DUE_MS
  return waiting.length > 0 && WAITING_MS
}

/** @param watched a show that runs: its orders become more */
export function useAttributedOrders(query: Query, watched = false) {
  return useQuery<{ orders: AttributedOrder[] } & Page, ApiError>({
    queryKey: orderKeys.list(query),
    queryFn: ({ signal }) => svcFetch("/orders", { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const soon = intervalFor(state.data?.orders ?? [])
      return watched ? Math.min(soon || WATCHED_MS, WATCHED_MS) : soon
    },
  })
}

/** Campaigns that orders came from, those that are chosen among them. */
export function useOrderedCampaigns(chosen: string[]) {
  const query = { campaign_uid: chosen }
  return useQuery<{ campaigns: OrderedCampaign[] }, ApiError>({
    queryKey: [...orderKeys.lists(), "campaigns", query],
    queryFn: ({ signal }) => svcFetch("/orders/campaigns", { query, signal }),
    placeholderData: keepPreviousData,
  })
}

export function useAttributedOrder(id: string) {
  return useQuery<{ order: AttributedOrderDetail }, ApiError>({
    queryKey: orderKeys.detail(id),
    queryFn: ({ signal }) => svcFetch(`/orders/${id}`, { signal }),
    refetchInterval: ({ state }) => intervalFor(state.data ? [state.data.order] : []),
  })
}

export function useReportOrder() {
  const client = useQueryClient()
  return useMutation<{ order: AttributedOrder; accepted: boolean }, ApiError, string>({
    mutationFn: (id) => svcFetch(`/orders/${id}/report`, { method: "POST", body: {} }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: orderKeys.all }),
        client.invalidateQueries({ queryKey: healthKeys.all }),
      ]),
  })
}

/** Filters of the table, as the route that reports many takes them. */
export function useReportOrders() {
  const client = useQueryClient()
  return useMutation<{ count: number }, ApiError, Query>({
    mutationFn: (filters) => svcFetch("/orders/report", { method: "POST", body: { filters } }),
    onSettled: () => client.invalidateQueries({ queryKey: orderKeys.all }),
  })
}

export function useCampaigns(query: Query) {
  return useQuery<{ campaigns: Campaign[] } & Page, ApiError>({
    queryKey: campaignKeys.list(query),
    queryFn: ({ signal }) => svcFetch("/campaigns", { query, signal }),
    placeholderData: keepPreviousData,
  })
}
