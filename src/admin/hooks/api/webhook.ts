import { useQuery } from "@tanstack/react-query"
import { ApiError, svcFetch } from "../../lib/client"
import { healthKeys, setupKeys, webhookKeys } from "../../lib/query-keys"
import type { DeliveryTopic, Finding, Reading, TestDelivery, Webhook } from "../../lib/types"
import { post, useAnswer, usePress } from "./request"

type WebhookAnswer = { webhook: Webhook | null }
type WebhookSettings = {
  name?: string
  topics: DeliveryTopic[]
  custom_headers?: { name: string; value: string }[]
}

const TROUBLE_MS = 15_000
const NOT_THERE = new Set(["webhook_not_registered", "not_found"])
const pathOf = (connectionId: string) => `/connections/${connectionId}/webhook`

/** `webhook` is null where none is registered and no key was pasted. */
export function useWebhook(connectionId: string) {
  return useQuery<WebhookAnswer, ApiError>({
    queryKey: webhookKeys.detail(connectionId),
    queryFn: async ({ signal }) => {
      try {
        return await svcFetch<WebhookAnswer>(pathOf(connectionId), { signal })
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
export const useDoctor = (connectionId: string) =>
  useAnswer<{ findings: Finding[] }>(
    [...webhookKeys.detail(connectionId), "doctor"],
    `${pathOf(connectionId)}/doctor`,
    { enabled: false },
  )

/** What was found when the lists of the service were read, the latest first. */
export const useReadings = (connectionId: string) =>
  useAnswer<{ reconciliations: Reading[] }>(
    [...webhookKeys.detail(connectionId), "readings"],
    `${pathOf(connectionId)}/reconciliations`,
    { query: { limit: 5 } },
  )

const useWebhookPress = <Input, Answer = unknown>(
  connectionId: string,
  run: (input: Input, path: string) => Promise<Answer>,
) =>
  usePress<Answer, Input>(
    (input) => run(input, pathOf(connectionId)),
    [webhookKeys.detail(connectionId), healthKeys.all, setupKeys.detail(connectionId)],
  )

/** Waits for the test delivery that somebody fires in the service's settings. */
export const useTestDelivery = (connectionId: string) =>
  useWebhookPress<void, { test: TestDelivery }>(connectionId, (_, path) => post(`${path}/test`))

/** Registers it, or changes the one that is there; without settings with all topics. */
export const useRegisterWebhook = (connectionId: string) =>
  useWebhookPress<WebhookSettings | undefined>(connectionId, (settings, path) =>
    post(path, settings),
  )

export const useRemoveWebhook = (connectionId: string) =>
  useWebhookPress<void>(connectionId, (_, path) => svcFetch(path, { method: "DELETE" }))

export const useRotateKey = (connectionId: string) =>
  useWebhookPress<void>(connectionId, (_, path) => post(`${path}/rotate`))

export const usePasteKey = (connectionId: string) =>
  useWebhookPress<string>(connectionId, (signature_key, path) =>
    post(`${path}/key`, { signature_key }),
  )
