import { useQuery } from "@tanstack/react-query"
import { type ApiError, svcFetch } from "../../lib/client"
import { healthKeys } from "../../lib/query-keys"
import type { Health } from "../../lib/types"

const TROUBLE_MS = 15_000

/** @param watched a show runs: what goes wrong now costs sales */
export function useHealth(watched = false) {
  return useQuery<{ health: Health }, ApiError>({
    queryKey: healthKeys.all,
    // A critical state is answered with 503, for monitors.
    queryFn: ({ signal }) => svcFetch("/health", { signal, alsoAnswers: 503 }),
    // Troubles end by themselves.
    refetchInterval: ({ state }) =>
      state.data?.health.status === "ok" && !watched ? false : TROUBLE_MS,
  })
}
