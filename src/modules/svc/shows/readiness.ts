import { PRODUCT_STATUS, type PushedProduct } from "../../../contract"
import { type CampaignState, campaignState, isToldGone } from "../cart/campaign-state"
import type { ConnectionState } from "../connections/connection-state"
import type { CatalogItem } from "../models"
import { type Reason, reasonOfRow } from "../shared/reason"
import type { KnownEventProduct } from "./show-queries"

/** What keeps a product of a show from being sold in it; ready where nothing does. Warnings are problems that do not. */
export type Readiness = { ready: boolean; problems: Reason[] }

/** What is told here only; a product that the service does not have is told with the catalog's reason. */
export const READINESS_CODES = [
  "not_in_show",
  "campaign_ended",
  "not_connected",
  "connection_trouble",
  "other_currency",
  "not_in_store",
  "not_for_sale",
  "failed",
  "not_sent_yet",
  "no_show_price",
  "not_available",
  "price_above_catalog",
  "out_of_stock",
  "variants_out_of_stock",
] as const
type OwnProblem = Reason & { code: (typeof READINESS_CODES)[number] }

const NOT_IN_SHOW: OwnProblem = {
  code: "not_in_show",
  message: "The product was removed from the show.",
  fix: "Add it to the show again if it should be sold there.",
}
const NOT_SENT: OwnProblem = {
  code: "failed",
  message: "The product could not be sent to the service.",
  fix: "Open the product in the list of products and send it again.",
}
const NOT_SENT_YET: OwnProblem = {
  code: "not_sent_yet",
  message: "The product waits to be sent to the service.",
  fix: "Nothing to do: it is sent in a moment.",
}

/** Currencies in lower case ISO 4217; null where not known. */
type Currencies = {
  /** In which the service answers for the show's prices. */
  prices: string | null
  /** Of the connection's region, in which its baskets are. */
  region: string | null
}

/** What `readinessOf` asks of the event that stands for the campaign: the one rule that prices follow too. */
export const campaignOf = campaignState

/** It sells, but the merchant should look at it. */
const WARNINGS = ["price_above_catalog", "variants_out_of_stock", "connection_trouble"]

/** What is wrong with the connection, where a price is looked up: it is told of every product of its shows. */
const OF_THE_CONNECTION: Partial<Record<ConnectionState, OwnProblem>> = {
  broken: {
    code: "not_connected",
    message: "The connection to the service does not work: no basket gets the show's price.",
    fix: "Open the connection under Settings, Live commerce: it says what is wrong.",
  },
  trouble: {
    code: "connection_trouble",
    message: "Calls to the service fail, so baskets may not get the show's price.",
    fix: "Open the connection under Settings, Live commerce: it says what is wrong.",
  },
}

/** What is known of all products of a show at once. */
export type ShowState = Pick<CampaignState, "sells"> & {
  currencies?: Currencies
  /** Left out where it is not known. */
  connection?: ConnectionState
}

/**
 * @param campaign whether its campaign sells at all (gap 21), the same for carts and for the storefront's list
 * @param accepted what the service last took of the product
 */
export function readinessOf(
  product: KnownEventProduct,
  campaign: ShowState,
  item: KnownItem | undefined,
  accepted: PushedProduct | undefined,
): Readiness {
  const problems = readinessProblems(product, campaign, item, accepted)
  return { ready: problems.every(({ code }) => WARNINGS.includes(code)), problems }
}

/** What our catalog knows of the product. */
type KnownItem = Pick<
  CatalogItem,
  "state" | "last_pushed_at" | "reason_code" | "reason_message" | "reason_fix"
> &
  Partial<Pick<CatalogItem, "reason_params">>

