import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { type SvcClient, SvcError } from "../../client"
import { SVC_MODULE, type Webhook } from "../../modules/svc"
import { reasonOf } from "../../modules/svc/shared/reason"
import type { ToldSubscriber } from "../../modules/svc/webhooks"
import { isNotWell, MISSING, stateProblem } from "../../modules/svc/webhooks"
import { createConnectionWorker } from "../shared"
import { wakePulls } from "../shows"
import { findWebhook, toldSubscriber } from "./subscriber-row"

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
 * Writes down what the service said of our subscriber (interface §3.2), and has the listings read where deliveries may have
 * been given up meanwhile.
 *
 * @returns whether it is worse than before
 */
async function note(
  container: MedusaContainer,
  { id, connection_id: connectionId, webhook_uid: webhookUid }: Webhook,
  answer: ToldSubscriber,
): Promise<boolean> {
  if (!webhookUid) return false
  const svc = container.resolve(SVC_MODULE)
  const told = await svc.webhooks.subscribers.told(id, webhookUid, answer)
  if (told?.pull) wakePulls(container, [connectionId])
  if (!told || answer.state === told.before) return false
  const problem = stateProblem(answer.state)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  if (problem) logger.warn(`svc: ${problem.message} (${connectionId}) ${problem.fix}`)
  return isNotWell(answer.state)
}

/** The same where a person has asked: what is not well is looked up more often from now on. */
export async function noteTold(
  container: MedusaContainer,
  row: Webhook,
  answer: ToldSubscriber,
): Promise<void> {
  if (!(await note(container, row, answer))) return
  await container.resolve(SVC_MODULE).webhooks.lookUps.request([row.connection_id])
  worker.wake(container, [row.connection_id])
}

/** The path of one webhook is a guess (gap 13). The list's has worked for whoever registered: what it lacks is gone. */
async function lookUp(
  client: SvcClient,
  webhookUid: string,
  timeoutMs: number,
): Promise<ToldSubscriber> {
  try {
    return toldSubscriber(await client.getWebhook(webhookUid, { timeoutMs }))
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== "svc_not_found") throw error
    const listed = await client.listWebhooks({ timeoutMs })
    const known = listed.find((one) => one.webhookUid === webhookUid)
    return known ? toldSubscriber(known) : { state: MISSING }
  }
}

/** For a person who opens the page: at most every 5 s, with a short timeout. A failed call leaves our copy as it was. */
export async function refreshForPerson(container: MedusaContainer, row: Webhook): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const { connection_id: connectionId, webhook_uid: webhookUid } = row
  if (!webhookUid) return
  if (!(await svc.webhooks.subscribers.isOlderThan(row.id, STALE_FOR_PERSON_MS))) return
  try {
    const answer = await svc.connections.calls.now(connectionId, "webhooks", (client) =>
      lookUp(client, webhookUid, PERSON_TIMEOUT_MS),
    )
    await noteTold(container, row, answer)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
  }
}

/** Looks the subscriber's state up each five minutes, and more often where it is not well. */
async function refresh(container: MedusaContainer, connectionId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const { lookUps } = svc.webhooks
  const work = await lookUps.claim(connectionId, LEASE_MS)
  if (!work) return
  const row = await findWebhook(svc, connectionId)
  const webhookUid = row?.webhook_uid
  if (!webhookUid) {
    await lookUps.settle(work, LATER_MS)
    return
  }
  try {
    const answer = await svc.connections.calls.inBackground(connectionId, "webhooks", (client) =>
      lookUp(client, webhookUid, WORKER_TIMEOUT_MS),
    )
    await note(container, row, answer)
    await lookUps.settle(work, isNotWell(answer.state) ? SOON_MS : LATER_MS)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    await lookUps.retry(work, error.retryAfterMs ?? AFTER_FAILURE_MS, reasonOf(error))
  }
}

const worker = createConnectionWorker({
  name: "looking up the webhook",
  debounceMs: 50,
  pass: refresh,
  dueInMs: (container, connectionId) =>
    container.resolve(SVC_MODULE).webhooks.lookUps.dueInMs(connectionId),
})

/** For the job. */
export const refreshWebhooks = worker.work
