import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Reason } from "../shared/reason"
import { CORE_COLUMNS, CORE_TABLES, OPTIONAL_TABLES } from "./columns"

/** The code of the one reason of this room. */
export const CORE_TABLE_CHANGED = "core_table_changed"

/** A column that is there, as `information_schema.columns` tells it. */
type PresentColumn = { table_name: string; column_name: string }

/**
 * What is missing of `CORE_COLUMNS`, for a merchant: one reason for each column, or for a whole table, with what stands
 * still without it. Pure.
 */
export function missingColumns(present: PresentColumn[]): Reason[] {
  const tables = new Set(present.map(({ table_name }) => table_name))
  const columns = new Set(present.map((row) => `${row.table_name}.${row.column_name}`))
  /** What is gone, by its name, with everything that stands still because of it. */
  const gone = new Map<string, { what: string; uses: string[] }>()
  for (const [use, ofUse] of Object.entries(CORE_COLUMNS)) {
    for (const [table, names] of Object.entries(ofUse)) {
      if (!tables.has(table) && OPTIONAL_TABLES.includes(table)) continue
      const missing = tables.has(table)
        ? names
            .filter((name) => !columns.has(`${table}.${name}`))
            .map((name) => ({
              id: `${table}.${name}`,
              what: `the column "${name}" of its table "${table}"`,
            }))
        : [{ id: table, what: `its table "${table}"` }]
      for (const { id, what } of missing) {
        gone.set(id, { what, uses: [...(gone.get(id)?.uses ?? []), use] })
      }
    }
  }
  return [...gone].map(([missing, { what, uses }]) => ({
    code: CORE_TABLE_CHANGED,
    message: `This version of Medusa has removed ${what}, so this stands still: ${uses.join("; ")}.`,
    fix: "Update medusa-plugin-svc to a version that supports this version of Medusa, or go back to the version before.",
    params: { missing },
  }))
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
