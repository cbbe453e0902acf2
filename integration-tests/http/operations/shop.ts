/** What the parts of `operations.spec.ts` share: a connected shop, and the command as an operator runs it. */
import { execFile } from "node:child_process"
import { createApiKeysWorkflow } from "@medusajs/core-flows"
import { ROOT } from "../../../tools/child"
import { connectedShop, withMore } from "../../setup/connected-shop"
import type { StoreSuite } from "../../setup/medusa"

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`
/** A key that stored secrets still need, behind the one that was put in front of it. */
export const OLD_KEY = key("old", 1)
export const ENCRYPTION_KEYS = `${key("new", 2)},${OLD_KEY}`

export const MONITORING_TOKEN = "monitoring-token-of-the-tests"

export type OperationsShop = ReturnType<typeof operationsShop>

export type Ran = { code: number; stdout: string; stderr: string }

/** To be called where the store is described: its hooks are for every part. */
export function operationsShop(suite: StoreSuite) {
  const { api, storeUrl } = suite
  const shop = connectedShop(suite)

  const ask = (method: "post" | "delete" | "get", path: string, data?: unknown) =>
    api.request({
      method,
      url: path,
      data,
      ...shop.denmark.admin,
      validateStatus: () => true,
    })

  let secretKey = ""
  beforeAll(async () => {
    const { result } = await createApiKeysWorkflow(shop.getContainer()).run({
      input: { api_keys: [{ type: "secret", title: "Command", created_by: "tests" }] },
    })
    secretKey = result[0]?.token ?? ""
  })

  /** `npx medusa-plugin-svc ...`, as a process of its own. */
  const command = (args: string[], env: Record<string, string> = {}): Promise<Ran> => {
    const { PATH, HOME, TMPDIR } = process.env
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        ["bin/medusa-plugin-svc.mjs", ...args],
        {
          cwd: ROOT,
          env: {
            PATH,
            HOME,
            TMPDIR,
            MEDUSA_BACKEND_URL: storeUrl,
            SVC_ADMIN_API_KEY: secretKey,
            ...env,
          },
        },
        (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
      )
    })
  }

  return withMore(shop, {
    storeUrl,
    ask,
    command,
    health: async () => (await ask("get", "/admin/svc/health")).data.health,
  })
}
