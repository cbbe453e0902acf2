import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Logger } from "@medusajs/framework/types"
import type { Keyring } from "../connections/secrets"
import type { ProcessLeases } from "../shared/process-leases"
import { ConnectionWork } from "../shows/connection-work"
import { DeliveryList } from "./delivery-list"
import { InboxRows } from "./inbox-rows"
import { createReceiver } from "./receiver"
import { RefusalRows } from "./refusal-rows"
import { SubscriberRows } from "./subscriber-rows"

/**
 * Webhooks: what gets in, deliveries as they came, what was refused, and our subscriber at the service.
 *
 * @param parts.receiving the receiver's own pool
 * @param parts.pool for applying deliveries
 */
export function createWebhooks(parts: {
  knex: Knex
  receiving: Knex
  pool: Knex
  leases: ProcessLeases
  keyring: Keyring
  logger: Logger
  options: { webhookMaxBytes: number; webhookToleranceSeconds: number }
}) {
  const { knex, receiving, pool, leases, keyring, logger, options } = parts
  return {
    admission: createReceiver({ pool: receiving, notesPool: pool, keyring, logger, options }),
    inbox: new InboxRows(pool),
    deliveryList: new DeliveryList(knex),
    refusals: new RefusalRows(pool),
    subscribers: new SubscriberRows(knex),
    lookUps: new ConnectionWork(pool, leases, "subscriber"),
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>

// What workflows use of this room beside its face: pure decisions and the types of its rows.
export { type Admitted, type IncomingRequest, PROBE_TOPIC } from "./admission"
export { classifyDelivery } from "./classify-delivery"
export { DELIVERY_COLUMNS, DELIVERY_FILTERS } from "./delivery-list"
export { diagnose, type Evidence, type Finding, type ProbeResult } from "./doctor"
export type { Completion, DueDelivery } from "./inbox-rows"
export { DELIVERY_REFUSALS, type RefusalReason } from "./reasons"
export {
  assertKeysCanBeKept,
  IN_FLIGHT_MS,
  type KeyColumns,
  keyPasted,
  keyTold,
  keyUntold,
  type ReadableKey,
  ROTATION_MS,
  readKeys,
  rotationAsked,
} from "./signature-keys"
export {
  type Circumstances,
  isNotWell,
  judgeClock,
  judgeSubscriber,
  MISSING,
  type ReceivingProblem,
  receivingProblems,
  stateProblem,
} from "./webhook-problem"
