/** The Postgres server that a test run uses: the one of `DATABASE_URL`, else one of its own. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import { wasLeftBehind } from "../../tools/folder-owner"
import { removePostgres, startPostgres } from "../../tools/postgres"

export type TestDatabaseServer = {
  /** What Medusa's test utilities and our own helpers read. */
  env: Record<string, string>
  stop: () => Promise<void>
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

const RUN = "run-"

/** Servers of runs that were killed. */
async function removeAbandoned(home: string) {
  const entries = await readdir(home).catch(() => [])
  for (const entry of entries.filter((name) => name.startsWith(RUN))) {
    const directory = join(home, entry)
    if (await wasLeftBehind(directory)) await removePostgres(directory)
  }
}

export async function startTestDatabaseServer(root: string): Promise<TestDatabaseServer> {
  const given = process.env.DATABASE_URL
  if (given) {
    const url = new URL(given)
    await assertMayCreateDatabases(url)
    return { env: environment(url), stop: async () => undefined }
  }
  const home = join(root, ".test")
  await removeAbandoned(home)
  // One for each run, so that two runs in one checkout do not wait for each other.
  const directory = join(home, `${RUN}${process.pid}`)
  const postgres = await startPostgres({ directory, disposable: true })
  return {
    env: environment(new URL(`${postgres.url}/postgres`)),
    stop: async () => {
      await postgres.stop()
      await removePostgres(directory)
    },
  }
}
