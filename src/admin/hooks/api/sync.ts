import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import type { ApiError } from "../../lib/client"
import { connectionKeys, healthKeys, productKeys, setupKeys, syncKeys } from "../../lib/query-keys"
import type { Sync } from "../../lib/types"
import { post, useAnswer } from "./request"

type SyncAnswer = { sync: Sync }

const WATCH_MS = 1_000
const HELD_MS = 2_000
/** The counts are several queries, so they are read less often than the import itself. */
const COUNTS_MS = 3_000

/** The latest import, watched closely while it runs; the counts of products follow it. */
export function useSync(connectionId: string) {
  const client = useQueryClient()
  const path = `/connections/${connectionId}/sync`
  const query = useAnswer<SyncAnswer>(syncKeys.detail(connectionId), path, {
    // A hold ends by itself, so it is watched too; at rest nothing changes here.
    again: (answer) =>
      answer?.sync.status === "running" && (answer.sync.reason ? HELD_MS : WATCH_MS),
  })
  const { status, done, reason } = query.data?.sync ?? {}
  const why = reason?.code
  const seenWhy = useRef<{ why?: string; at: number }>({ at: 0 })
  const at = query.dataUpdatedAt
  useEffect(() => {
    const before = seenWhy.current
    seenWhy.current = { why, at }
    if (before.why === why && (!why || before.at === at)) return
    // What holds the import may be the connection's own: as long as it holds, the page must not call it good.
    void client.invalidateQueries({ queryKey: connectionKeys.detail(connectionId) })
    if (before.why !== why) void client.invalidateQueries({ queryKey: healthKeys.all })
  }, [client, connectionId, why, at])
  const seen = useRef({ status, done, at: 0 })
  useEffect(() => {
    const before = seen.current
    if (before.status === status && before.done === done) return
    const ended = before.status !== status
    const due = ended || Date.now() - before.at > COUNTS_MS
    seen.current = { status, done, at: due ? Date.now() : before.at }
    if (before.status === undefined || !due) return
    void client.invalidateQueries({ queryKey: productKeys.lists() })
    if (!ended) return
    // The import may have ended because the token was refused.
    void client.invalidateQueries({ queryKey: connectionKeys.detail(connectionId) })
    void client.invalidateQueries({ queryKey: setupKeys.detail(connectionId) })
  }, [client, connectionId, status, done])
  return query
}

export type SyncAction = "start" | "pause" | "resume" | "cancel"

export function useSyncAction(connectionId: string) {
  const client = useQueryClient()
  return useMutation<SyncAnswer, ApiError, SyncAction>({
    mutationFn: (action) =>
      post(`/connections/${connectionId}/sync${action === "start" ? "" : `/${action}`}`),
    onSuccess: (answer) => {
      client.setQueryData<SyncAnswer>(syncKeys.detail(connectionId), answer)
    },
    // The action may be refused because the import is in another state than the page showed: read its state.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: syncKeys.detail(connectionId) }),
        client.invalidateQueries({ queryKey: setupKeys.detail(connectionId) }),
        client.invalidateQueries({ queryKey: healthKeys.all }),
      ]),
  })
}
