import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { type SvcClient, SvcError } from "../../client"
import { SVC_MODULE, type Webhook } from "../../modules/svc"
import { MISSING, stateProblem } from "../../modules/svc/webhooks/webhook-problem"
import { wakePulls } from "../shows"
import { subscriberColumns } from "./subscriber-row"

/** States in which deliveries were given up: what happened meanwhile has to be read from the listings. */
const NOT_WELL = new Set(["warning", "disabled", MISSING])

/** How old our copy may be before the job, or a person who opens the page, has it read again. */
const STALE_FOR_JOB_MS = 5 * 60_000
/** Each minute: when it is activated again, what it missed has to be read soon. */
const STALE_WHILE_UNWELL_MS = 30_000
const STALE_FOR_PERSON_MS = 5_000
const PERSON_TIMEOUT_MS = 3_000

type Call = (run: (client: SvcClient) => Promise<void>) => Promise<void>

/**
 * Makes our copy of the subscriber's state equal to the service's (interface §3.2), and asks for the listings where
 * it is active again. A failed call is not thrown: the copy stays as old as it was.
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
  if (state !== null && !NOT_WELL.has(state) && row.state !== null && NOT_WELL.has(row.state)) {
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

/** For the job: all subscribers whose state is older than 5 minutes, and each minute those that are not well. */
export async function refreshWebhooks(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const rows = await svc.listSvcWebhooks({}, { take: null })
  const stale = rows.filter((row) =>
    isOlderThan(row, NOT_WELL.has(row.state ?? "") ? STALE_WHILE_UNWELL_MS : STALE_FOR_JOB_MS),
  )
  // All at once: a service that hangs must not hold up the others.
  await Promise.all(
    stale.map(async (row) => {
      try {
        await refresh(container, row, (run) => svc.call(row.connection_id, run))
      } catch (error) {
        // One connection that is being deleted, or fails unexpectedly.
        const reason = error instanceof Error ? error.message : String(error)
        container
          .resolve(ContainerRegistrationKeys.LOGGER)
          .warn(`svc: the webhook of ${row.connection_id} could not be looked up: ${reason}`)
      }
    }),
  )
}

const isOlderThan = (row: Webhook, ms: number): boolean =>
  row.refreshed_at === null || row.refreshed_at.getTime() < Date.now() - ms
