/** Store, sandbox and storefront as separate servers, not connected yet: what a merchant has on the first day. */
import { readMarkets } from "../../demo/start-up/connect"
import { logIn, type StoreApi } from "../../demo/start-up/store-api"
import { startStorefront } from "../../demo/storefront/serve"
import { freePort } from "../../tools/ports"
import { type RunningSandbox, startSandbox } from "./sandbox"
import { type Stops, stopAll } from "./stops"
import { startStore } from "./store-process"
import { createDatabase } from "./test-database"

export type WholeShop = {
  storeUrl: string
  storefrontUrl: string
  databaseUrl: string
  sandbox: RunningSandbox
  /** The admin API, as the demo's admin user. */
  admin: StoreApi
  stop: () => Promise<void>
}

export async function startWholeShop(): Promise<WholeShop> {
  const database = await createDatabase(`svc_browser_${process.pid}`, "shop")
  const stops: Stops = [database.drop]
  const stop = () => stopAll(stops)
  try {
    const sandbox = await startSandbox()
    stops.push(() => sandbox.stop())
    const [storePort, storefrontPort] = [await freePort(), await freePort()]
    const storeUrl = `http://127.0.0.1:${storePort}`
    const storefrontUrl = `http://127.0.0.1:${storefrontPort}`
    const store = await startStore(database, storePort, {
      ready: "/app",
      env: {
        LOOKUP_MS: "10000",
        STORE_CORS: storefrontUrl,
        ADMIN_CORS: storeUrl,
        AUTH_CORS: `${storeUrl},${storefrontUrl}`,
      },
    })
    stops.push(() => store.stop())
    const admin = await logIn(storeUrl)
    const storefront = await startStorefront({
      port: storefrontPort,
      storeUrl,
      sandboxUrl: sandbox.url,
      pageUid: "demo-page",
      markets: await readMarkets(admin),
    })
    stops.push(() => storefront.close())
    return { storeUrl, storefrontUrl, databaseUrl: database.url, sandbox, admin, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
