import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { readDelivery } from "../../contract"
import { SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import { backoffMs } from "../../modules/svc/shared/backoff"
import type { ClaimedDelivery, Completion } from "../../modules/svc/webhooks/inbox-rows"
import { createWorker } from "../shared"
import {
  type Announcement,
  announceChanges,
  applyChanges,
  type EventWrite,
  type ProductWrite,
  readWrite,
  type WriteOutcome,
} from "../shows"

const BATCH = 200
/** A delivery that could not be applied for 24 hours waits for a person. */
const GIVE_UP_MS = 24 * 3_600_000

/**
 * Applies what the inbox holds, until nothing is due. Any number of processes may do so at once, and be killed at
 * any point: a claimed row is due again when its lease ends, and applying it twice changes nothing.
 *
 * @returns how many deliveries were taken
 */
async function applyInbox(container: MedusaContainer): Promise<number> {
  const svc = container.resolve(SVC_MODULE)
  let taken = 0
  for (;;) {
    const { token, deliveries } = await svc.inbox.claim(BATCH)
    if (deliveries.length === 0) return taken
    taken += deliveries.length
    try {
      await applyBatch(container, svc, token, deliveries)
    } catch {
      // One delivery that the database refuses must not hold up the others: each is tried alone.
      for (const delivery of deliveries) await applyAlone(container, svc, token, delivery)
    }
  }
}

const inboxWorker = createWorker({
  name: "applying deliveries",
  debounceMs: 5,
  pass: applyInbox,
  nextInMs: (container) => container.resolve(SVC_MODULE).inbox.nextInMs(),
})

/** Applies the inbox soon; the minute job finds what this wake-up missed. */
export const wakeInbox = inboxWorker.wake
/** Applies what is due now, or joins whoever does. */
export const workInbox = inboxWorker.work

async function applyAlone(
  container: MedusaContainer,
  svc: SvcModuleService,
  token: string,
  delivery: ClaimedDelivery,
): Promise<void> {
  try {
    await applyBatch(container, svc, token, [delivery])
  } catch (error) {
    const problem = problemOf(error)
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.error(`svc: the delivery ${delivery.id} could not be applied: ${problem}`)
    const reason = `It could not be applied: ${problem}`
    if (Date.now() - delivery.received_at.getTime() > GIVE_UP_MS && delivery.attempts > 10) {
      await svc.inbox.complete(token, [{ id: delivery.id, outcome: "failed", reason }])
    } else {
      await svc.inbox.retryLater(
        token,
        delivery.id,
        backoffMs(delivery.attempts, Math.random()),
        reason,
      )
    }
  }
}

/** A database error's message without the statement that knex puts before it. */
const problemOf = (error: unknown): string =>
  (error instanceof Error ? (error.message.split(" - ").at(-1) ?? "") : String(error)).slice(0, 500)

type Pending<W> = { delivery: ClaimedDelivery; write: W; remark: string | null }

async function applyBatch(
  container: MedusaContainer,
  svc: SvcModuleService,
  token: string,
  deliveries: ClaimedDelivery[],
): Promise<void> {
  const completions: Completion[] = []
  const announcements: Announcement[] = []

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
    const applied = await applyChanges(svc, connectionId, {
      events: events.map(({ write }) => write),
      products: products.map(({ write }) => write),
    })
    completions.push(...events.map((pending, index) => completion(pending, applied.events[index])))
    completions.push(
      ...products.map((pending, index) => completion(pending, applied.products[index])),
    )
    announcements.push(...applied.announcements)
  }
  await svc.inbox.complete(token, completions)
  // Not waited for: an event bus that is down must not hold up the inbox.
  void announceChanges(container, announcements)
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
