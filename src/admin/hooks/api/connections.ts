import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
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

type ConnectionAnswer = { connection: Connection }
type ConnectionsAnswer = { connections: Connection[] } & Page

/** Names are looked up in one page: a store has a connection per market, and hardly 200 markets. */
const ALL_CONNECTIONS: Query = { limit: 200, order: "name" }

export function useConnections(query: Query = ALL_CONNECTIONS) {
  return useQuery<ConnectionsAnswer, ApiError>({
    queryKey: connectionKeys.list(query),
    queryFn: ({ signal }) => svcFetch("/connections", { query, signal }),
    placeholderData: keepPreviousData,
  })
}

export function useConnection(id: string) {
  return useQuery<ConnectionAnswer, ApiError>({
    queryKey: connectionKeys.detail(id),
    queryFn: ({ signal }) => svcFetch(`/connections/${id}`, { signal }),
  })
}

/** Puts the answer into the cache that the pages read, so that they show it at once. */
function remember(client: QueryClient, { connection }: ConnectionAnswer) {
  client.setQueryData<ConnectionAnswer>(connectionKeys.detail(connection.id), { connection })
  return Promise.all([
    client.invalidateQueries({ queryKey: connectionKeys.lists() }),
    client.invalidateQueries({ queryKey: healthKeys.all }),
    client.invalidateQueries({ queryKey: setupKeys.detail(connection.id) }),
    // Whether products of its shows can be bought depends on it.
    client.invalidateQueries({ queryKey: overviewKeys.all }),
    client.invalidateQueries({ queryKey: liveEventKeys.all }),
  ])
}

export function useCreateConnection() {
  const client = useQueryClient()
  return useMutation<ConnectionAnswer, ApiError, ConnectionInput>({
    mutationFn: (body) => svcFetch("/connections", { method: "POST", body }),
    onSuccess: (answer) => remember(client, answer),
  })
}

export function useUpdateConnection(id: string) {
  const client = useQueryClient()
  return useMutation<ConnectionAnswer, ApiError, Partial<ConnectionInput>>({
    mutationFn: (body) => svcFetch(`/connections/${id}`, { method: "POST", body }),
    onSuccess: (answer) => remember(client, answer),
  })
}

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
export function useFeed(id: string) {
  const client = useQueryClient()
  return useMutation<{ feed?: Feed }, ApiError, "open" | "close">({
    mutationFn: (change) =>
      svcFetch(
        `/connections/${id}/feed`,
        change === "open" ? { method: "POST", body: {} } : { method: "DELETE" },
      ),
    onSettled: () => client.invalidateQueries({ queryKey: connectionKeys.detail(id) }),
  })
}

/** Counts what an import would send, with the settings as they are saved. Nothing is sent. */
export function usePreview(id: string) {
  return useMutation<{ preview: Preview }, ApiError, void>({
    mutationFn: () => svcFetch(`/connections/${id}/sync/preview`, { method: "POST", body: {} }),
  })
}

/** Asks the service now. A failed check is an answer, not an error. */
export function useCheckConnection() {
  const client = useQueryClient()
  return useMutation<ConnectionAnswer & { check: ConnectionCheck }, ApiError, string>({
    mutationFn: (id) => svcFetch(`/connections/${id}/check`, { method: "POST", body: {} }),
    onSuccess: (answer) => remember(client, answer),
  })
}
