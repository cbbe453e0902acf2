import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query"
import { type ApiError, type Query, svcFetch } from "../../lib/client"
import {
  connectionKeys,
  healthKeys,
  liveEventKeys,
  overviewKeys,
  productKeys,
  setupKeys,
  syncKeys,
  webhookKeys,
} from "../../lib/query-keys"
import type {
  Connection,
  ConnectionCheck,
  ConnectionInput,
  Feed,
  Page,
  Preview,
} from "../../lib/types"

import { post, useAnswer, useList, usePress } from "./request"

type ConnectionAnswer = { connection: Connection }
type ConnectionsAnswer = { connections: Connection[] } & Page

/** Names are looked up in one page: a store has a connection per market, and hardly 200 markets. */
const ALL_CONNECTIONS: Query = { limit: 200, order: "name" }

export const useConnections = (query: Query = ALL_CONNECTIONS) =>
  useList<ConnectionsAnswer>(connectionKeys.list(query), "/connections", query)

export const useConnection = (id: string) =>
  useAnswer<ConnectionAnswer>(connectionKeys.detail(id), `/connections/${id}`)

/** Puts the answer into the cache that the pages read, so that they show it at once. */
function remember(client: QueryClient, { connection }: ConnectionAnswer) {
  client.setQueryData<ConnectionAnswer>(connectionKeys.detail(connection.id), { connection })
  return Promise.all([
    client.invalidateQueries({ queryKey: connectionKeys.lists() }),
    client.invalidateQueries({ queryKey: healthKeys.all }),
    client.invalidateQueries({ queryKey: setupKeys.detail(connection.id) }),
    // A refused token holds up its catalog, too.
    client.invalidateQueries({ queryKey: syncKeys.detail(connection.id) }),
    // Whether products of its shows can be bought depends on it.
    client.invalidateQueries({ queryKey: overviewKeys.all }),
    client.invalidateQueries({ queryKey: liveEventKeys.all }),
  ])
}

function useConnectionChange<Answer extends ConnectionAnswer, Input>(
  run: (input: Input) => Promise<Answer>,
) {
  const client = useQueryClient()
  return useMutation<Answer, ApiError, Input>({
    mutationFn: run,
    onSuccess: (answer) => remember(client, answer),
  })
}

export const useCreateConnection = () =>
  useConnectionChange<ConnectionAnswer, ConnectionInput>((body) => post("/connections", body))

export const useUpdateConnection = (id: string) =>
  useConnectionChange<ConnectionAnswer, Partial<ConnectionInput>>((body) =>
    post(`/connections/${id}`, body),
  )

/** Asks the service now. A failed check is an answer, not an error. */
export const useCheckConnection = () =>
  useConnectionChange<ConnectionAnswer & { check: ConnectionCheck }, string>((id) =>
    post(`/connections/${id}/check`),
  )

export function useDeleteConnection() {
  const client = useQueryClient()
  return useMutation<{ id: string }, ApiError, string>({
    mutationFn: (id) => svcFetch(`/connections/${id}`, { method: "DELETE" }),
    onSuccess: async ({ id }) => {
      for (const keys of [connectionKeys, setupKeys, syncKeys, webhookKeys]) {
        client.removeQueries({ queryKey: keys.detail(id) })
      }
      await Promise.all([
        client.invalidateQueries({ queryKey: connectionKeys.lists() }),
        client.invalidateQueries({ queryKey: productKeys.all }),
        client.invalidateQueries({ queryKey: healthKeys.all }),
      ])
    },
  })
}

/** Opens the feed, with a password that is shown this once, or closes it. */
export const useFeed = (id: string) =>
  usePress<{ feed?: Feed }, "open" | "close">(
    (change) =>
      change === "open"
        ? post(`/connections/${id}/feed`)
        : svcFetch(`/connections/${id}/feed`, { method: "DELETE" }),
    [connectionKeys.detail(id)],
  )

/** Counts what an import would send, with the settings as they are saved. Nothing is sent. */
export const usePreview = (id: string) =>
  usePress<{ preview: Preview }>(() => post(`/connections/${id}/sync/preview`))
