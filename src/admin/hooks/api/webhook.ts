import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { ApiError, svcFetch } from "../../lib/client"
import { healthKeys, webhookKeys } from "../../lib/query-keys"
import type { Webhook } from "../../lib/types"

type WebhookAnswer = { webhook: Webhook | null }

const NOT_THERE = new Set(["webhook_not_registered", "not_found"])

/** `webhook` is null where none is registered and no key was pasted. */
export function useWebhook(connectionId: string) {
  return useQuery<WebhookAnswer, ApiError>({
    queryKey: webhookKeys.detail(connectionId),
    queryFn: async ({ signal }) => {
      try {
        return await svcFetch<WebhookAnswer>(`/connections/${connectionId}/webhook`, { signal })
      } catch (error) {
        if (error instanceof ApiError && NOT_THERE.has(error.code)) return { webhook: null }
        throw error
      }
    },
    refetchInterval: 15_000,
  })
}

function useWebhookMutation<Input>(connectionId: string, run: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation<unknown, ApiError, Input>({
    mutationFn: run,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: webhookKeys.detail(connectionId) }),
        client.invalidateQueries({ queryKey: healthKeys.all }),
      ]),
  })
}

export const useRegisterWebhook = (connectionId: string) =>
  useWebhookMutation<void>(connectionId, () =>
    svcFetch(`/connections/${connectionId}/webhook`, { method: "POST", body: {} }),
  )

export const useRemoveWebhook = (connectionId: string) =>
  useWebhookMutation<void>(connectionId, () =>
    svcFetch(`/connections/${connectionId}/webhook`, { method: "DELETE" }),
  )

export const useRotateKey = (connectionId: string) =>
  useWebhookMutation<void>(connectionId, () =>
    svcFetch(`/connections/${connectionId}/webhook/rotate`, { method: "POST", body: {} }),
  )

export const usePasteKey = (connectionId: string) =>
  useWebhookMutation<string>(connectionId, (signature_key) =>
    svcFetch(`/connections/${connectionId}/webhook/key`, {
      method: "POST",
      body: { signature_key },
    }),
  )
