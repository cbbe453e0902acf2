/** The demo's store as a process of its own. */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type RunningChild, startChild } from "../../tools/child"
import type { TestDatabase } from "./test-database"

/** Not a secret: 32 bytes that only test databases are encrypted with. */
export const TEST_ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`

/**
 * How long a hook or test may take that builds the admin, as a store's first start in a checkout does, or that installs
 * packages. It is given where that happens; everything else hangs after ten minutes (`patience.js`).
 */
export const SLOW_START_MS = 1_500_000

/** For the environment of a store: its jobs of each minute run every two seconds. */
export const HURRIED_JOBS = {
  NODE_OPTIONS: `--import ${pathToFileURL(resolve(__dirname, "hurried-jobs.mjs")).href}`,
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
      ...options.env,
    },
    readyUrl: `${url}${options.ready}`,
    // The first one of a checkout builds the admin, which takes minutes on a busy machine.
    timeoutMs: 1_200_000,
  })
}
