import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Tables whose rows are work: all have `attempts`, `next_attempt_at`, `lease_token` and `lease_until`. */
type WorkTable = "svc_catalog_item" | "svc_attribution"

/**
 * Claims due rows in one short statement, so that any number of workers share a table and none waits for
 * another. The lease runs on the database's clock: a worker that dies leaves rows that are due again when
 * `lease_until` passes. HTTP happens after this, outside any transaction; completion names the token.
 *
 * @param due condition that the table's partial index serves, without the schedule and the lease
 * @returns the rows as claimed, `attempts` already counted
 */
export async function claim<Row>(
  knex: Knex,
  input: {
    table: WorkTable
    due: string
    bindings?: (string | number | boolean)[]
    order: string
    limit: number
    leaseMs: number
    token: string
  },
): Promise<Row[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `UPDATE ${input.table} SET
       lease_token = ?, lease_until = now() + ? * interval '1 millisecond',
       attempts = attempts + 1, updated_at = now()
     WHERE id IN (
       SELECT id FROM ${input.table}
       WHERE ${input.due} AND deleted_at IS NULL
         AND (next_attempt_at IS NULL OR next_attempt_at <= now())
         AND (lease_until IS NULL OR lease_until <= now())
       ORDER BY ${input.order}
       LIMIT ? FOR UPDATE SKIP LOCKED)
     RETURNING *`,
    [input.token, input.leaseMs, ...(input.bindings ?? []), input.limit],
  )
  return rows
}