/** What is wrong with one product of a show, given what the service was told of it. Pure. */
export function readinessProblems(
  product: KnownEventProduct,
  campaign: ShowState,
  item: KnownItem | undefined,
  accepted?: PushedProduct,
): Reason[] {
  if (product.deleted_at !== null) {
    return [NOT_IN_SHOW]
  }
  const problems: Reason[] = []
  const tell = (problem: OwnProblem) => problems.push(problem)
  if (!campaign.sells) {
    tell({
      code: "campaign_ended",
      message:
        "The show was cancelled or deleted, or its deadline has passed: nothing sells in it.",
      fix: "Move the campaign's deadline, or use a show that is still open.",
    })
  }
  const ofConnection = campaign.connection && OF_THE_CONNECTION[campaign.connection]
  if (ofConnection) tell(ofConnection)
  const { prices, region } = campaign.currencies ?? { prices: null, region: null }
  if (prices !== null && region !== null && prices !== region) {
    const [show_currency, currency] = [prices.toUpperCase(), region.toUpperCase()]
    tell({
      code: "other_currency",
      message: `The show sells in ${show_currency}, but the connection's region sells in ${currency}: no basket gets the show's price.`,
      fix: `Choose a region that sells in ${show_currency} for the connection, or set the show's prices in ${currency}.`,
      params: { show_currency, currency },
    })
  }
  if (!item) {
    tell({
      code: "not_in_store",
      message: "The show's product is not one of this sales channel's products.",
      fix: "Add the product to the sales channel and publish it, or choose another product in the show.",
    })
  } else if (item.state === "removed") {
    tell({
      code: "not_for_sale",
      message: "The product is not for sale in this store any more.",
      fix: "Publish it in the connection's sales channel again, or remove it from the show.",
    })
  } else if (item.state === "invalid" || item.state === "failed") {
    problems.push(reasonOfRow(item) ?? NOT_SENT)
  } else if (item.state === "pending" && item.last_pushed_at === null) {
    problems.push(reasonOfRow(item) ?? NOT_SENT_YET)
  }
  if (accepted && item?.state !== "removed") problems.push(...whatIsSoldOut(product, accepted))
  if (!hasPrice(product)) {
    tell({
      code: "no_show_price",
      message: "The show has no price for the product.",
      fix: "Set its price in the show.",
    })
  }
  // A product that is sold out is told so by the service too: the reason is enough.
  const toldGone = isToldGone({ deleted: false, available: product.available })
  if (toldGone && !problems.some(({ code }) => code === "out_of_stock")) {
    tell({
      code: "not_available",
      message: "The service shows the product as not available.",
      fix: "Check its stock, or make it available in the show.",
    })
  }
  if (accepted && isAboveCatalog(product, accepted)) {
    tell({
      code: "price_above_catalog",
      message: "The show's price is above the price in the store.",
      fix: "Lower the show's price. Or set the option whenCatalogIsCheaper to catalog: then the lower one is charged.",
    })
  }
  return problems
}

type Stocked = { inventory?: number; manageStock?: boolean; status: string }

const isSoldOut = ({ inventory, manageStock, status }: Stocked): boolean =>
  status !== PRODUCT_STATUS.enabled || (manageStock === true && (inventory ?? 0) <= 0)

/** By the stock that we last sent, which a sale or an edit changes within seconds. */
function whatIsSoldOut(product: KnownEventProduct, accepted: PushedProduct): OwnProblem[] {
  const inShow = product.variants.flatMap(({ external_id }) => external_id ?? [])
  const offered: (Stocked & { name: string })[] =
    accepted.type === "configurable"
      ? accepted.variants.filter(({ id, status }) =>
          inShow.length === 0 ? status === PRODUCT_STATUS.enabled : inShow.includes(id),
        )
      : [accepted]
  const gone = offered.filter(isSoldOut)
  if (gone.length === 0) return []
  if (gone.length === offered.length) {
    return [
      {
        code: "out_of_stock",
        message: "The product is out of stock.",
        fix: "Add stock at a location of the sales channel, or take the product out of the show.",
      },
    ]
  }
  const names = gone.map(({ name }) => name)
  return [
    {
      code: "variants_out_of_stock",
      message: `${names.length} of ${offered.length} variants are out of stock: ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}.`,
      fix: "Add stock for them, or show the others.",
      params: { count: names.length, of: offered.length, variants: names.slice(0, 5) },
    },
  ]
}

/** Both prices are on the tax basis of the connection. */
function isAboveCatalog(product: KnownEventProduct, accepted: PushedProduct): boolean {
  const variants = accepted.type === "configurable" ? accepted.variants : []
  const priced = product.variants.filter(({ price }) => price !== null)
  if (priced.length === 0) {
    // For all variants: it is above the catalog only where it is above the dearest of them.
    const regular = Math.max(...variants.map(({ price }) => price), accepted.price)
    return product.price !== null && product.price > regular
  }
  return priced.some(({ external_id, price }) => {
    const regular = variants.find(({ id }) => id === external_id)?.price ?? accepted.price
    return price !== null && price > regular
  })
}

/** A price of its own, or one of a variant's. */
const hasPrice = ({ price, variants }: KnownEventProduct): boolean =>
  price !== null || variants.some((variant) => variant.price !== null)
