/** A database of its own on the tests' server, empty or as a copy of one that stands ready there. */
import { Client } from "@medusajs/framework/pg"

/**
 * What stands ready: a `migrated` database, which no store has run on yet, and the demo's `shop`. Migrating and filling
 * takes half a minute, a copy less than a second.
 */
export type Template = "migrated" | "shop"

/** On a server of DATABASE_URL each run has its own. */
export const templateName = (template: Template, run = process.env.TEST_TEMPLATES ?? "own") =>
  `svc_template_${run}_${template}`

export type TestDatabase = {
  url: string
  /** One statement on it. */
  query: (sql: string) => Promise<unknown>
  /** The one number that a statement selects. */
  count: (sql: string) => Promise<number>
  drop: () => Promise<void>
}

/** One statement on a database of the tests' server. */
export async function statement(
  url: string | undefined,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return (await client.query(sql).finally(() => client.end())).rows
}

/** @param template what it begins with; nothing where it is not given */
export async function createDatabase(name: string, template?: Template): Promise<TestDatabase> {
  const server = process.env.DATABASE_URL
  await statement(
    server,
    `CREATE DATABASE "${name}"${template ? ` TEMPLATE "${templateName(template)}"` : ""}`,
  )
  const url = new URL(server ?? "")
  url.pathname = `/${name}`
  return {
    url: url.href,
    query: (sql) => statement(url.href, sql),
    count: async (sql) => Number(Object.values((await statement(url.href, sql))[0] ?? {})[0]),
    drop: () => dropDatabase(name),
  }
}

/** Whoever is connected is not any more. */
export async function dropDatabase(name: string): Promise<void> {
  await statement(process.env.DATABASE_URL, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
}
