import { useQuery } from "@tanstack/react-query"
import { type ApiError, svcFetch } from "../../lib/client"
import { overviewKeys } from "../../lib/query-keys"
import type { CurrentShow, PastShow } from "../../lib/types"

const LIVE_MS = 5_000
const SOON_MS = 60_000
const A_DAY_MS = 86_400_000

/** What goes wrong with it now costs sales, or will tonight. */
export const isTonight = ({ status, starts_at }: Pick<CurrentShow, "status" | "starts_at">) =>
  status === "live" || (starts_at !== null && new Date(starts_at).getTime() < Date.now() + A_DAY_MS)

export function useOverview() {
  return useQuery<{ current_shows: CurrentShow[]; past_shows: PastShow[] }, ApiError>({
    queryKey: overviewKeys.all,
    queryFn: ({ signal }) => svcFetch("/overview", { signal }),
    // While a show runs its takings grow, and one that begins soon may begin while the page is open. Otherwise coming back
    // to the page is soon enough.
    refetchInterval: ({ state }) => {
      const shows = state.data?.current_shows ?? []
      if (shows.some(({ status }) => status === "live")) return LIVE_MS
      return shows.some(isTonight) ? SOON_MS : false
    },
  })
}
