import { PRODUCT_STATUS, type PushedProduct } from "../../../contract"
import { isToldGone } from "../cart/campaign-state"
import { clampQuantity, NO_LIMITS } from "../cart/limits"
import { isBelowFloor } from "../cart/price-policy"
import type { CatalogItem, Connection } from "../models"
import { currencyOf } from "../shared/priced-hash"
import { type Reason, reasonFor, reasonOfRow } from "../shared/reason"
import type { KnownEventProduct } from "./show-queries"

/** What keeps a product of a show from being sold in it; ready where nothing does. Warnings are problems that do not. */
export type Readiness = { ready: boolean; problems: Reason[] }

/** Currencies in lower case ISO 4217; null where not known. */
type Currencies = {
  /** In which the service answers for the show's prices. */
  prices: string | null
  /** Of the connection's region, in which its baskets are. */
  region: string | null
}

/** It sells, but the merchant should look at it. */
const WARNINGS = [
  "price_above_catalog",
  "variants_out_of_stock",
  "connection_trouble",
  // The service may have the product by a feed, or of an earlier connection.
  "catalog_not_imported",
  "other_tax_basis",
]

/** What is known of all products of a show at once. */
export type ShowState = {
  sells: boolean
  currencies?: Currencies
  /** As the service last answered for one of them; null where that is not known. */
  pricesIncludeVat?: boolean | null
  /** Left out where it is not known. */
  connection?: Pick<Connection, "status" | "token_refused" | "prices_include_vat">
  /** Whether the store has sent its products; left out: yes. */
  isImported?: boolean
  /** The merchant's floor, as a share of the catalog price; 0 and left out: none. */
  minPriceShare?: number
}

/** What our catalog knows of the product. */
type KnownItem = Pick<
  CatalogItem,
  "state" | "acknowledged_hash" | "reason_code" | "reason_message" | "reason_fix"
> &
  Partial<Pick<CatalogItem, "reason_params">>

/**
 * Whether one product of a show can be sold in it, and what is wrong with it. Pure.
 *
 * @param campaign whether its campaign sells at all (gap 21), the same for carts and for the storefront's list
 * @param accepted what the service last took of the product
 */
export function readinessOf(
  product: KnownEventProduct,
  campaign: ShowState,
  item: KnownItem | undefined,
  accepted?: PushedProduct,
): Readiness {
  if (product.deleted_at !== null) {
    return { ready: false, problems: [reasonFor("not_in_show")] }
  }
  const problems: Reason[] = []
  // It sells all the same: the service goes on with what it took before, or with what says that it is off; or only
  // some variants cannot be bought.
  const passed: Reason[] = []
  if (!campaign.sells) {
    problems.push(reasonFor("campaign_ended"))
  }
  // Where a price is looked up: it is told of every product of the connection's shows.
  const { status, token_refused, prices_include_vat } = campaign.connection ?? {}
  if (token_refused || status === "undeclared") problems.push(reasonFor("not_connected"))
  else if (status === "broken") problems.push(reasonFor("connection_trouble"))
  const { prices: told, region } = campaign.currencies ?? { prices: null, region: null }
  if (told !== null && region !== null && told !== region) {
    const [show_currency, currency] = [told.toUpperCase(), region.toUpperCase()]
    problems.push(reasonFor("other_currency", { show_currency, currency }))
  }
  const isOtherBasis = (campaign.pricesIncludeVat ?? prices_include_vat) !== prices_include_vat
  if (isOtherBasis) problems.push(reasonFor("other_tax_basis"))
  if (!item) {
    const { isImported = true } = campaign
    problems.push(reasonFor(isImported ? "not_in_store" : "catalog_not_imported"))
  } else if (item.state === "removed") {
    problems.push(reasonFor("not_for_sale"))
  } else if (item.state === "invalid" || item.state === "failed") {
    const reason = reasonOfRow(item) ?? reasonFor("failed")
    problems.push(reason)
    if (item.state === "failed" && accepted) passed.push(reason)
  } else if (item.state === "pending" && item.acknowledged_hash === null) {
    problems.push(reasonOfRow(item) ?? reasonFor("not_sent_yet"))
  }
  if (accepted && item?.state !== "removed") problems.push(...whatIsSoldOut(product, accepted))
  if (!hasPrice(product)) {
    problems.push(reasonFor("no_show_price"))
  }
  // A product that is sold out is told so by the service too: the reason is enough.
  const toldGone = isToldGone({ deleted: false, available: product.available })
  if (toldGone && !problems.some(({ code }) => code === "out_of_stock")) {
    problems.push(reasonFor("not_available"))
  }
  if (isNeverSold(product)) problems.push(reasonFor("max_below_min"))
  const inCatalog = currencyOf(item?.acknowledged_hash) ?? region
  const inShow = told ?? region
  const isOneCurrency = inShow === null || inCatalog === null || inShow === inCatalog
  const prices = accepted && isOneCurrency && !isOtherBasis ? pricesOf(product, accepted) : []
  const below = prices.filter(({ asked, regular }) =>
    isBelowFloor(asked, regular, campaign.minPriceShare ?? 0),
  )
  if (below.length > 0) {
    const reason = reasonFor("price_below_floor")
    problems.push(reason)
    if (below.length < prices.length) passed.push(reason)
  }
  if (isAboveCatalog(product, prices)) problems.push(reasonFor("price_above_catalog"))
  const stops = (reason: Reason) => !passed.includes(reason) && !WARNINGS.includes(reason.code)
  return { ready: !problems.some(stops), problems }
}

