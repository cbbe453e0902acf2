import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type ApiError, type Query, svcFetch } from "../../lib/client"
import { liveEventKeys } from "../../lib/query-keys"
import type { LiveEvent, LiveEventDetail, Page } from "../../lib/types"

const MOVING_MS = 10_000
/** A show that runs or comes changes by itself; one that is over does not. */
const moves = ({ status }: Pick<LiveEvent, "status">) => status === "live" || status === "planned"

export function useLiveEvents(query: Query, enabled = true) {
  return useQuery<{ live_events: LiveEvent[] } & Page, ApiError>({
    enabled,
    queryKey: liveEventKeys.list(query),
    queryFn: ({ signal }) => svcFetch("/live-events", { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.live_events.some(moves) ? MOVING_MS : false),
  })
}

export function useLiveEvent(id: string) {
  return useQuery<{ live_event: LiveEventDetail }, ApiError>({
    queryKey: liveEventKeys.detail(id),
    queryFn: ({ signal }) => svcFetch(`/live-events/${id}`, { signal }),
    // A product waits to be sent: look again until it has gone out.
    refetchInterval: ({ state }) =>
      state.data?.live_event.products.some((product) => product.catalog_item?.state === "pending")
        ? 2_000
        : state.data && moves(state.data.live_event)
          ? MOVING_MS
          : false,
  })
}
