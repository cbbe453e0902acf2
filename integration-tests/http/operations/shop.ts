/** What the parts of `operations.spec.ts` share: a connected shop, and the command as an operator runs it. */
import { execFile } from "node:child_process"
import { createApiKeysWorkflow } from "@medusajs/core-flows"
import { Modules } from "@medusajs/framework/utils"
import { runCommand } from "../../../src/cli/run-command"
import { ROOT } from "../../../tools/child"
import { connectedShop, withMore } from "../../setup/connected-shop"
import type { StoreSuite } from "../../setup/medusa"
import { printedBy } from "../../setup/printed"

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
  const shop = connectedShop(suite, { delivers: ["denmark"] })

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
    // Medusa hashes it for each request, which takes longer than most of what is asked for.
    const keys = shop.getContainer().resolve(Modules.API_KEY)
    const known = await keys.authenticate(secretKey)
    const authenticate = keys.authenticate.bind(keys)
    keys.authenticate = async (token) => (token === secretKey ? known : authenticate(token))
  })

  const environment = (apiKey: string) => ({
    MEDUSA_BACKEND_URL: storeUrl,
    SVC_ADMIN_API_KEY: apiKey,
  })
  /** `npx --no-install medusa-plugin-svc ...`, without a process of its own, which takes longer to begin than most commands. */
  const command = async ([name = "", ...args]: string[], apiKey = secretKey): Promise<Ran> => {
    Object.assign(process.env, environment(apiKey))
    const { result: code, ...printed } = await printedBy(() => runCommand(name, args))
    return { code, ...printed }
  }
  const commandAsProcess = (args: string[]): Promise<Ran> => {
    const { PATH, HOME, TMPDIR } = process.env
    const env = { PATH, HOME, TMPDIR, ...environment(secretKey) }
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        ["bin/medusa-plugin-svc.mjs", ...args],
        { cwd: ROOT, env },
        (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
      )
    })
  }

  /** The settings of a connection of another page, in the same market. */
  const anotherPage = (page_uid: string, api_token = `token of ${page_uid}`) => ({
    name: page_uid,
    page_uid,
    base_url: shop.sandbox.url,
    api_token,
    sales_channel_id: shop.denmark.salesChannelId,
    region_id: shop.denmark.regionId,
    storefront_url: "http://127.0.0.1:8000",
  })

  return withMore(shop, {
    anotherPage,
    storeUrl,
    databaseUrl: suite.databaseUrl,
    ask,
    command,
    commandAsProcess,
    health: async () => (await ask("get", "/admin/svc/health")).data.health,
  })
}
