import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { type Connection, type SourceProduct, SVC_MODULE } from "../../modules/svc"
import type { Amount, Market } from "../../modules/svc/catalog/product-payload"
import {
  goneBecause,
  type ProductSnapshot,
  snapshotOf,
} from "../../modules/svc/catalog/product-snapshot"

/** Price sets in one call. With more of them the parameters of Medusa's statement take the time, not the prices. */
const PRICE_PAGE = 1500

/**
 * Reads products as they are now for one connection: what a guest in its region pays, price lists included, and what
 * is left in stock over its sales channel's locations. Every id gets a snapshot.
 */
export async function readSnapshots(
  container: MedusaContainer,
  connection: Connection,
  productIds: string[],
): Promise<Map<string, ProductSnapshot>> {
  const svc = container.resolve(SVC_MODULE)
  const [market, products] = await Promise.all([
    readMarket(container, connection),
    svc.storeProducts.read(productIds, connection.sales_channel_id),
  ])
  const forSale = products.filter((product) => goneBecause(product) === null)
  const prices = market
    ? await readPrices(container, connection, market, forSale)
    : new Map<string, Amount>()

  const byId = new Map(products.map((product) => [product.id, product]))
  return new Map(productIds.map((id) => [id, snapshotOf(byId.get(id), market, prices)]))
}

async function readMarket(
  container: MedusaContainer,
  connection: Connection,
): Promise<Market | null> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "region",
    fields: ["name", "currency_code"],
    filters: { id: connection.region_id },
  })
  const [region] = data
  return region
    ? {
        regionName: region.name,
        currencyCode: region.currency_code,
        storefrontUrl: connection.storefront_url.replace(/\/+$/, ""),
      }
    : null
}

async function readPrices(
  container: MedusaContainer,
  connection: Connection,
  market: Market,
  products: SourceProduct[],
): Promise<Map<string, Amount>> {
  const pricing = container.resolve(Modules.PRICING)
  const sets = products.flatMap((product) =>
    product.variants.flatMap((variant) => variant.price_set_id ?? []),
  )
  const prices = new Map<string, Amount>()
  for (let start = 0; start < sets.length; start += PRICE_PAGE) {
    const calculated = await pricing.calculatePrices(
      { id: sets.slice(start, start + PRICE_PAGE) },
      // The prices of a guest: no customer, so none that only a customer group gets.
      { context: { region_id: connection.region_id, currency_code: market.currencyCode } },
    )
    for (const price of calculated) {
      const amount = price.raw_calculated_amount ?? price.calculated_amount
      if (amount !== null && amount !== undefined) prices.set(price.id, amount)
    }
  }
  return prices
}
