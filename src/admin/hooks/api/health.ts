import { useQuery } from "@tanstack/react-query"
import { type ApiError, svcFetch } from "../../lib/client"
import { healthKeys } from "../../lib/query-keys"
import type { Health } from "../../lib/types"

export function useHealth() {
  return useQuery<{ health: Health }, ApiError>({
    queryKey: healthKeys.all,
    queryFn: ({ signal }) => svcFetch("/health", { signal }),
    refetchInterval: 15_000,
  })
}
