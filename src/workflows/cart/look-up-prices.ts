import type { ICachingModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { SvcError } from "../../client"
import type { CampaignPrice } from "../../contract"
import { SVC_MODULE } from "../../modules/svc"

/** A shopper waits for this. After it the line is refused, so that the whole cart is not held up. */
const DEADLINE_MS = 4_000
/**
 * Seconds for which one answer serves everybody. Short, because a price that changes during the show must be charged
 * at once.
 */
const TTL_S = 5

type Product = { productId: string; variantId?: string }
type Lookup = { ok: true; price: CampaignPrice; fetchedAt: number } | { ok: false; error: SvcError }

type Known = { price: CampaignPrice; fetchedAt: number }

/** Lookups under way in this process: shoppers who ask for the same product share one call. */
const underWay = new Map<string, Promise<Known>>()

const cacheKey = (connectionId: string, campaignUid: string, product: Product): string =>
  `svc:price:${connectionId}:${campaignUid}:${product.productId}:${product.variantId ?? ""}`
const cacheTag = (connectionId: string, campaignUid: string): string =>
  `svc:price:${connectionId}:${campaignUid}`

const caching = (container: MedusaContainer): ICachingModuleService | undefined =>
  container.resolve(Modules.CACHING, { allowUnregistered: true })

/**
 * Looks campaign prices up, once per product, in parallel, under one deadline (interface §4.1).
 * Must not be called while a cart's lock is held.
 *
 * @returns one entry per product, in the given order; a failed lookup is an entry, not an exception
 */
export async function lookUpPrices(
  container: MedusaContainer,
  connectionId: string,
  campaignUid: string,
  products: Product[],
): Promise<Lookup[]> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  return Promise.all(
    products.map(async (product): Promise<Lookup> => {
      try {
        const known = await lookup(container, connectionId, campaignUid, product, deadline)
        return { ok: true, ...known }
      } catch (error) {
        if (error instanceof SvcError) return { ok: false, error }
        throw error
      }
    }),
  )
}

async function lookup(
  container: MedusaContainer,
  connectionId: string,
  campaignUid: string,
  product: Product,
  deadline: AbortSignal,
): Promise<Known> {
  const key = cacheKey(connectionId, campaignUid, product)
  const cache = caching(container)
  const cached = await readCache(cache, key)
  if (cached) return cached

  const running = underWay.get(key)
  if (running) {
    try {
      return await running
    } catch (error) {
      // The call that we waited for ran under the deadline of whoever asked first. Ours is not over: ask again.
      if (!(error instanceof SvcError) || error.code !== "svc_timeout" || deadline.aborted) {
        throw error
      }
      return lookup(container, connectionId, campaignUid, product, deadline)
    }
  }
  const call = (async () => {
    const svc = container.resolve(SVC_MODULE)
    const fetchedAt = Date.now()
    const price = await svc.callNow(connectionId, (client) =>
      client.getCampaignProductPrice(campaignUid, product, {
        timeoutMs: DEADLINE_MS,
        signal: deadline,
      }),
    )
    const known = { price, fetchedAt }
    await cache
      ?.set({ key, data: known, ttl: TTL_S, tags: [cacheTag(connectionId, campaignUid)] })
      // A cache that is down must not cost a sale.
      .catch(() => undefined)
    return known
  })().finally(() => underWay.delete(key))
  underWay.set(key, call)
  return call
}

async function readCache(
  cache: ICachingModuleService | undefined,
  key: string,
): Promise<Known | null> {
  const data = await cache?.get({ key }).catch(() => null)
  if (!data || typeof data !== "object" || !("price" in data) || !("fetchedAt" in data)) return null
  return data as Known
}

/** Forgets the cached prices of a campaign; called when a delivery says that one of them changed. */
export async function forgetPrices(
  container: MedusaContainer,
  connectionId: string,
  campaignUid: string,
): Promise<void> {
  await caching(container)
    ?.clear({ tags: [cacheTag(connectionId, campaignUid)] })
    .catch(() => undefined)
}
