import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/**
 * What Postgres believes of tables that were nearly empty when it last looked, until `work` is done: that they still are. It
 * looks once a minute at most, and a plan that compares each row with each seems cheap to it meanwhile.
 */
export async function believedEmpty(
  knex: Knex,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<void> {
  const each = async (statement: string) => {
    for (const table of tables) await knex.raw(`ALTER TABLE "${table}" ${statement}`)
  }
  await each("SET (autovacuum_enabled = false)")
  try {
    await knex("pg_class")
      .whereIn("relname", tables)
      .update({ reltuples: 1, relpages: knex.raw("pg_relation_size(oid) / 8192") })
    const ids = knex("pg_class").whereIn("relname", tables).select("oid")
    await knex("pg_statistic").whereIn("starelid", ids).delete()
    await work()
  } finally {
    await each("RESET (autovacuum_enabled)")
  }
}
