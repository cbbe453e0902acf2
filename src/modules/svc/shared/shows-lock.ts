import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/**
 * Waits until nobody else writes the shows of a connection, and keeps others waiting until the transaction ends. It is a
 * lock of the database, so it holds over processes, and one that is killed lets go of it.
 */
export async function lockShows(trx: Knex.Transaction, connectionId: string): Promise<void> {
  await trx.raw("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [
    `svc-shows:${connectionId}`,
  ])
}
