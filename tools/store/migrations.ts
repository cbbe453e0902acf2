/** Brings the database to the state of the code, and costs nothing when it is there already. */
import { join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import { fingerprint } from "./fingerprint"
import { runTool } from "./run-tool"

/** Everything that Medusa derives the schema from. */
export const SCHEMA_SOURCES = [
  "package-lock.json",
  "src/modules/svc/index.ts",
  "src/modules/svc/migrations",
  "src/modules/svc/models",
  "src/links",
  "medusa-config.ts",
]

/**
 * Any number, the same in every process: servers that start together migrate one at a time. A lock of the transaction:
 * one of the session would stay with a connection pooler (PgBouncer) when we are gone.
 */
const LOCK = 7_318_420

const MARKER = "CREATE TABLE IF NOT EXISTS store_schema_state (fingerprint text NOT NULL)"

function databaseName(url: URL): string {
  return decodeURIComponent(url.pathname.slice(1))
}

async function connect(url: URL): Promise<Client> {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  return client
}

async function createDatabase(url: URL) {
  const maintenance = new URL(url.href)
  maintenance.pathname = "/postgres"
  const client = await connect(maintenance)
  try {
    await client.query(`CREATE DATABASE "${databaseName(url).replaceAll('"', '""')}"`)
  } finally {
    await client.end()
  }
}

const UNKNOWN_DATABASE = "3D000"

async function connectOrCreate(url: URL): Promise<Client> {
  try {
    return await connect(url)
  } catch (error) {
    if ((error as { code?: string }).code !== UNKNOWN_DATABASE) {
      throw new Error(
        `The Postgres of DATABASE_URL (${url.host}) does not answer: ${(error as Error).message}`,
      )
    }
    await createDatabase(url)
    return await connect(url)
  }
}

/** Medusa's own command, in a process of its own: it ends the process it runs in. */
async function runMedusaMigrations() {
  const cli = join(require.resolve("@medusajs/cli/package.json"), "..", "cli.js")
  await runTool(cli, ["db:migrate", "--execute-safe-links"]).catch((error: Error) => {
    throw new Error(`The database could not be migrated.\n${error.message}`)
  })
}

/**
 * Creates the database where there is none and runs what is pending.
 * @returns whether anything had to be done
 */
export async function migrateIfNeeded(databaseUrl: string): Promise<boolean> {
  const wanted = await fingerprint(SCHEMA_SOURCES)
  const client = await connectOrCreate(new URL(databaseUrl))
  try {
    await client.query("BEGIN")
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK])
    await client.query(MARKER)
    const { rows } = await client.query<{ fingerprint: string }>(
      "SELECT fingerprint FROM store_schema_state",
    )
    if (rows[0]?.fingerprint === wanted) return false
    await runMedusaMigrations()
    await client.query("TRUNCATE store_schema_state")
    await client.query("INSERT INTO store_schema_state (fingerprint) VALUES ($1)", [wanted])
    await client.query("COMMIT")
    return true
  } finally {
    await client.end()
  }
}
