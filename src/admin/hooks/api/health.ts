import { useQuery } from "@tanstack/react-query"
import { type ApiError, svcFetch } from "../../lib/client"
import { healthKeys } from "../../lib/query-keys"
import type { Health } from "../../lib/types"

const TROUBLE_MS = 15_000
const WATCHED_MS = 60_000

/**
 * @param watched how a show stands: what goes wrong while it runs costs sales, and what goes wrong before it has to be mended
 *   in time
 */
export function useHealth(watched: "live" | "soon" | null = null) {
  return useQuery<{ health: Health }, ApiError>({
    queryKey: healthKeys.all,
    // A critical state is answered with 503, for monitors.
    queryFn: ({ signal }) => svcFetch("/health", { signal, alsoAnswers: 503 }),
    // Troubles end by themselves.
    refetchInterval: ({ state }) => {
      if (state.data?.health.status !== "ok" || watched === "live") return TROUBLE_MS
      return watched === "soon" ? WATCHED_MS : false
    },
  })
}
