import { connect, PAGE, readMarkets } from "../../demo/start-up/connect"
import { logIn, type StoreApi } from "../../demo/start-up/store-api"
import type { Market } from "./market"

/** Connects the first market of the demo's shop, in a store of its own process, to a page of the sandbox. */
export async function connectHomeMarket(
  storeUrl: string,
  sandbox: { url: string },
): Promise<{ admin: StoreApi; market: Market }> {
  const admin = await logIn(storeUrl)
  const [home] = await readMarkets(admin)
  if (!home) throw new Error("The demo's shop has no market.")
  const connectionId = await connect(admin, home, {
    sandbox: sandbox.url,
    storefront: "http://127.0.0.1:8000",
  })
  return {
    admin,
    market: {
      ...home,
      name: "denmark",
      pageUid: PAGE.uid,
      apiToken: PAGE.token,
      connectionId,
      store: { headers: { "x-publishable-api-key": home.publishableKey } },
      admin: { headers: {} },
    },
  }
}
