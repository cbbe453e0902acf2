/** The Postgres server that a test run uses: the one of `DATABASE_URL`, else one of its own. */
import { existsSync } from "node:fs"
import { chmod, mkdir, mkdtemp, readdir, rm, stat, statfs, writeFile } from "node:fs/promises"
import { totalmem } from "node:os"
import { join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import { wasLeftBehind, withFolder } from "../../tools/folder-owner"
import { type RunningPostgres, removePostgres, startPostgres } from "../../tools/postgres"
import { fingerprint } from "../../tools/store/fingerprint"
import { SCHEMA_SOURCES } from "../../tools/store/migrations"
import { runTool } from "../../tools/store/run-tool"
import { type Template, templateName } from "./test-database"

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

const RUN = "svc-tests-postgres-"
/** A file system in memory, as Linux has it. */
const IN_MEMORY = "/dev/shm"
/** What the databases of a run may take, and what a machine has that can do without it. */
const BYTES_OF_RUN = 4_000_000_000
const BYTES_OF_MACHINE = 12_000_000_000

/**
 * Where a run's databases are: in memory, where there is room. Each file of tests has copies of one, and their thousand
 * files take a disk ten times as long, and many times more where others use that disk.
 */
async function homeOfRun(home: string): Promise<string> {
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > BYTES_OF_RUN && totalmem() > BYTES_OF_MACHINE ? IN_MEMORY : home
}

/** Servers of runs that were killed. */
async function removeAbandoned(home: string) {
  const entries = await readdir(home).catch(() => [])
  for (const entry of entries.filter((name) => name.startsWith(RUN))) {
    const directory = join(home, entry)
    if (await wasLeftBehind(directory)) await removePostgres(directory).catch(() => undefined)
  }
}

/** @param database the server's environment */
async function makeTemplates(database: Record<string, string>): Promise<void> {
  const shop = new URL(database.DATABASE_URL ?? "")
  shop.pathname = `/${templateName("shop", database.TEST_TEMPLATES)}`
  await runTool("integration-tests/setup/make-templates.ts", [], {
    ...process.env,
    NODE_ENV: undefined,
    NODE_OPTIONS: undefined,
    ...database,
    DATABASE_URL: shop.href,
    LOG_LEVEL: "error",
    MEDUSA_DISABLE_TELEMETRY: "true",
    // No job and no subscriber is to add anything.
    MEDUSA_WORKER_MODE: "server",
  }).catch((error: Error) => {
    throw new Error(`The databases that tests begin with could not be made.\n${error.message}`)
  })
}

const TEMPLATE_SOURCES = [
  ...SCHEMA_SOURCES,
  "demo/catalog",
  "tools/postgres.ts",
  "integration-tests/setup/make-templates.ts",
]

/** Half a minute each to make: for those who go to and fro between two commits. */
const KEPT_TEMPLATES = 3

/**
 * Starts a server that has the templates. The data of one with nothing else in it is kept in `.test/`, for each state of
 * what they are made from.
 */
async function startWithTemplates(
  home: string,
  directory: string,
): Promise<{ postgres: RunningPostgres; kept: string }> {
  const templates = join(home, "templates")
  return await withFolder(templates, async () => {
    // The demo's sales begin and end some days from the day on which they are made.
    const day = new Date().toISOString().slice(0, 10)
    const kept = join(templates, `${day}-${await fingerprint(TEMPLATE_SOURCES)}`)
    const isWhole = join(kept, "whole")
    if (!existsSync(isWhole)) {
      if (existsSync(kept)) await removePostgres(kept)
      const made = await startPostgres({ directory: kept, disposable: true })
      await makeTemplates(environment(new URL(`${made.url}/postgres`))).finally(made.stop)
      await writeFile(isWhole, "")
      await removeOldest(templates)
    }
    return { postgres: await startPostgres({ directory, disposable: true, copyOf: kept }), kept }
  })
}

async function removeOldest(templates: string) {
  const entries = await readdir(templates, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const made = await Promise.all(
    folders.map(async (name) => ({ name, at: (await stat(join(templates, name))).mtimeMs })),
  )
  const newestFirst = made.sort((one, other) => other.at - one.at)
  for (const { name } of newestFirst.slice(KEPT_TEMPLATES)) {
    await rm(join(templates, name, "whole"))
    await removePostgres(join(templates, name))
  }
}

export async function startTestDatabaseServer(root: string): Promise<TestDatabaseServer> {
  const given = process.env.DATABASE_URL
  if (given) return await onGivenServer(new URL(given))
  const home = join(root, ".test")
  const place = await homeOfRun(home)
  await removeAbandoned(place)
  await mkdir(place, { recursive: true })
  // One for each run, so that two runs in one checkout do not wait for each other.
  const directory = await mkdtemp(join(place, RUN))
  // Where the tests run as root, Postgres runs as somebody else.
  await chmod(directory, 0o755)
  const { postgres, kept } = await startWithTemplates(home, directory)
  return {
    env: { ...environment(new URL(`${postgres.url}/postgres`)), TEST_TEMPLATES_FOLDER: kept },
    stop: async () => {
      await postgres.stop()
      await removePostgres(directory)
    },
  }
}

async function onGivenServer(url: URL): Promise<TestDatabaseServer> {
  await assertMayCreateDatabases(url)
  const env = { ...environment(url), TEST_TEMPLATES: String(process.pid) }
  await makeTemplates(env)
  const drop = (template: Template) =>
    connected(url, (client) =>
      client.query(`DROP DATABASE IF EXISTS "${templateName(template, env.TEST_TEMPLATES)}"`),
    )
  return {
    env,
    stop: async () => {
      await drop("shop")
      await drop("migrated")
    },
  }
}
