import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type ApiError, type Query, svcFetch } from "../../lib/client"
import { deliveryKeys, liveEventKeys } from "../../lib/query-keys"
import type { Delivery, DeliveryDetail, Page } from "../../lib/types"

const APPLYING_MS = 2_000

export function useDeliveries(query: Query) {
  return useQuery<{ deliveries: Delivery[] } & Page, ApiError>({
    queryKey: deliveryKeys.list(query),
    queryFn: ({ signal }) => svcFetch("/deliveries", { query, signal }),
    placeholderData: keepPreviousData,
    // One of them is being applied: look again until it has been.
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ outcome }) => outcome === "received") ? APPLYING_MS : false,
  })
}

export function useDelivery(id: string) {
  return useQuery<{ delivery: DeliveryDetail }, ApiError>({
    queryKey: deliveryKeys.detail(id),
    queryFn: ({ signal }) => svcFetch(`/deliveries/${id}`, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.delivery.outcome === "received" ? APPLYING_MS : false,
  })
}

/** Filters of the table, as the route that replays many takes them. */
export function useReplayDeliveries() {
  const client = useQueryClient()
  return useMutation<{ count: number }, ApiError, Query>({
    mutationFn: (filters) => svcFetch("/deliveries/replay", { method: "POST", body: { filters } }),
    onSettled: () => client.invalidateQueries({ queryKey: deliveryKeys.all }),
  })
}

export function useReplayDelivery() {
  const client = useQueryClient()
  return useMutation<{ delivery: DeliveryDetail }, ApiError, string>({
    mutationFn: (id) => svcFetch(`/deliveries/${id}/replay`, { method: "POST", body: {} }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: deliveryKeys.all }),
        client.invalidateQueries({ queryKey: liveEventKeys.all }),
      ]),
  })
}
