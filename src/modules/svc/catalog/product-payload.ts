/** From a product of the store to the product as the service takes it (interface §2.1). Pure. */
import {
  canonicalHash,
  isSimple,
  PRODUCT_STATUS,
  type PushedProduct,
  type PushedVariant,
  pushedProduct,
} from "../../../contract"
import type { SourceProduct, SourceVariant } from "../core-tables/store-products"
import type { CountryTax } from "../shared/country-tax"
import { pricedHash } from "../shared/priced-hash"
import type { Reason } from "../shared/reason"
import { catalogReason, enumerate } from "./reasons"

/** Where the connection sells, and for how much. */
export type Market = {
  regionName: string
  currencyCode: string
  storefrontUrl: string
  /** Address of a product's page, or a path of the storefront, with {handle}, {id} and {locale}. */
  productUrl: string
  locale: string | null
  /** What a guest in the connection's region pays now, on the connection's basis; null where it has no such price. */
  priceOf: (variant: SourceVariant) => number | null
  /** Who adds taxes that nobody knows here, so that the prices are as the store keeps them. */
  foreignTax: CountryTax | null
}

/** `note` is what the merchant should know although the product is sent. */
export type Mapped =
  | { ok: true; payload: PushedProduct; currency: string; hash: string; note: Reason | null }
  | Refused
type Refused = { ok: false; reason: Reason }

export const PRODUCT_URL = "/products/{handle}"

/**
 * Maps a product that is for sale in the market. A product that the service could not sell is refused with a
 * reason, because sending half of it would only hide the problem.
 */
export function toPayload(product: SourceProduct, market: Market): Mapped {
  const currency = market.currencyCode.toUpperCase()
  if (product.variants.length === 0) return refuse(catalogReason("no_variants"))
  const variants = product.variants
    .map((variant) => ({ ...variant, price: market.priceOf(variant) }))
    .sort((a, b) => a.rank - b.rank || compare(a.id, b.id))
  const priced = variants.filter(hasPrice)
  const first = priced[0]
  if (!first) return refuse(catalogReason("no_price", { currency, region: market.regionName }))

  const { images, unusable } = absoluteImages(product, market.storefrontUrl)
  const shared = {
    id: product.id,
    name: product.title.trim(),
    url: productUrl(product, market),
    status: PRODUCT_STATUS.enabled,
    ...(images[0] ? { image: images[0] } : {}),
    ...(images.length > 1 ? { images: images.slice(1) } : {}),
  }
  const payload: PushedProduct = isSimple(product.variants.length)
    ? {
        ...shared,
        type: "simple",
        sku: filled(first.sku) ?? first.id,
        price: first.price,
        ...stockOf(first),
      }
    : {
        ...shared,
        type: "configurable",
        sku: filled(product.handle) ?? product.id,
        price: Math.min(...priced.map(({ price }) => price)),
        ...stockOfAll(priced),
        ...configurable(product, priced, market),
      }

  const problem = problemOf(payload)
  if (problem) return refuse(problem)
  return mappedIn(currency, payload, noteOf(market.foreignTax, variants, unusable, currency))
}

/** @param currency ISO 4217, upper case */
export const mappedIn = (
  currency: string,
  payload: PushedProduct,
  note: Reason | null,
): Mapped => ({
  ok: true,
  payload,
  currency,
  hash: pricedHash(currency, canonicalHash(payload)),
  note,
})

