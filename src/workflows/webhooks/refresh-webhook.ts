import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { type SvcClient, SvcError } from "../../client"
import { SVC_MODULE, type Webhook } from "../../modules/svc"
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

type Call = <T>(run: (client: SvcClient) => Promise<T>) => Promise<T>

/**
 * Makes our copy of the subscriber's state equal to the service's (interface §3.2), and has the listings read where
 * deliveries may have been given up meanwhile. A failed call is not thrown: the copy stays as it was.
 */
async function refresh(
  container: MedusaContainer,
  row: Webhook,
  call: Call,
  timeoutMs: number,
): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const { id, webhook_uid: webhookUid } = row
  if (!webhookUid) return
  let answer: ToldSubscriber
  try {
    answer = await call((client) => lookUp(client, webhookUid, timeoutMs))
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    if (error.retryAfterMs) await svc.webhooks.subscribers.postponeLookUp(id, error.retryAfterMs)
    return
  }
  await noteTold(container, row, answer)
}

/** Writes down what the service said of our subscriber, and does what follows from it. */
export async function noteTold(
  container: MedusaContainer,
  { id, connection_id: connectionId, webhook_uid: webhookUid }: Webhook,
  answer: ToldSubscriber,
): Promise<void> {
  if (!webhookUid) return
  const svc = container.resolve(SVC_MODULE)
  const told = await svc.webhooks.subscribers.told(id, webhookUid, answer)
  if (!told) return
  if (told.pull) wakePulls(container, [connectionId])
  if (answer.state === told.before) return
  const problem = stateProblem(answer.state)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  if (problem) logger.warn(`svc: ${problem.message} (${connectionId}) ${problem.fix}`)
  // Looked up more often from now on.
  if (isNotWell(answer.state)) worker.wake(container, [connectionId])
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

/** For a person who opens the page: at most every 5 s, with a short timeout. */
export async function refreshForPerson(container: MedusaContainer, row: Webhook): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  if (!(await svc.webhooks.subscribers.isOlderThan(row.id, STALE_FOR_PERSON_MS))) return
  await refresh(
    container,
    row,
    (run) => svc.connections.calls.now(row.connection_id, "webhooks", run),
    PERSON_TIMEOUT_MS,
  )
}

const worker = createConnectionWorker({
  name: "looking up the webhook",
  debounceMs: 50,
  pass: async (container, connectionId) => {
    const svc = container.resolve(SVC_MODULE)
    if (!(await svc.webhooks.subscribers.takeLookUp(connectionId))) return
    const row = await findWebhook(svc, connectionId)
    if (row)
      await refresh(
        container,
        row,
        (run) => svc.connections.calls.inBackground(connectionId, "webhooks", run),
        WORKER_TIMEOUT_MS,
      )
  },
  dueInMs: (container, connectionId) =>
    container.resolve(SVC_MODULE).webhooks.subscribers.lookUpInMs(connectionId),
})

/** For the job: every subscriber's state each five minutes, and more often those that are not well. */
export const refreshWebhooks = worker.work