type Offered = { inventory?: number; manageStock?: boolean; status: string; price: number }

/** What the show sells of the product, as the service last took it: the variants that the show names, or all that are on. */
function offeredOf(
  { variants }: KnownEventProduct,
  accepted: PushedProduct,
): (Offered & { id: string; name: string })[] {
  if (accepted.type !== "configurable") return [accepted]
  const inShow = namedOf(variants)
  return accepted.variants.filter(({ id, status }) =>
    inShow.length === 0 ? status === PRODUCT_STATUS.enabled : inShow.includes(id),
  )
}

const namedOf = (variants: KnownEventProduct["variants"]): string[] =>
  variants.flatMap(({ external_id }) => external_id ?? [])

/** Nothing else in the basket, and nothing bought before. */
const ALONE = { ofVariant: 0, ofCampaign: 0 }

/** Fewer are left than a basket has to take at least, as baskets see it. */
const isSoldOut = (
  { min_purchase_qty: minQuantity }: KnownEventProduct,
  { inventory, manageStock, status }: Offered,
): boolean => {
  const stock = manageStock ? (inventory ?? 0) : null
  const sold = clampQuantity(1, ALONE, { ...NO_LIMITS, stock, minQuantity })
  return status !== PRODUCT_STATUS.enabled || sold.quantity === 0
}

/** Whatever the stock is: a customer may have fewer than a basket has to take at least. */
const isNeverSold = ({
  min_purchase_qty: minQuantity,
  max_qty_per_customer: maxQuantity,
}: KnownEventProduct): boolean =>
  clampQuantity(1, ALONE, { ...NO_LIMITS, minQuantity, maxQuantity }).quantity === 0

/** By the stock that we last sent, which a sale or an edit changes within seconds. */
function whatIsSoldOut(product: KnownEventProduct, accepted: PushedProduct): Reason[] {
  const offered = offeredOf(product, accepted)
  const gone = offered.filter((one) => isSoldOut(product, one))
  if (gone.length === offered.length) {
    const isNamed = namedOf(product.variants).length > 0
    return [reasonFor(offered.length === 0 && isNamed ? "variants_gone" : "out_of_stock")]
  }
  if (gone.length === 0) return []
  const names = gone.map(({ name }) => name)
  return [
    reasonFor("variants_out_of_stock", {
      count: names.length,
      of: offered.length,
      variants: names.slice(0, 5),
    }),
  ]
}

type Prices = { asked: number; regular: number }

/** What the show asks for each that it sells, beside what the store does. Both are on the tax basis of the connection. */
function pricesOf(product: KnownEventProduct, accepted: PushedProduct): Prices[] {
  return offeredOf(product, accepted).flatMap(({ id, price: regular }) => {
    const own = product.variants.find(
      ({ external_id }) => accepted.type !== "configurable" || external_id === id,
    )
    const asked = own?.price ?? product.price
    return asked === null ? [] : { asked, regular }
  })
}

/** One price for variants of several: it is above the catalog only where it is above the dearest of them. */
function isAboveCatalog({ variants }: KnownEventProduct, prices: Prices[]): boolean {
  const above = prices.filter(({ asked, regular }) => asked > regular).length
  return above > 0 && (namedOf(variants).length > 0 || above === prices.length)
}

/** A price of its own, or one of a variant's. */
const hasPrice = ({ price, variants }: KnownEventProduct): boolean =>
  price !== null || variants.some((variant) => variant.price !== null)
