import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { type SvcClient, SvcError } from "../../client"
import { SVC_MODULE, type Webhook } from "../../modules/svc"
import { MISSING, NOT_WELL, stateProblem } from "../../modules/svc/webhooks/webhook-problem"
import { createConnectionWorker } from "../shared"
import { wakePulls } from "../shows"
import { findWebhook, subscriberColumns } from "./subscriber-row"

/** How old our copy may be before a person who opens the page has it read again. */
const STALE_FOR_PERSON_MS = 5_000
const PERSON_TIMEOUT_MS = 3_000

type Call = (run: (client: SvcClient) => Promise<void>) => Promise<void>

/**
 * Makes our copy of the subscriber's state equal to the service's (interface §3.2), and asks for the listings where
 * it is active again. A failed call is not thrown: the copy stays as it was.
 */
async function refresh(container: MedusaContainer, row: Webhook, call: Call): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const { id, connection_id: connectionId, webhook_uid: webhookUid } = row
  if (!webhookUid) return
  let state: string | null = null
  try {
    await call(async (client) => {
      const subscriber = await client.getWebhook(webhookUid, { timeoutMs: PERSON_TIMEOUT_MS })
      const { webhook_uid, ...columns } = subscriberColumns(subscriber)
      await svc.updateSvcWebhooks({ id, ...columns })
      state = columns.state
    })
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    if (error.code !== "svc_not_found") return
    state = MISSING
    await svc.updateSvcWebhooks({ id, state, refreshed_at: new Date() })
  }
  if (state === row.state) return
  const problem = stateProblem(state)
  if (problem) logger.warn(`svc: ${problem.message} (${connectionId}) ${problem.fix}`)
  if (isNotWell(state)) worker.wake(container, [connectionId])
  else if (state !== null && isNotWell(row.state)) {
    await svc.pulls.request("recovered", [connectionId])
    wakePulls(container, [connectionId])
  }
}

/** For a person who opens the page: at most every 5 s, with a short timeout. */
export async function refreshForPerson(container: MedusaContainer, row: Webhook): Promise<void> {
  if (!isOlderThan(row, STALE_FOR_PERSON_MS)) return
  const svc = container.resolve(SVC_MODULE)
  await refresh(container, row, (run) => svc.callNow(row.connection_id, run))
}

const worker = createConnectionWorker({
  name: "looking up the webhook",
  debounceMs: 50,
  pass: async (container, connectionId) => {
    const svc = container.resolve(SVC_MODULE)
    if (!(await svc.subscribers.takeLookUp(connectionId))) return
    const row = await findWebhook(svc, connectionId)
    if (row) await refresh(container, row, (run) => svc.call(connectionId, run))
  },
  dueInMs: (container, connectionId) =>
    container.resolve(SVC_MODULE).subscribers.lookUpInMs(connectionId),
})

/** For the job: every subscriber's state each five minutes, and more often those that are not well. */
export const refreshWebhooks = worker.work

const isOlderThan = (row: Webhook, ms: number): boolean =>
  row.refreshed_at === null || row.refreshed_at.getTime() < Date.now() - ms

const isNotWell = (state: string | null): boolean => state !== null && NOT_WELL.includes(state)
