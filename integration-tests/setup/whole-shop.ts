/** Store, sandbox and storefront as separate servers, not connected yet: what a merchant has on the first day. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import { writePictures } from "../../demo/catalog/pictures/write"
import { type RunningChild, startChild } from "../../demo/processes/child"
import { freePort } from "../../demo/processes/ports"
import { readMarkets } from "../../demo/start-up/connect"
import { logIn, type StoreApi } from "../../demo/start-up/store-api"
import { startStorefront } from "../../demo/storefront/serve"
import { TEST_ENCRYPTION_KEYS } from "./medusa"
import { type RunningSandbox, startSandbox } from "./sandbox"

export type WholeShop = {
  storeUrl: string
  storefrontUrl: string
  sandbox: RunningSandbox
  /** The admin API, as the demo's admin user. */
  admin: StoreApi
  stop: () => Promise<void>
}

async function onServer(work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  await work(client).finally(() => client.end())
}

export async function startWholeShop(): Promise<WholeShop> {
  const name = `svc_browser_${process.pid}`
  await onServer((client) => client.query(`CREATE DATABASE "${name}"`))
  const database = new URL(process.env.DATABASE_URL ?? "")
  database.pathname = `/${name}`

  const stops: (() => Promise<unknown>)[] = [
    () => onServer((client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)),
  ]
  const stop = async () => {
    for (let end = stops.pop(); end; end = stops.pop()) await end()
  }
  try {
    const pictures = await mkdtemp(join(tmpdir(), "svc-pictures-"))
    stops.push(() => rm(pictures, { recursive: true, force: true }))
    await writePictures(pictures)

    const sandbox = await startSandbox()
    stops.push(() => sandbox.stop())
    const [storePort, storefrontPort] = [await freePort(), await freePort()]
    const storeUrl = `http://127.0.0.1:${storePort}`
    const storefrontUrl = `http://127.0.0.1:${storefrontPort}`
    const store: RunningChild = await startChild({
      name: "The store",
      script: "demo/demo-store.ts",
      env: {
        DATABASE_URL: database.href,
        PORT: String(storePort),
        STORE_CORS: storefrontUrl,
        ADMIN_CORS: storeUrl,
        AUTH_CORS: `${storeUrl},${storefrontUrl}`,
        SVC_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
        SVC_ALLOW_INSECURE_URLS: "true",
        SVC_BACKEND_URL: storeUrl,
        DEMO_PICTURES_URL: `${storefrontUrl}/pictures`,
        // jest's own would only slow the program down, and "test" is no environment of a store.
        NODE_OPTIONS: "",
        NODE_ENV: "",
      },
      readyUrl: `${storeUrl}/app`,
      timeoutMs: 300_000,
    })
    stops.push(() => store.stop())
    const admin = await logIn(storeUrl)
    const storefront = await startStorefront({
      port: storefrontPort,
      storeUrl,
      sandboxUrl: sandbox.url,
      pageUid: "demo-page",
      markets: await readMarkets(admin),
      picturesDir: pictures,
    })
    stops.push(() => storefront.close())
    return { storeUrl, storefrontUrl, sandbox, admin, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
