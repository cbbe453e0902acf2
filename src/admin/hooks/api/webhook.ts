import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { ApiError, svcFetch } from "../../lib/client"
import { healthKeys, setupKeys, webhookKeys } from "../../lib/query-keys"
import type { DeliveryTopic, Finding, Reading, TestDelivery, Webhook } from "../../lib/types"

type WebhookAnswer = { webhook: Webhook | null }
type WebhookSettings = {
  name?: string
  topics: DeliveryTopic[]
  custom_headers?: { name: string; value: string }[]
}

const TROUBLE_MS = 15_000
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
    // What is wrong is looked at again by itself; a webhook that is well is not.
    refetchInterval: ({ state }) => (state.data?.webhook?.last_error ? TROUBLE_MS : false),
  })
}

/** Looks for why nothing arrives, when somebody asks: it sends deliveries to the store's own address. */
export function useDoctor(connectionId: string) {
  return useQuery<{ findings: Finding[] }, ApiError>({
    enabled: false,
    queryKey: [...webhookKeys.detail(connectionId), "doctor"],
    queryFn: ({ signal }) => svcFetch(`/connections/${connectionId}/webhook/doctor`, { signal }),
  })
}

/** Waits for the test delivery that somebody fires in the service's settings. */
export function useTestDelivery(connectionId: string) {
  const client = useQueryClient()
  return useMutation<{ test: TestDelivery }, ApiError, void>({
    mutationFn: () =>
      svcFetch(`/connections/${connectionId}/webhook/test`, { method: "POST", body: {} }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: webhookKeys.detail(connectionId) }),
        client.invalidateQueries({ queryKey: setupKeys.detail(connectionId) }),
      ]),
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
        client.invalidateQueries({ queryKey: setupKeys.detail(connectionId) }),
      ]),
  })
}

/** Registers it, or changes the one that is there; without settings with all topics. */
export const useRegisterWebhook = (connectionId: string) =>
  useWebhookMutation<WebhookSettings | undefined>(connectionId, (settings) =>
    svcFetch(`/connections/${connectionId}/webhook`, { method: "POST", body: settings ?? {} }),
  )

/** What was found when the lists of the service were read, the latest first. */
export function useReadings(connectionId: string) {
  const query = { limit: 5 }
  return useQuery<{ reconciliations: Reading[] }, ApiError>({
    queryKey: [...webhookKeys.detail(connectionId), "readings"],
    queryFn: ({ signal }) =>
      svcFetch(`/connections/${connectionId}/webhook/reconciliations`, { query, signal }),
  })
}

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
