/** `--reset`: forgets what earlier runs of the demo have made, and nothing else. */
import { rm, rmdir } from "node:fs/promises"
import { join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import { removePostgres } from "../../tools/postgres"

/** What the demo writes into its folder; a person may have named one that holds other things as well. */
const FILES = ["sandbox.json", "sandbox.json.new", "encryption-keys", "logs"]

/** @throws when another run is using the folder */
export async function forgetEarlierRuns(directory: string): Promise<void> {
  await removePostgres(directory)
  for (const name of FILES) await rm(join(directory, name), { recursive: true, force: true })
  await rmdir(directory).catch(() => undefined)
}

const UNKNOWN_DATABASE = "3D000"

/** Empties a database that the demo did not make, and leaves the server alone. */
export async function emptyDatabase(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  try {
    await client.connect()
    await client.query("DROP SCHEMA public CASCADE")
    await client.query("CREATE SCHEMA public")
  } catch (error) {
    if ((error as { code?: string }).code !== UNKNOWN_DATABASE) throw error
  } finally {
    await client.end()
  }
}
