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

const WAITING_MS = 2_000

const WATCHED_MS = 5_000

/** @param watched a show that runs: its orders become more */
export function useAttributedOrders(query: Query, watched = false) {
  return useQuery<{ orders: AttributedOrder[] } & Page, ApiError>({
    queryKey: orderKeys.list(query),
    queryFn: ({ signal }) => svcFetch("/orders", { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.orders.some((order) => order.state === "waiting")
        ? WAITING_MS
        : watched && WATCHED_MS,
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
    refetchInterval: ({ state }) => (state.data?.order.state === "waiting" ? WAITING_MS : false),
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

export function useCampaigns(query: Query) {
  return useQuery<{ campaigns: Campaign[] } & Page, ApiError>({
    queryKey: campaignKeys.list(query),
    queryFn: ({ signal }) => svcFetch("/campaigns", { query, signal }),
    placeholderData: keepPreviousData,
  })
}