/** What the service would miss in a payload. */
export function problemOf(payload: unknown): Reason | null {
  const checked = pushedProduct.safeParse(payload)
  if (checked.success) return null
  const fields = checked.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`)
  return catalogReason("incomplete", { fields: enumerate(fields) })
}

function noteOf(
  foreignTax: CountryTax | null,
  variants: SoldVariant[],
  unusable: string[],
  currency: string,
): Reason | null {
  const named = (some: SoldVariant[]) => enumerate(some.map(({ title }) => title))
  const unpriced = variants.filter((variant) => !hasPrice(variant))
  if (unpriced.length > 0) {
    return catalogReason("variants_without_price", { currency, variants: named(unpriced) })
  }
  if (foreignTax) {
    const { country, provider } = foreignTax
    return catalogReason("tax_elsewhere", {
      country: country.toUpperCase(),
      provider: provider ?? "nobody",
    })
  }
  const free = variants.filter(({ price }) => price === 0)
  if (free.length > 0) return catalogReason("zero_price", { currency, variants: named(free) })
  if (unusable.length > 0) return catalogReason("image_unusable", { images: enumerate(unusable) })
  return null
}

/**
 * The last known payload once more, as not for sale (gap 25). Stock is reserved at variant level (interface §2.1), so
 * each variant says it too.
 *
 * @param status the word for it, which only the service knows for sure: gap 24
 */
export function notForSale(last: PushedProduct, status: string): PushedProduct {
  const gone = { status, inventory: 0 }
  if (last.type === "simple") return { ...last, ...gone }
  return {
    ...last,
    ...gone,
    configurableOptions: withValuesOf(last.configurableOptions, last.variants),
    variants: last.variants.map((variant) => ({ ...variant, ...gone })),
  }
}

/** A service may insist that the product names every option, and every value of it, that one of its variants has. */
export function withValuesOf(
  options: { name: string; values: string[] }[],
  variants: { options: Record<string, string> }[],
) {
  const values = new Map(options.map((option) => [option.name, new Set(option.values)]))
  for (const [name, value] of variants.flatMap((variant) => Object.entries(variant.options)))
    values.set(name, new Set([...(values.get(name) ?? []), value]))
  return [...values].map(([name, some]) => ({ name, values: [...some] }))
}

/** A product of which no more is known than that the service may have it: what a call must name to turn it off. */
export const placeholder = (id: string, title: string, url: string): PushedProduct => ({
  id,
  type: "simple",
  sku: id,
  name: title.trim() || id,
  price: 0,
  url,
  status: PRODUCT_STATUS.enabled,
})

type SoldVariant = SourceVariant & { price: number | null }
type Priced = SoldVariant & { price: number }
const hasPrice = (variant: SoldVariant): variant is Priced => variant.price !== null

/** Medusa knows variants without options; the service asks for at least one dimension. */
const LONE_OPTION = "Variant"

function configurable(product: SourceProduct, variants: Priced[], market: Market) {
  const sent = variants.map((variant) => toVariant(product, variant, market))
  const options = usedOptions(product, variants)
  if (options.length > 0) return { configurableOptions: options, variants: sent }
  return {
    configurableOptions: [
      { name: LONE_OPTION, values: [...new Set(sent.map(({ name }) => name))] },
    ],
    variants: sent.map((variant) => ({ ...variant, options: { [LONE_OPTION]: variant.name } })),
  }
}

function toVariant(product: SourceProduct, variant: Priced, market: Market): PushedVariant {
  const image = absolute(variant.thumbnail ?? variant.images[0] ?? null, market.storefrontUrl)
  const values = variant.options.map(({ value }) => value).join(" / ")
  return {
    id: variant.id,
    sku: filled(variant.sku) ?? variant.id,
    name: filled(variant.title) ?? filled(values) ?? product.title.trim(),
    price: variant.price,
    ...stockOf(variant),
    status: PRODUCT_STATUS.enabled,
    ...(image ? { image } : {}),
    options: Object.fromEntries(variant.options.map(({ option, value }) => [option.title, value])),
  }
}

type Stock = { inventory?: number; manageStock: boolean }

/** Gap 31: backorder allowed or stock not managed: the service does not count. A number would say "sold out" of it. */
const stockOf = (variant: SourceVariant): Stock =>
  variant.manage_inventory && !variant.allow_backorder
    ? // Reserved beyond what is stocked is sold out, not a negative number.
      { inventory: Math.max(0, variant.units ?? 0), manageStock: true }
    : { manageStock: false }

/** If one variant is not counted, the product can always be bought. */
function stockOfAll(variants: SourceVariant[]): Stock {
  const stocks = variants.map(stockOf)
  if (!stocks.every((stock) => stock.manageStock)) return { manageStock: false }
  return {
    inventory: stocks.reduce((sum, stock) => sum + (stock.inventory ?? 0), 0),
    manageStock: true,
  }
}

/** A shared option of the store has values that this product does not: only those in use are named, in the option's order. */
function usedOptions(product: SourceProduct, variants: Priced[]) {
  return product.options.flatMap(({ id, title: name }) => {
    const used = variants
      .flatMap(({ options }) => options.filter(({ option }) => option.id === id))
      .sort((a, b) => (a.rank ?? Number.MAX_SAFE_INTEGER) - (b.rank ?? Number.MAX_SAFE_INTEGER))
    const values = [...new Set(used.map(({ value }) => value))]
    return values.length > 0 ? [{ name, values }] : []
  })
}

/** Where a product is in the shop: what the service is told, and what the player links to. */
export function productUrl(
  product: { id: string; handle: string | null },
  market: Pick<Market, "productUrl" | "locale" | "storefrontUrl">,
): string {
  const values: Record<string, string> = {
    handle: filled(product.handle) ?? product.id,
    id: product.id,
    locale: market.locale ?? "",
  }
  const path = market.productUrl.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(values[name] ?? ""),
  )
  return /^https?:\/\//.test(path) ? path : `${market.storefrontUrl}/${path.replace(/^\/+/, "")}`
}

/** Pictures whose address is none are left out, and named: the product can be sold without them. */
function absoluteImages(
  product: SourceProduct,
  storefrontUrl: string,
): { images: string[]; unusable: string[] } {
  const images = new Set<string>()
  const unusable: string[] = []
  for (const url of [product.thumbnail, ...product.images]) {
    const whole = absolute(url, storefrontUrl)
    if (whole) images.add(whole)
    else if (filled(url)) unusable.push(String(url).slice(0, 100))
  }
  return { images: [...images], unusable }
}

/**
 * Makes a relative image address absolute, as a browser would on the product's page: the service cannot resolve it.
 */
function absolute(url: string | null, storefrontUrl: string): string | null {
  if (!filled(url)) return null
  try {
    const { protocol, href } = new URL(url ?? "", `${storefrontUrl}/`)
    return protocol === "http:" || protocol === "https:" ? href : null
  } catch {
    return null
  }
}

/** A text of spaces is none. */
const filled = (text: string | null): string | null => text?.trim() || null
const refuse = (reason: Reason): Refused => ({ ok: false, reason })
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
