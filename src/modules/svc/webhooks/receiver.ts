import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Logger } from "@medusajs/framework/types"
import type { Keyring } from "../connections/secrets"
import { Admission } from "./admission"
import { DeliveryWriter } from "./delivery-writer"
import { RefusalRows } from "./refusal-rows"
import { candidateProven } from "./signature-keys"
import { SubscriberRows } from "./subscriber-rows"
import { VerificationKeys } from "./verification-keys"

const MIB = 1024 * 1024

/**
 * The receiver's own connections to the database: two for deliveries, two for keys and refusals. A statement that takes
 * longer than four seconds is ended by the database, and given up by us soon after, where the database is frozen.
 */
export const RECEIVER_POOL = {
  max: 4,
  statementTimeoutMs: 4_000,
  acquireTimeoutMs: 4_000,
  name: "svc-receiver",
} as const
const GIVE_UP_MS = 4_400

/** A burst of shows is far below it, a flood of large bodies ends here. */
const BUDGET = { total: 64 * MIB, perAddress: 32 * MIB, perRequest: 16 * 1024 }

/** Not verified, within a minute. */
const FAILURES = { perAddress: 100, perConnection: 1_000 }

/** The service waits 10 s for the whole of it (interface §6.6). */
const READ_TIMEOUT_MS = 4_500
const KEEP_TIMEOUT_MS = 4_500

/** Puts the receiver of an application together. */
export function createReceiver(parts: {
  pool: Knex
  keyring: Keyring
  logger: Logger
  options: { webhookMaxBytes: number; webhookToleranceSeconds: number }
  now?: () => number
}): Admission {
  const { pool, keyring, logger, options } = parts
  const now = parts.now ?? Date.now
  const subscribers = new SubscriberRows(pool)
  return new Admission(
    {
      keys: new VerificationKeys(pool, keyring, GIVE_UP_MS, now),
      writer: new DeliveryWriter(pool, GIVE_UP_MS),
      refusals: new RefusalRows(pool),
      promote: (webhookId, candidate, key) =>
        subscribers.promote(webhookId, candidate, candidateProven(keyring, webhookId, key, now())),
      logger,
      now,
    },
    () => ({
      budget: BUDGET,
      failures: FAILURES,
      maxBytes: options.webhookMaxBytes,
      toleranceMs: options.webhookToleranceSeconds * 1000,
      readTimeoutMs: READ_TIMEOUT_MS,
      keepTimeoutMs: KEEP_TIMEOUT_MS,
    }),
  )
}
