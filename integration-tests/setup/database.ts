/** The Postgres server that a test run uses: the one of `DATABASE_URL`, else one of its own. */
import { join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import { startPostgres } from "../../demo/processes/postgres"

export type TestDatabaseServer = {
  /** What Medusa's test utilities and our own helpers read. */
  env: Record<string, string>
  stop: () => Promise<void>
}

/** Databases of runs that were killed; nobody else uses the embedded server. */
async function dropLeftovers(client: Client) {
  const { rows } = await client.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE NOT datistemplate AND datname <> 'postgres'",
  )
  for (const { datname } of rows) {
    await client.query(`DROP DATABASE IF EXISTS "${datname.replaceAll('"', '""')}" WITH (FORCE)`)
  }
}

async function connected<T>(url: URL, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function assertMayCreateDatabases(url: URL) {
  const allowed = await connected(url, async (client) => {
    const { rows } = await client.query<{ allowed: boolean }>(
      "SELECT rolcreatedb OR rolsuper AS allowed FROM pg_roles WHERE rolname = current_user",
    )
    return rows[0]?.allowed === true
  }).catch((error: Error) => {
    throw new Error(`The Postgres of DATABASE_URL (${url.host}) does not answer: ${error.message}`)
  })
  if (!allowed) {
    throw new Error(
      `The role "${url.username}" of DATABASE_URL may not create databases, and each test file ` +
        `needs one. Allow it: ALTER ROLE "${url.username}" CREATEDB`,
    )
  }
}

function environment(url: URL): Record<string, string> {
  return {
    DATABASE_URL: url.href,
    // Medusa's test utilities speak TLS to every host but this name.
    DB_HOST: url.hostname === "127.0.0.1" ? "localhost" : url.hostname,
    DB_PORT: url.port || "5432",
    DB_USERNAME: decodeURIComponent(url.username),
    DB_PASSWORD: decodeURIComponent(url.password),
  }
}

export async function startTestDatabaseServer(root: string): Promise<TestDatabaseServer> {
  const given = process.env.DATABASE_URL
  if (given) {
    const url = new URL(given)
    await assertMayCreateDatabases(url)
    return { env: environment(url), stop: async () => undefined }
  }
  const postgres = await startPostgres({ directory: join(root, ".test"), disposable: true })
  const url = new URL(`${postgres.url}/postgres`)
  await connected(url, dropLeftovers)
  return { env: environment(url), stop: postgres.stop }
}
