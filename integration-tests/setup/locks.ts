/** Statements that wait for the lock of another one, so that a test knows how far the two are. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { eventually } from "./market"

/** @param like what they say, as `ILIKE` takes it */
export async function statementsWaiting(knex: Knex, like = "%"): Promise<number> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `SELECT 1 FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE ?`,
    [like],
  )
  return rows.length
}

/** Until so many of them wait, or nothing is left that could. */
export const untilWaiting = (
  knex: Knex,
  count = 1,
  { like = "%", isOver = () => false }: { like?: string; isOver?: () => boolean } = {},
) =>
  eventually(
    () => statementsWaiting(knex, like),
    (waiting) => waiting >= count || isOver(),
  )
