import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { ApiError } from "../../lib/client"
import { setupKeys } from "../../lib/query-keys"
import type { ConnectionCheck, Setup } from "../../lib/types"
import { post, useAnswer, usePress } from "./request"

type SetupAnswer = { setup: Setup }

const WATCH_MS = 3_000

/** @param watched the checklist is open: its last steps happen elsewhere, so it is looked at again until all are done */
export const useSetup = (connectionId: string, watched = false) =>
  useAnswer<SetupAnswer>(setupKeys.detail(connectionId), `/connections/${connectionId}/setup`, {
    again: (answer) => watched && !answer?.setup.complete && WATCH_MS,
  })

/** Has the store open the storefront's address. */
export function useCheckStorefront() {
  const client = useQueryClient()
  return useMutation<SetupAnswer, ApiError, string>({
    mutationFn: (id) => post(`/connections/${id}/setup/storefront`),
    onSuccess: (answer, id) => client.setQueryData<SetupAnswer>(setupKeys.detail(id), answer),
  })
}

/** Asks a service with an address and a token that are not saved yet. */
export const useTryService = () =>
  usePress<{ check: ConnectionCheck }, { base_url: string; api_token: string }>((body) =>
    post("/service-check", body),
  )
