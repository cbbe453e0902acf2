import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SvcError } from "../../client"
import type { SubscriberList } from "../../contract"
import { SVC_MODULE, type Webhook } from "../../modules/svc"
import { reasonOf } from "../../modules/svc/shared/reason"
import { isNotWell, MISSING, stateProblem } from "../../modules/svc/webhooks"
import { createConnectionWorker, dueHere, isElsewhere } from "../shared"
import { wakePulls } from "../shows"
import { findOurs, findWebhook } from "./subscriber-row"

/** How old our copy may be before a person who opens the page has it read again. */
const STALE_FOR_PERSON_MS = 5_000
const PERSON_TIMEOUT_MS = 3_000
/** Nobody waits for it: a service that takes its time is heard. */
const WORKER_TIMEOUT_MS = 15_000
/** Longer than a call may take. */
const LEASE_MS = 30_000
const AFTER_FAILURE_MS = 30_000
const LATER_MS = 5 * 60_000
/** Where deliveries are given up: once they are sent again, what was missed has to be read within a minute. */
const SOON_MS = 15_000

/**
 * Writes down what the service's list says of our subscriber (interface §3.2), and has the listings read where deliveries
 * may have been given up meanwhile. What the list lacks is gone: unlike the path of one webhook (gap 13), the list's has
 * worked for whoever registered.
 *
 * @returns whether deliveries are given up
 * @throws SvcError `svc_unreadable` where it may be one that cannot be read: then nothing is written
 */
export async function noteListed(
  container: MedusaContainer,
  row: Webhook,
  listed: SubscriberList,
): Promise<boolean> {
  const { id, connection_id: connectionId, webhook_uid: webhookUid } = row
  if (!webhookUid) return false
  const svc = container.resolve(SVC_MODULE)
  const ours = findOurs(svc, row, listed) ?? null
  const told = await svc.webhooks.subscribers.told(id, webhookUid, ours)
  if (told?.pull) wakePulls(container, [connectionId])
  const state = ours ? (ours.state ?? null) : MISSING
  const problem = told && state !== told.before ? stateProblem(state) : null
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  if (problem) {
    logger.warn(`svc: ${problem.message} (${connectionId}) ${problem.fix}`)
    // Also where a person's look has found it: what is not well is looked up more often from now on.
    await svc.webhooks.lookUps.request([connectionId])
    worker.wake(container, [connectionId])
  }
  return isNotWell(state)
}

/** For a person who opens the page: at most every 5 s, with a short timeout. A failed call leaves our copy as it was. */
export async function refreshForPerson(container: MedusaContainer, row: Webhook): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const freshSince = (await svc.shows.projection.now()) - STALE_FOR_PERSON_MS
  if (!row.webhook_uid || (row.refreshed_at?.getTime() ?? 0) >= freshSince) return
  try {
    const listed = await svc.connections.calls.now(row.connection_id, "webhooks", (client) =>
      client.listWebhooks({ timeoutMs: PERSON_TIMEOUT_MS }),
    )
    await noteListed(container, row, listed)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
  }
}

/** Looks the subscriber's state up each five minutes, and more often where it is not well. */
async function refresh(container: MedusaContainer, connectionId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  if (await isElsewhere(svc, connectionId)) return
  const { lookUps } = svc.webhooks
  const work = await lookUps.claim(connectionId, LEASE_MS)
  if (!work) return
  const row = await findWebhook(svc, connectionId)
  if (!row?.webhook_uid) {
    await lookUps.settle(work, LATER_MS)
    return
  }
  try {
    const listed = await svc.connections.calls.inBackground(connectionId, "webhooks", (client) =>
      client.listWebhooks({ timeoutMs: WORKER_TIMEOUT_MS }),
    )
    await lookUps.settle(work, (await noteListed(container, row, listed)) ? SOON_MS : LATER_MS)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    await lookUps.retry(work, error.retryAfterMs ?? AFTER_FAILURE_MS, reasonOf(error))
  }
}

const worker = createConnectionWorker({
  name: "looking up the webhook",
  debounceMs: 50,
  pass: refresh,
  dueInMs: async (container, connectionId) => {
    const svc = container.resolve(SVC_MODULE)
    return dueHere(svc, await svc.webhooks.lookUps.dueInMs(connectionId))
  },
})

/** For the job. */
export const refreshWebhooks = worker.work
