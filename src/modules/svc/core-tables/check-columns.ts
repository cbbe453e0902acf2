import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { type Reason, reasonFor } from "../shared/reason"
import { CORE_COLUMNS, CORE_TABLES, OPTIONAL_TABLES } from "./columns"

/** A column that is there, as `information_schema.columns` tells it. */
type PresentColumn = { table_name: string; column_name: string }

/**
 * What is missing of `CORE_COLUMNS`, for a merchant: one reason for each column, or for a whole table, with what stands
 * still without it. Pure.
 */
export function missingColumns(present: PresentColumn[]): Reason[] {
  const tables = new Set(present.map(({ table_name }) => table_name))
  const columns = new Set(present.map((row) => `${row.table_name}.${row.column_name}`))
  /** What stands still, by the name of what is gone. */
  const gone = new Map<string, string[]>()
  for (const [use, ofUse] of Object.entries(CORE_COLUMNS)) {
    for (const [table, names] of Object.entries(ofUse)) {
      if (!tables.has(table) && OPTIONAL_TABLES.includes(table)) continue
      const missing = tables.has(table)
        ? names.map((name) => `${table}.${name}`).filter((id) => !columns.has(id))
        : [table]
      for (const id of missing) gone.set(id, [...(gone.get(id) ?? []), use])
    }
  }
  return [...gone].map(([missing, uses]) =>
    reasonFor("core_table_changed", { missing, uses: uses.join("; ") }),
  )
}

/** Compares the list with the database that the store runs on. */
export async function checkCoreColumns(knex: Knex): Promise<Reason[]> {
  const { rows } = await knex.raw<{ rows: PresentColumn[] }>(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = ANY(current_schemas(false)) AND table_name = ANY(?)`,
    [[...CORE_TABLES]],
  )
  return missingColumns(rows)
}
