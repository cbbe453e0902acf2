import { setTimeout as sleep } from "node:timers/promises"
import type { MedusaContainer } from "@medusajs/framework/types"
import { SvcError } from "../../client"
import { type CampaignPrice, isObject } from "../../contract"
import { SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import { isOnBasis, type PriceBasis } from "../../modules/svc/shared/price-basis"
import { reasonOf } from "../../modules/svc/shared/reason"
import type { OpenProduct } from "../../modules/svc/shows"
import { type ListingTime, type ProductWrite, readWrite } from "../../modules/svc/shows"
import { announceChanges } from "./announce-changes"
import { currenciesOf } from "./read-shows"

/** Between two calls: nobody waits for them, and the service has shoppers to answer. */
const PACE_MS = 50
/** Products that are taken at once. */
const BATCH = 50
/** After this long another worker takes what this one did not answer for. */
const LEASE_MS = 60_000
/** What of a batch is not looked up within this time is left for later. */
const WITHIN_MS = 40_000
const TIMEOUT_MS = 5_000
/** After so many failures in a row it is the service that fails, not a product: it is left alone for a while. */
const FAILURES = 3

/**
 * Settles products of which the deliveries left it open what is right: no listing has products, so the price is looked
 * up (gaps 2, 3, 20 and 37). A product that the service has no price for stays doubtful: a price lookup in a cart decides
 * then. So does one whose answer is in another currency or on another tax basis than the connection's: our copy holds a
 * bare number, and would be read as one of the connection's. One that the service does not answer for, or with nothing
 * that anybody can read, is due again in a minute. One that was told to be gone and may be back is sold again where the
 * service answers a price, and is gone where it has none.
 *
 * @returns whether there may be more that is due: of many products it settles some
 */
export async function settlePrices(
  container: MedusaContainer,
  connectionId: string,
): Promise<boolean> {
  const svc = container.resolve(SVC_MODULE)
  const claimed = await svc.shows.lookups.claim(connectionId, { limit: BATCH, leaseMs: LEASE_MS })
  if (!claimed) return false
  const basis = await connectionBasis(container, connectionId)
  const time = await svc.shows.pulls.time(connectionId)
  const writes: ProductWrite[] = []
  const answered: string[] = []
  const unknown: string[] = []
  const gone: string[] = []
  const until = performance.now() + WITHIN_MS
  let problem: SvcError | null = null
  let failures = 0
  for (const product of claimed.products) {
    if (performance.now() > until || failures === FAILURES) break
    try {
      // Nothing is sold where the connection or its region is gone.
      const data = basis ? await lookUp(svc, connectionId, product, basis) : null
      failures = 0
      answered.push(product.id)
      const write = data && data !== NO_PRICE && writeOf(product, data, time)
      if (write) writes.push(write)
      else if (data === NO_PRICE && product.mayBeBack) gone.push(product.id)
      else if (basis) unknown.push(product.id)
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      failures += 1
      problem = error
    }
  }
  const isPaused = failures === FAILURES || answered.length === 0
  const failed = problem && isPaused ? reasonOf(problem) : null
  const settled = await svc.shows.projection.write(connectionId, async (trx) => {
    const isMore = await svc.shows.lookups.settle(trx, claimed, { answered, gone, failed })
    await svc.shows.projection.markUnsettled(trx, unknown)
    return { isMore, announcements: await svc.shows.projection.applyLookedUp(trx, writes, time) }
  })
  if (settled) void announceChanges(container, settled.announcements)
  return settled?.isMore ?? false
}

/** Asks the service for one product's prices, at a pace. */
const lookUp = (
  svc: SvcModuleService,
  connectionId: string,
  product: OpenProduct,
  basis: PriceBasis,
) =>
  svc.connections.calls.inBackground(connectionId, "prices", (client) =>
    lookedUp(product, basis, async (request) => {
      await sleep(PACE_MS)
      const limits = { timeoutMs: TIMEOUT_MS }
      const price = await client.getCampaignProductPrice(product.campaign_uid, request, limits)
      void svc.shows.priceBases.note(connectionId, product.campaign_uid, price)
      return price
    }),
  )

/** Null where the connection or its region is gone. */
async function connectionBasis(
  container: MedusaContainer,
  connectionId: string,
): Promise<PriceBasis | null> {
  const connection = await container.resolve(SVC_MODULE).connections.rows.find(connectionId)
  const currency = (await currenciesOf(container, [connectionId])).get(connectionId)
  return connection && currency
    ? { currency: currency.toLowerCase(), pricesIncludeVat: connection.prices_include_vat }
    : null
}

/** The show sells no variant of it. */
const NO_PRICE = Symbol("no price")

function writeOf(
  product: OpenProduct,
  data: Record<string, unknown>,
  listing: ListingTime,
): ProductWrite | null {
  const read = readWrite({
    entity: "event_product",
    family: product.kind,
    change: "updated",
    occurredAt: Math.max(listing.asOf, product.latest + 1),
    emission: null,
    data,
  })
  return read.ok && read.entity === "event_product" ? read.write : null
}

/**
 * The product's data with the prices that the service answers now; null where it has not all of them, or not on the
 * connection's basis.
 */
async function lookedUp(
  product: OpenProduct,
  basis: PriceBasis,
  ask: (request: { productId: string; variantId?: string }) => Promise<CampaignPrice>,
): Promise<Record<string, unknown> | typeof NO_PRICE | null> {
  const { external_id: productId, variants } = product
  if (productId === null) return null
  const data =
    product.mayBeBack && !product.available ? { ...product.data, available: true } : product.data
  const priceOf = async (variantId?: string): Promise<number | typeof NO_PRICE | null> => {
    try {
      const price = await ask({ productId, ...(variantId ? { variantId } : {}) })
      return isOnBasis(price, basis) ? price.amount : null
    } catch (error) {
      if (!(error instanceof SvcError) || error.failure !== "dead" || error.status === null)
        throw error
      // As a basket takes it: any other refusal may be of how we asked, and says nothing of the price.
      return error.code === "svc_not_found" ? NO_PRICE : null
    }
  }
  const sold = variants.flatMap(({ external_id }) => external_id ?? [])
  const prices = new Map<string | undefined, number | typeof NO_PRICE | null>()
  for (const id of sold.length > 0 ? sold : [undefined]) {
    const price = await priceOf(id)
    prices.set(id, price)
    // One without a price leaves the product open. Whether it is gone takes all of them.
    if (typeof price !== "number" && !product.mayBeBack) return null
  }
  const answers = [...prices.values()]
  if (answers.every((price) => price === NO_PRICE)) return NO_PRICE
  if (answers.some((price) => typeof price !== "number")) return null
  // The very same object where the price is the same, so that its hash stays. A variant may have the product's price.
  const priced = (told: Record<string, unknown>, id?: string) => {
    const price = prices.get(id)
    const isSame = typeof price !== "number" || Number(told.price ?? data.price) === price
    return isSame ? told : { ...told, price }
  }
  const told: unknown[] = Array.isArray(data.variants) ? data.variants : []
  if (sold.length === 0) return priced(data)
  return {
    ...data,
    variants: told.map((variant) =>
      isObject(variant) ? priced(variant, String(variant.externalId)) : variant,
    ),
  }
}
