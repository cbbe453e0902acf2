import { useQuery } from "@tanstack/react-query"
import { type ApiError, svcFetch } from "../../lib/client"
import { overviewKeys } from "../../lib/query-keys"
import type { CurrentShow, PastShow } from "../../lib/types"

const LIVE_MS = 5_000

export function useOverview() {
  return useQuery<{ current_shows: CurrentShow[]; past_shows: PastShow[] }, ApiError>({
    queryKey: overviewKeys.all,
    queryFn: ({ signal }) => svcFetch("/overview", { signal }),
    // While a show runs its takings grow; otherwise coming back to the page is soon enough.
    refetchInterval: ({ state }) =>
      state.data?.current_shows.some(({ status }) => status === "live") ? LIVE_MS : false,
  })
}
