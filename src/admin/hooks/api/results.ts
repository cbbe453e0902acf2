import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type ApiError, type Query, svcFetch } from "../../lib/client"
import { resultKeys } from "../../lib/query-keys"
import type { Page, Result } from "../../lib/types"

/** @param watched a show that runs: its results grow */
export function useResults(query: Query, watched: boolean) {
  return useQuery<{ results: Result[] } & Page, ApiError>({
    queryKey: resultKeys.list(query),
    queryFn: ({ signal }) => svcFetch("/results", { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: watched ? 5_000 : false,
  })
}
