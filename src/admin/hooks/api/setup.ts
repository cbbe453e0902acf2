import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type ApiError, svcFetch } from "../../lib/client"
import { setupKeys } from "../../lib/query-keys"
import type { ConnectionCheck, Setup } from "../../lib/types"

type SetupAnswer = { setup: Setup }

const WATCH_MS = 3_000

/** @param watched the checklist is open: its last steps happen elsewhere, so it is looked at again until all are done */
export function useSetup(connectionId: string, watched = false) {
  return useQuery<SetupAnswer, ApiError>({
    queryKey: setupKeys.detail(connectionId),
    queryFn: ({ signal }) => svcFetch(`/connections/${connectionId}/setup`, { signal }),
    refetchInterval: ({ state }) => (watched && !state.data?.setup.complete ? WATCH_MS : false),
  })
}

/** Has the store open the storefront's address. */
export function useCheckStorefront() {
  const client = useQueryClient()
  return useMutation<SetupAnswer, ApiError, string>({
    mutationFn: (id) =>
      svcFetch(`/connections/${id}/setup/storefront`, { method: "POST", body: {} }),
    onSuccess: (answer, id) => client.setQueryData<SetupAnswer>(setupKeys.detail(id), answer),
  })
}

/** Asks a service with an address and a token that are not saved yet. */
export function useTryService() {
  return useMutation<{ check: ConnectionCheck }, ApiError, { base_url: string; api_token: string }>(
    {
      mutationFn: (body) => svcFetch("/service-check", { method: "POST", body }),
    },
  )
}
