import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { readDelivery } from "../../contract"
import { SVC_MODULE } from "../../modules/svc"
import { type EventWrite, type ProductWrite, readWrite } from "../../modules/svc/apply"
import { backoffMs } from "../../modules/svc/backoff"
import type SvcModuleService from "../../modules/svc/service"
import { type ClaimedDelivery, type Completion, InboxRows } from "../../modules/svc/sql/inbox"
import { ProjectionRows, type WriteOutcome } from "../../modules/svc/sql/projection"
import { createWorker } from "../worker"
import { EVENT_PRODUCT_CHANGED, LIVE_EVENT_CHANGED } from "./projection-events"

const BATCH = 200
/** A delivery that cannot be applied for a day is left to a person. */
const GIVE_UP_MS = 24 * 3_600_000

/**
 * Applies what the inbox holds, until nothing is due. Any number of processes may do so at once, and be killed at
 * any point: a claimed row is due again when its lease ends, and applying it twice changes nothing.
 *
 * @returns how many deliveries were taken
 */
export async function applyInbox(container: MedusaContainer): Promise<number> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const inbox = new InboxRows(svc.database())
  let taken = 0
  for (;;) {
    const { token, deliveries } = await inbox.claim(BATCH)
    if (deliveries.length === 0) return taken
    taken += deliveries.length
    try {
      await applyBatch(container, svc, inbox, token, deliveries)
    } catch {
      // One row that the database does not take must not hold up the others: each goes alone.
      for (const delivery of deliveries) await applyAlone(container, svc, inbox, token, delivery)
    }
  }
}

const inboxWorker = createWorker({
  name: "applying deliveries",
  debounceMs: 5,
  pass: applyInbox,
  nextInMs: (container) =>
    new InboxRows(container.resolve<SvcModuleService>(SVC_MODULE).database()).nextInMs(),
})

/** Applies the inbox soon; the minute job finds what this wake-up missed. */
export const wakeInbox = inboxWorker.wake
/** Applies what is due now, or joins whoever does. */
export const workInbox = inboxWorker.work

async function applyAlone(
  container: MedusaContainer,
  svc: SvcModuleService,
  inbox: InboxRows,
  token: string,
  delivery: ClaimedDelivery,
): Promise<void> {
  try {
    await applyBatch(container, svc, inbox, token, [delivery])
  } catch (error) {
    const problem = problemOf(error)
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.error(`svc: the delivery ${delivery.id} could not be applied: ${problem}`)
    const reason = `It could not be applied: ${problem}`
    if (Date.now() - delivery.received_at.getTime() > GIVE_UP_MS && delivery.attempts > 10) {
      await inbox.complete(token, [{ id: delivery.id, outcome: "failed", reason }])
    } else {
      await inbox.retryLater(
        token,
        delivery.id,
        backoffMs(delivery.attempts, Math.random()),
        reason,
      )
    }
  }
}

/** A database error without the statement that knex puts before it. */
const problemOf = (error: unknown): string =>
  (error instanceof Error ? (error.message.split(" - ").at(-1) ?? "") : String(error)).slice(0, 500)

type Pending<W> = { delivery: ClaimedDelivery; write: W; remark: string | null }

/** What changed, told when it is committed: campaign prices that were kept are asked for anew. */
type Changed = { name: string; data: Record<string, unknown> }

async function applyBatch(
  container: MedusaContainer,
  svc: SvcModuleService,
  inbox: InboxRows,
  token: string,
  deliveries: ClaimedDelivery[],
): Promise<void> {
  const completions: Completion[] = []
  const changed: Changed[] = []
  const projection = new ProjectionRows(svc.database())

  for (const [connectionId, own] of byConnection(deliveries)) {
    const events: Pending<EventWrite>[] = []
    const products: Pending<ProductWrite>[] = []
    for (const delivery of own) {
      const read = readStored(delivery)
      if (!read.ok) {
        completions.push({ id: delivery.id, outcome: "quarantined", reason: read.problem })
      } else if (read.entity === "event") {
        events.push({ delivery, write: read.write, remark: read.remark })
      } else {
        products.push({ delivery, write: read.write, remark: read.remark })
      }
    }
    const eventOutcomes = await projection.applyEvents(
      connectionId,
      events.map(({ write }) => write),
    )
    const productOutcomes = await projection.applyProducts(
      connectionId,
      products.map(({ write }) => write),
    )
    completions.push(...events.map((pending, index) => completion(pending, eventOutcomes[index])))
    completions.push(
      ...products.map((pending, index) => completion(pending, productOutcomes[index])),
    )
    for (const [index, { write }] of events.entries()) {
      if (eventOutcomes[index] !== "applied") continue
      changed.push({
        name: LIVE_EVENT_CHANGED,
        data: {
          connection_id: connectionId,
          event_id: write.eventId,
          campaign_uid: write.content.campaign_uid,
        },
      })
    }
    for (const [index, { write }] of products.entries()) {
      if (productOutcomes[index] !== "applied") continue
      changed.push({
        name: EVENT_PRODUCT_CHANGED,
        data: {
          connection_id: connectionId,
          campaign_uid: write.campaignUid,
          external_id: write.content.external_id,
        },
      })
    }
  }
  await inbox.complete(token, completions)
  // Not waited for: an event bus that is away must not hold up the inbox.
  void announce(container, changed)
}

function readStored(delivery: ClaimedDelivery) {
  const reading = readDelivery(delivery.payload)
  if (reading.kind !== "change" || reading.occurredAt === null) {
    return { ok: false as const, problem: "It is not a change that can be applied." }
  }
  const { parts, occurredAt, data } = reading
  return readWrite({ ...parts, occurredAt, data })
}

const completion = (
  { delivery, remark }: Pending<unknown>,
  outcome: WriteOutcome = "stale",
): Completion => ({ id: delivery.id, outcome, reason: remark })

function byConnection(deliveries: ClaimedDelivery[]): Map<string, ClaimedDelivery[]> {
  const groups = new Map<string, ClaimedDelivery[]>()
  for (const delivery of deliveries) {
    const group = groups.get(delivery.connection_id)
    if (group) group.push(delivery)
    else groups.set(delivery.connection_id, [delivery])
  }
  return groups
}

/** Best effort: whoever listens keeps something for a short time only, and gets it right without this. */
async function announce(container: MedusaContainer, changed: Changed[]): Promise<void> {
  if (changed.length === 0) return
  try {
    await container.resolve(Modules.EVENT_BUS).emit(changed, {})
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(`svc: changes of ${changed.length} records could not be announced: ${reason}`)
  }
}
