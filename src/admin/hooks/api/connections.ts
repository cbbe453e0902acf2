import { useEffect, useRef } from "react"
import { type Query, svcFetch } from "../../lib/client"
import type { Connection, Page, Setup, Sync, TestDelivery, Webhook } from "../../lib/types"
import { post, useAnswer, usePress, useRenew } from "./request"

export const pathOf = (connectionId: string) => `/connections/${connectionId}`
export const syncPath = (connectionId: string) => `${pathOf(connectionId)}/sync`
export const webhookPath = (connectionId: string) => `${pathOf(connectionId)}/webhook`

/** Names are looked up in one page: a store has a connection per market, and hardly 200 markets. */
const ALL_CONNECTIONS: Query = { limit: 200, order: "name" }

export const useConnections = () =>
  useAnswer<{ connections: Connection[] } & Page>("/connections", { query: ALL_CONNECTIONS })

export const useConnection = (id: string) => useAnswer<{ connection: Connection }>(pathOf(id))

const SETUP_MS = 3_000

/** @param watched the checklist is open: its last steps happen elsewhere, so it is looked at again until all are done */
export const useSetup = (id: string, watched = false) =>
  useAnswer<{ setup: Setup }>(`${pathOf(id)}/setup`, {
    again: (answer) => watched && !answer?.setup.complete && SETUP_MS,
  })

/** Has the store open the storefront's address. */
export const useCheckStorefront = () =>
  usePress<{ setup: Setup }, string>((id) => post(`${pathOf(id)}/setup/storefront`))

const RUNNING_MS = 1_000

/** The latest import, watched closely while it runs. What begins, holds or ends it is news for the other cards, too. */
export function useSync(id: string) {
  const renew = useRenew()
  const query = useAnswer<{ sync: Sync }>(syncPath(id), {
    // A hold ends by itself, so it is watched too.
    again: (answer) => answer?.sync.status === "running" && RUNNING_MS,
  })
  const sync = query.data?.sync
  const state = sync && `${sync.status} ${sync.reason?.code}`
  const seen = useRef(state)
  useEffect(() => {
    if (seen.current && seen.current !== state) void renew()
    seen.current = state
  }, [renew, state])
  return query
}

export type SyncAction = "start" | "pause" | "resume" | "cancel"

export const useSyncAction = (id: string, done?: () => void) =>
  usePress<{ sync: Sync }, SyncAction>(
    (action) => post(action === "start" ? syncPath(id) : `${syncPath(id)}/${action}`),
    { done },
  )

/** `webhook` is null where none is registered and no key was pasted. */
export const useWebhook = (id: string) => useAnswer<{ webhook: Webhook | null }>(webhookPath(id))

/** As it is now, whatever was read before. */
export const readWebhook = async (id: string) =>
  (await svcFetch<{ webhook: Webhook | null }>(webhookPath(id))).webhook

/** Waits for the test delivery that somebody fires in the service's settings. */
export const useTestDelivery = (id: string) =>
  usePress<{ test: TestDelivery }>(() => post(`${webhookPath(id)}/test`), { showsError: true })
