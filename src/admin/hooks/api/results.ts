import type { Query } from "../../lib/client"
import { resultKeys } from "../../lib/query-keys"
import type { Page, Result } from "../../lib/types"
import { useList } from "./request"

/** @param watched a show that runs: its results grow */
export const useResults = (query: Query, watched: boolean) =>
  useList<{ results: Result[] } & Page>(resultKeys.list(query), "/results", query, {
    again: () => watched && 5_000,
  })
