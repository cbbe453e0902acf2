import type { IPricingModuleService, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import type { Reason } from "../../modules/svc/backoff"
import type SvcModuleService from "../../modules/svc/service"
import type { Connection } from "../../modules/svc/service"
import { CatalogSource, type SourceProduct } from "../../modules/svc/sql/catalog-source"
import type { Mapped } from "./payload"
import { type Amount, type CatalogProduct, type Market, toPayload } from "./payload"
import { REASON } from "./reasons"

/** What a product is to a connection right now: for sale (mapped, or refused with a reason), or gone. */
export type Standing = { title: string | null } & (
  | { kind: "for_sale"; mapped: Mapped }
  | { kind: "gone"; reason: Reason }
)

/** Price sets in one call: beyond it the statement's parameters, not the prices, take the time. */
const PRICE_PAGE = 1500

/**
 * Reads products as they are now for one connection: what a guest in its region pays, price lists in, and what is
 * left over its sales channel's locations. Every id gets a standing.
 */
export async function readStandings(
  container: MedusaContainer,
  connection: Connection,
  productIds: string[],
): Promise<Map<string, Standing>> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const [market, products] = await Promise.all([
    readMarket(container, connection),
    new CatalogSource(svc.database()).products(productIds, connection.sales_channel_id),
  ])
  const forSale = products.filter((product) => goneBecause(product) === null)
  const prices = market ? await readPrices(container, connection, market, forSale) : new Map()

  const byId = new Map(products.map((product) => [product.id, product]))
  return new Map(
    productIds.map((id): [string, Standing] => {
      const product = byId.get(id)
      if (!product) return [id, { kind: "gone", title: null, reason: REASON.deleted() }]
      const { title } = product
      const reason = goneBecause(product)
      if (reason) return [id, { kind: "gone", title, reason }]
      const mapped: Mapped = market
        ? toPayload(toCatalogProduct(product, prices), market)
        : { ok: false, reason: REASON.region_missing() }
      return [id, { kind: "for_sale", title, mapped }]
    }),
  )
}

function goneBecause(product: SourceProduct): Reason | null {
  if (product.deleted) return REASON.deleted()
  if (!product.in_channel) return REASON.not_in_channel()
  if (product.status !== "published") return REASON.not_published()
  return null
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
  const pricing = container.resolve<IPricingModuleService>(Modules.PRICING)
  const sets = products.flatMap((product) =>
    product.variants.flatMap((variant) => variant.price_set_id ?? []),
  )
  const prices = new Map<string, Amount>()
  for (let start = 0; start < sets.length; start += PRICE_PAGE) {
    const calculated = await pricing.calculatePrices(
      { id: sets.slice(start, start + PRICE_PAGE) },
      // The context of a guest: no customer, so no price that only a group sees.
      { context: { region_id: connection.region_id, currency_code: market.currencyCode } },
    )
    for (const price of calculated) {
      const amount = price.raw_calculated_amount ?? price.calculated_amount
      if (amount !== null && amount !== undefined) prices.set(price.id, amount)
    }
  }
  return prices
}

function toCatalogProduct(product: SourceProduct, prices: Map<string, Amount>): CatalogProduct {
  return {
    id: product.id,
    title: product.title,
    handle: product.handle,
    thumbnail: product.thumbnail,
    images: product.images,
    options: product.option_titles.map((title) => ({ title, values: valuesOf(product, title) })),
    variants: product.variants.map((variant) => ({
      id: variant.id,
      title: variant.title,
      sku: variant.sku,
      thumbnail: variant.thumbnail,
      rank: variant.rank,
      manageInventory: variant.manage_inventory,
      allowBackorder: variant.allow_backorder,
      price: (variant.price_set_id && prices.get(variant.price_set_id)) ?? null,
      options: variant.options,
      parts: variant.parts,
    })),
  }
}

/** The values that the product's variants have, in the option's order. */
function valuesOf(product: SourceProduct, title: string): string[] {
  const ranked = product.variants
    .flatMap((variant) => variant.options)
    .filter((option) => option.title === title)
    .sort((a, b) => (a.rank ?? Number.MAX_SAFE_INTEGER) - (b.rank ?? Number.MAX_SAFE_INTEGER))
  return [...new Set(ranked.map((option) => option.value))]
}
