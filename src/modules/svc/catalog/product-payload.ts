/** From a product of the store to the product as the service takes it (interface §2.1). Pure. */
import { BigNumber, MathBN } from "@medusajs/framework/utils"
import {
  isSimple,
  PRODUCT_STATUS,
  type PushedProduct,
  type PushedVariant,
  pushedProduct,
} from "../../../contract"
import type { Reason } from "../shared/reason"
import { REASON } from "./reasons"

/** An amount or quantity as Medusa hands it over: never added as a float. */
export type Amount = ConstructorParameters<typeof BigNumber>[0]

export type CatalogVariant = {
  id: string
  title: string
  sku: string | null
  thumbnail: string | null
  rank: number
  manageInventory: boolean
  allowBackorder: boolean
  /** What a guest in the connection's region pays now, price lists included; null where the region has no price. */
  price: Amount | null
  options: { title: string; value: string }[]
  /** The inventory items that one piece takes, with what is left of each over the channel's stock locations. */
  parts: { required: Amount; available: Amount }[]
}

export type CatalogProduct = {
  id: string
  title: string
  handle: string | null
  thumbnail: string | null
  /** In the merchant's order. */
  images: string[]
  /** Values in the merchant's order. */
  options: { title: string; values: string[] }[]
  variants: CatalogVariant[]
}

/** Where the connection sells. */
export type Market = { regionName: string; currencyCode: string; storefrontUrl: string }

/** `note` is what the merchant should know although the product is sent. */
export type Mapped = { ok: true; payload: PushedProduct; note: Reason | null } | Refused
type Refused = { ok: false; reason: Reason }

/**
 * Maps a product that is for sale in the market. A product that the service could not sell is refused with a
 * reason, because sending half of it would only hide the problem.
 */
export function toPayload(product: CatalogProduct, market: Market): Mapped {
  if (product.variants.length === 0) return refuse(REASON.no_variants())
  const variants = [...product.variants].sort((a, b) => a.rank - b.rank || compare(a.id, b.id))
  const priced = variants.filter(hasPrice)
  const first = priced[0]
  if (!first) return refuse(REASON.no_price(market))

  const images = absoluteImages(product, market.storefrontUrl)
  const shared = {
    id: product.id,
    name: product.title,
    url: `${market.storefrontUrl}/products/${encodeURIComponent(product.handle ?? product.id)}`,
    status: PRODUCT_STATUS.enabled,
    ...(images[0] ? { image: images[0] } : {}),
    ...(images.length > 1 ? { images: images.slice(1) } : {}),
  }
  const payload: PushedProduct = isSimple(product.variants.length)
    ? {
        ...shared,
        type: "simple",
        sku: first.sku ?? first.id,
        price: toNumber(first.price),
        ...stockOf(first),
      }
    : {
        ...shared,
        type: "configurable",
        sku: product.handle ?? product.id,
        price: toNumber(lowest(priced)),
        ...stockOfAll(priced),
        configurableOptions: usedOptions(product, priced),
        variants: priced.map((variant) => toVariant(variant, market)),
      }

  const checked = pushedProduct.safeParse(payload)
  if (!checked.success) {
    const fields = checked.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`)
    return refuse(REASON.incomplete(fields))
  }
  const unpriced = variants.filter((variant) => !hasPrice(variant)).map((variant) => variant.title)
  return {
    ok: true,
    payload: checked.data,
    note: unpriced.length > 0 ? REASON.variants_without_price(unpriced, market) : null,
  }
}

/**
 * The last known payload once more, as not for sale (gap 25). Stock is reserved at variant level (interface §2.1), so
 * each variant says it too.
 *
 * @param status the word for it, which only the service knows for sure: gap 24
 */
export function notForSale(last: PushedProduct, status: string): PushedProduct {
  const gone = { status, inventory: 0 }
  return last.type === "simple"
    ? { ...last, ...gone }
    : { ...last, ...gone, variants: last.variants.map((variant) => ({ ...variant, ...gone })) }
}

type Priced = CatalogVariant & { price: Amount }
const hasPrice = (variant: CatalogVariant): variant is Priced => variant.price !== null

function toVariant(variant: Priced, market: Market): PushedVariant {
  const image = absolute(variant.thumbnail, market.storefrontUrl)
  return {
    id: variant.id,
    sku: variant.sku ?? variant.id,
    name: variant.title,
    price: toNumber(variant.price),
    ...stockOf(variant),
    status: PRODUCT_STATUS.enabled,
    ...(image ? { image } : {}),
    options: Object.fromEntries(variant.options.map(({ title, value }) => [title, value])),
  }
}

/**
 * Gap 31: the item with the least left decides. With backorder allowed or stock not managed, the service does not
 * count.
 */
function stockOf(variant: CatalogVariant): { inventory: number; manageStock: boolean } {
  const sets = variant.parts.map(({ required, available }) =>
    MathBN.gt(required, 0) ? MathBN.div(available, required) : MathBN.convert(0),
  )
  const [scarcest, ...others] = sets
  const units = scarcest ? MathBN.min(scarcest, ...others) : MathBN.convert(0)
  return {
    // More reserved than stocked means sold out, not a negative number.
    inventory: Math.max(0, Math.floor(units.toNumber())),
    manageStock: variant.manageInventory && !variant.allowBackorder,
  }
}

/** If one variant is not counted, the product can always be bought. */
function stockOfAll(variants: CatalogVariant[]): { inventory: number; manageStock: boolean } {
  const stocks = variants.map(stockOf)
  return {
    inventory: stocks.reduce((sum, stock) => sum + stock.inventory, 0),
    manageStock: stocks.every((stock) => stock.manageStock),
  }
}

const lowest = (variants: Priced[]): Amount =>
  MathBN.min(...variants.map((variant) => MathBN.convert(variant.price)))

/** Options can be shared by many products. Only the values that this product uses are named. */
function usedOptions(product: CatalogProduct, variants: CatalogVariant[]) {
  return product.options.flatMap(({ title, values }) => {
    const used = new Set(
      variants.flatMap((variant) =>
        variant.options.filter((option) => option.title === title).map((option) => option.value),
      ),
    )
    const named = values.filter((value) => used.has(value))
    return named.length > 0 ? [{ name: title, values: named }] : []
  })
}

function absoluteImages(product: CatalogProduct, storefrontUrl: string): string[] {
  const urls = [product.thumbnail, ...product.images].flatMap(
    (url) => absolute(url, storefrontUrl) ?? [],
  )
  return [...new Set(urls)]
}

/**
 * Makes a relative image address absolute, as a browser would on the product's page: the service cannot resolve it.
 */
function absolute(url: string | null, storefrontUrl: string): string | null {
  if (!url) return null
  try {
    const { protocol, href } = new URL(url, `${storefrontUrl}/`)
    return protocol === "http:" || protocol === "https:" ? href : null
  } catch {
    return null
  }
}

const toNumber = (amount: Amount): number => new BigNumber(amount).numeric
const refuse = (reason: Reason): Refused => ({ ok: false, reason })
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
