import { Client } from "@medusajs/framework/pg"

/** `--reset` on a Postgres that was given: empties the database and leaves the server alone. */
export async function dropDatabaseTables(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  try {
    await client.connect()
    await client.query("DROP SCHEMA public CASCADE")
    await client.query("CREATE SCHEMA public")
  } catch (error) {
    // No such database: nothing to forget.
    if ((error as { code?: string }).code !== "3D000") throw error
  } finally {
    await client.end()
  }
}
