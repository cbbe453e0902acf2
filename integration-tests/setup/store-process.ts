/** The demo's store as a process of its own, on a database of its own. */
import { Client } from "@medusajs/framework/pg"
import { type RunningChild, startChild } from "../../tools/child"
import { PATIENT_LOOKUPS, TEST_ENCRYPTION_KEYS } from "./medusa"

/**
 * How long a hook or test may take that builds the admin, as a store's first start in a checkout does, or that installs
 * packages. It is given where that happens; everything else hangs after ten minutes (`patience.js`).
 */
export const SLOW_START_MS = 1_500_000

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

export async function createDatabase(name: string): Promise<TestDatabase> {
  const server = process.env.DATABASE_URL
  await statement(server, `CREATE DATABASE "${name}"`)
  const url = new URL(server ?? "")
  url.pathname = `/${name}`
  return {
    url: url.href,
    query: (sql) => statement(url.href, sql),
    count: async (sql) => Number(Object.values((await statement(url.href, sql))[0] ?? {})[0]),
    drop: async () =>
      void (await statement(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)),
  }
}

/** @param ready the path that answers with 2xx as soon as the store can be used */
export async function startStore(
  database: Pick<TestDatabase, "url"> & Partial<TestDatabase>,
  port: number,
  options: { ready: string; script?: string; env?: Record<string, string> },
): Promise<RunningChild> {
  const url = `http://127.0.0.1:${port}`
  return await startChild({
    name: "The store",
    script: options.script ?? "demo/demo-store.ts",
    env: {
      DATABASE_URL: database.url,
      PORT: String(port),
      SVC_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      SVC_ALLOW_INSECURE_URLS: "true",
      SVC_BACKEND_URL: url,
      // jest's own would only slow the program down, and "test" is no environment of a store.
      NODE_OPTIONS: "",
      NODE_ENV: "",
      ...PATIENT_LOOKUPS,
      ...options.env,
    },
    readyUrl: `${url}${options.ready}`,
    // The first one of a checkout builds the admin, which takes minutes on a busy machine.
    timeoutMs: 1_200_000,
  })
}
