/** Connects the shop to the sandbox the way a merchant would: token, webhook, import. */
import { CHANNELS, REGIONS } from "../catalog/seed-names"
import type { Market as StorefrontMarket } from "../storefront/config"
import { control, type StoreApi, StoreApiError } from "./store-api"

/** The page the sandbox starts with. */
export const PAGE = { uid: "demo-page", token: "sandbox-token-demo-page" }

export type Market = StorefrontMarket & { salesChannelId: string }

type Connection = { id: string; page_uid: string; base_url: string; storefront_url: string }

/** Where the seeded regions and channels ended up. */
export async function readMarkets(store: StoreApi): Promise<Market[]> {
  const { regions } = await store.get<{
    regions: { id: string; name: string; currency_code: string }[]
  }>("/admin/regions?fields=id,name,currency_code")
  const { api_keys } = await store.get<{
    api_keys: { token: string; title: string; sales_channels: { id: string }[] }[]
  }>("/admin/api-keys?type=publishable&fields=token,title,*sales_channels")
  return (["denmark", "europe"] as const).map((id) => {
    const region = regions.find(({ name }) => name === REGIONS[id])
    const key = api_keys.find(({ title }) => title === CHANNELS[id])
    const channel = key?.sales_channels[0]
    if (!region || !key || !channel) {
      throw new Error(
        `The demo's market "${REGIONS[id]}" is not in this database. ` +
          "Use an empty database, or start over: npm run demo -- --reset",
      )
    }
    return {
      id,
      label: REGIONS[id],
      regionId: region.id,
      currency: region.currency_code.toUpperCase(),
      publishableKey: key.token,
      salesChannelId: channel.id,
    }
  })
}

export async function connect(
  store: StoreApi,
  market: Market,
  addresses: { sandbox: string; storefront: string },
): Promise<string> {
  const { connections } = await store.get<{ connections: Connection[] }>("/admin/svc/connections")
  const existing = connections.find(({ page_uid }) => page_uid === PAGE.uid)
  const wanted = { base_url: addresses.sandbox, storefront_url: addresses.storefront }
  if (!existing) {
    const { connection } = await store.post<{ connection: Connection }>("/admin/svc/connections", {
      name: `Hede & Havn, ${market.label}`,
      page_uid: PAGE.uid,
      api_token: PAGE.token,
      sales_channel_id: market.salesChannelId,
      region_id: market.regionId,
      ...wanted,
    })
    return connection.id
  }
  const moved =
    existing.base_url !== wanted.base_url || existing.storefront_url !== wanted.storefront_url
  // Other ports than last time; a new address of the service needs the token again.
  if (moved) {
    await store.post(`/admin/svc/connections/${existing.id}`, { ...wanted, api_token: PAGE.token })
  }
  return existing.id
}

/** A page may have five subscribers, so a new one is asked for only where there is none that leads to the store's address. */
export async function registerWebhook(store: StoreApi, connectionId: string, sandboxUrl: string) {
  const path = `/admin/svc/connections/${connectionId}/webhook`
  const { subscribers } = await control<{ subscribers: { url: string }[] }>(
    sandboxUrl,
    `/subscribers?page_uid=${PAGE.uid}`,
  )
  const url = `${store.url}/hooks/svc/${connectionId}`
  const known = await store.get<{ webhook: { webhook_uid: string | null } | null }>(path).then(
    ({ webhook }) => Boolean(webhook?.webhook_uid),
    (error: Error) => {
      if (error instanceof StoreApiError && error.status === 404) return false
      throw error
    },
  )
  if (known && subscribers.some((subscriber) => subscriber.url === url)) return
  // With another port than last time the store takes it over from itself.
  await store.post(path, { take_over: known })
}

type Sync = { status: string; total: number; done: number; failed: number }

const IMPORT_WITHIN_MS = 300_000
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Sends the whole catalog and waits until the service has it. */
export async function importCatalog(
  store: StoreApi,
  connectionId: string,
  detail: (text: string) => void,
) {
  const path = `/admin/svc/connections/${connectionId}/sync`
  await store.post(path).catch((error: Error) => {
    // A connection that moved to another address has begun one by itself.
    if (!(error instanceof StoreApiError && error.status === 409)) throw error
  })
  const deadline = Date.now() + IMPORT_WITHIN_MS
  while (Date.now() < deadline) {
    const { sync } = await store.get<{ sync: Sync }>(path)
    detail(`${sync.done} of ${sync.total} products`)
    if (sync.status === "completed") return
    if (sync.status === "failed" || sync.status === "cancelled") break
    await pause(150)
  }
  throw new Error("The import did not finish; the admin shows why, under Live commerce.")
}

export async function receivedProducts(sandboxUrl: string): Promise<number> {
  const path = `/products?page_uid=${PAGE.uid}&limit=1`
  return (await control<{ count: number }>(sandboxUrl, path)).count
}
