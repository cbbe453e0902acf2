import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Logger } from "@medusajs/framework/types"
import type { Keyring } from "../connections/secrets"
import { ADMISSION_LIMITS, Admission } from "./admission"
import { DeliveryWriter } from "./delivery-writer"
import { RefusalRows } from "./refusal-rows"
import { candidateProven } from "./signature-keys"
import { SubscriberRows } from "./subscriber-rows"
import { VerificationKeys } from "./verification-keys"

/**
 * The receiver's own connections to the database: for keys and deliveries. A statement that takes
 * longer than four seconds is ended by the database, and given up by us soon after, where the database is frozen.
 */
export const RECEIVER_POOL = {
  max: 2,
  statementTimeoutMs: 4_000,
  acquireTimeoutMs: 4_000,
  name: "svc-receiver",
} as const
const GIVE_UP_MS = 4_400

/** A row that somebody holds is noted a second later. */
const NOTE_WITHIN_MS = 3_000

/**
 * Puts the receiver of an application together.
 *
 * @param parts.pool its own, which nothing but deliveries waits for
 * @param parts.notesPool for what it notes for people
 */
export function createReceiver(parts: {
  pool: Knex
  notesPool: Knex
  keyring: Keyring
  logger: Logger
  options: { webhookMaxBytes: number; webhookToleranceSeconds: number }
  now?: () => number
}): Admission {
  const { pool, notesPool, keyring, logger, options } = parts
  const now = parts.now ?? Date.now
  const subscribers = new SubscriberRows(pool)
  const [refusals, heard] = [new RefusalRows(notesPool), new SubscriberRows(notesPool)]
  return new Admission(
    {
      keys: new VerificationKeys(pool, keyring, GIVE_UP_MS),
      writer: new DeliveryWriter(pool, GIVE_UP_MS),
      notes: {
        refused: (counts) => refusals.add(counts, NOTE_WITHIN_MS),
        heard: (one) => heard.heard(one, NOTE_WITHIN_MS),
      },
      promote: (id, candidate, key, at) =>
        subscribers.promote(id, candidate, candidateProven(keyring, id, key, at.getTime())),
      logger,
      now,
    },
    () => ({
      ...ADMISSION_LIMITS,
      maxBytes: options.webhookMaxBytes,
      toleranceMs: options.webhookToleranceSeconds * 1000,
    }),
  )
}
