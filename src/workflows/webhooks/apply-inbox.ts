import { setTimeout as sleep } from "node:timers/promises"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { parseJson, readDelivery } from "../../contract"
import { SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import { ABOUT_A_DAY, backoffMs } from "../../modules/svc/shared/backoff"
import { reasonFor } from "../../modules/svc/shared/reason"
import { isOutage, sqlProblem } from "../../modules/svc/shared/sql-error"
import type { Completion, DueDelivery } from "../../modules/svc/webhooks"
import { classifyDelivery } from "../../modules/svc/webhooks"
import { createConnectionWorker } from "../shared"
import {
  type Announcement,
  announceChanges,
  type EventWrite,
  type Oddities,
  type ProductWrite,
  readWrite,
  recordOf,
  type ShowsTransaction,
} from "../shows"

/** One delivery may be a megabyte, which is read and compared in memory. */
const BATCH = { count: 300, bytes: 8 * 1024 * 1024 }
/**
 * Between two passes of a connection. A pass costs about the same for one delivery as for ten: while they come one after
 * the other, those of this time are applied together.
 */
const REST_MS = 40

/**
 * Applies what the inbox holds of a connection, until nothing is due. Deliveries are read, merged and completed in one
 * transaction: a process that is killed leaves them as they were, and however long a batch takes, nobody else does it
 * meanwhile. Any number of processes may do so at once.
 */
async function applyInbox(container: MedusaContainer, connectionId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  for (;;) {
    const ids = new Set<string>()
    try {
      const isFull = await applyBatch(container, svc, connectionId, (due) => ids.add(due.id))
      if (!isFull) return
    } catch (error) {
      if (isOutage(error) || ids.size === 0) throw error
      // One delivery that cannot be applied must not hold up the others: each is tried alone.
      for (const id of ids) await applyAlone(container, svc, connectionId, id)
    }
  }
}

/** When the last pass of a connection ended. */
const endedAt = new Map<string, number>()

async function applyAfterRest(container: MedusaContainer, connectionId: string): Promise<void> {
  const rested = performance.now() - (endedAt.get(connectionId) ?? Number.NEGATIVE_INFINITY)
  if (rested < REST_MS) await sleep(REST_MS - rested)
  try {
    await applyInbox(container, connectionId)
  } finally {
    endedAt.set(connectionId, performance.now())
  }
}

const inboxWorker = createConnectionWorker({
  name: "applying deliveries",
  debounceMs: 5,
  pass: applyAfterRest,
  dueInMs: (container, connectionId) =>
    container.resolve(SVC_MODULE).webhooks.inbox.dueInMs(connectionId),
})

/** Applies the inbox of these connections soon; the minute job finds what this wake-up missed. */
export const wakeInbox = inboxWorker.wake
/** Applies what is due now, or joins whoever does. */
export const workInbox = inboxWorker.work

/** Applies one delivery, due or not. */
export async function applyAlone(
  container: MedusaContainer,
  svc: SvcModuleService,
  connectionId: string,
  id: string,
): Promise<void> {
  let attempts = 0
  try {
    await applyBatch(container, svc, connectionId, (due) => (attempts = due.attempts + 1), id)
  } catch (error) {
    if (isOutage(error)) throw error
    const problem = sqlProblem(error)
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(`svc: the delivery ${id} could not be applied: ${problem}`)
    const isGivenUp = attempts > ABOUT_A_DAY
    await svc.webhooks.inbox.failed(
      id,
      isGivenUp ? null : backoffMs(attempts, Math.random()),
      isGivenUp
        ? reasonFor("given_up", { answer: problem })
        : reasonFor("not_applied", { problem }),
    )
  }
}

/** @returns whether there may be more */
async function applyBatch(
  container: MedusaContainer,
  svc: SvcModuleService,
  connectionId: string,
  taken: (delivery: DueDelivery) => void,
  id?: string,
): Promise<boolean> {
  const { inbox } = svc.webhooks
  const applied = await svc.shows.projection.write(connectionId, async (trx) => {
    const due = await inbox.take(trx, connectionId, BATCH, id)
    for (const delivery of due) taken(delivery)
    const bytes = due.reduce((sum, delivery) => sum + delivery.bytes, 0)
    const isFull = due.length === BATCH.count || bytes >= BATCH.bytes
    return { isFull, announcements: await applyDue(trx, svc, due) }
  })
  // Not waited for: an event bus that is down must not hold up the inbox.
  if (applied) void announceChanges(container, applied.announcements)
  return applied?.isFull ?? false
}

type Write = EventWrite | ProductWrite
type Read = Completion | { id: string; write: Write; reason: Completion["reason"] }

async function applyDue(
  trx: ShowsTransaction,
  svc: SvcModuleService,
  due: DueDelivery[],
): Promise<Announcement[]> {
  const { inbox } = svc.webhooks
  const read = due.map(readDue)
  const writes = read.flatMap((one) => ("write" in one ? [one.write] : []))
  const { outcomes, announcements } = await svc.shows.projection.apply(trx, writes, (eventUids) =>
    inbox.told(trx, trx.connectionId, eventUids),
  )
  const completions = read.map((one): Completion => {
    if (!("write" in one)) return one
    const { id, write, reason } = one
    const outcome = outcomes.shift() ?? "stale"
    return {
      id,
      outcome,
      reason: outcome === "duplicate" ? reasonFor("resent") : reason,
      record: recordOf(write),
      state_hash: write.hash,
    }
  })
  await inbox.complete(trx, completions)
  return announcements
}

/** Reads and judges a delivery from its row: a newer version of the plugin, or a later hour, may judge otherwise. */
function readDue({ id, topic, body, sent_at }: DueDelivery): Read {
  const done = (outcome: Completion["outcome"], reason: Completion["reason"]): Read => ({
    id,
    outcome,
    reason,
  })
  const reading = readDelivery(parseJson(body), topic)
  if (reading.kind === "invalid") return done("quarantined", reasonFor("not_readable"))
  // Whoever minds no clock has one that is behind the service's (gap 7).
  const { outcome, reason } = classifyDelivery(reading, Math.max(Date.now(), Number(sent_at)))
  if (outcome !== "received") return done(outcome, reason)
  if (reading.kind !== "change" || reading.occurredAt === null) {
    return done("quarantined", reasonFor("no_time"))
  }
  const { parts, occurredAt, data, eventUid: emission } = reading
  const read = readWrite({ ...parts, occurredAt, emission, data })
  if (!read.ok) return done("quarantined", reasonFor("ids_missing", { fields: read.missing }))
  return { id, write: read.write, reason: remarkOn(read.oddities) }
}

/** What is odd about a delivery that is applied all the same: the one thing that matters most. */
function remarkOn({ alias, missing, unread }: Oddities): Completion["reason"] {
  if (unread.length > 0) return reasonFor("fields_unread", { fields: unread.slice(0, 10) })
  if (missing.length > 0) return reasonFor("fields_missing", { fields: missing })
  return (
    alias &&
    reasonFor("alias_differs", {
      name: alias.name,
      value: alias.value.slice(0, 100),
      record: alias.recordId,
    })
  )
}
