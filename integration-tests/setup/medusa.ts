/** A real Medusa application with the plugin, for one test file. */
import { execFileSync } from "node:child_process"
import { resolve } from "node:path"
import { createApiKeysWorkflow } from "@medusajs/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { type MedusaSuiteOptions, medusaIntegrationTestRunner } from "@medusajs/test-utils"

export const ROOT = resolve(__dirname, "../..")

/** Not a secret: 32 bytes that only test databases are encrypted with. */
export const TEST_ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`

/** Synchronous, because a test file is described synchronously. */
function freePortNow(): number {
  const program =
    'const s=require("net").createServer();s.listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'
  return Number(execFileSync(process.execPath, ["-e", program], { env: {}, encoding: "utf8" }))
}

export type StoreSuite = MedusaSuiteOptions & {
  /** `http://127.0.0.1:<port>`: what the service is given for webhooks. */
  storeUrl: string
}

/**
 * Boots the store once for the file, on a database of its own; the database is put back to its
 * state after `beforeAll` before each test, so a test never sees what another one wrote.
 */
export function describeStore(
  testSuite: (suite: StoreSuite) => void,
  options: { env?: Record<string, string> } = {},
): void {
  const port = freePortNow()
  const storeUrl = `http://127.0.0.1:${port}`
  medusaIntegrationTestRunner({
    cwd: ROOT,
    inApp: true,
    env: {
      PORT: String(port),
      JWT_SECRET: "test",
      COOKIE_SECRET: "test",
      SVC_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      SVC_ALLOW_INSECURE_URLS: "true",
      SVC_BACKEND_URL: storeUrl,
      ...options.env,
    },
    testSuite: (suite) => testSuite(withStoreUrl(suite, storeUrl)),
  })
}

/** The suite's parts are replaced while it runs, so they are passed through, not copied. */
function withStoreUrl(suite: MedusaSuiteOptions, storeUrl: string): StoreSuite {
  return Object.assign(Object.create(suite) as MedusaSuiteOptions, { storeUrl })
}

/** Headers of a secret API key, which admin routes accept like a session. */
export async function adminHeaders(
  container: MedusaContainer,
): Promise<{ headers: { authorization: string } }> {
  const { result } = await createApiKeysWorkflow(container).run({
    input: { api_keys: [{ type: "secret", title: "Tests", created_by: "tests" }] },
  })
  const token = result[0]?.token ?? ""
  return { headers: { authorization: `Basic ${Buffer.from(`${token}:`).toString("base64")}` } }
}
