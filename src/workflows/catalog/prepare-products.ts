import { asValue } from "@medusajs/framework/awilix"
import type { MedusaContainer } from "@medusajs/framework/types"
import {
  applyTranslations,
  ContainerRegistrationKeys,
  normalizeLocale,
} from "@medusajs/framework/utils"
import { type Connection, SVC_MODULE } from "../../modules/svc"
import {
  applyMapper,
  type DiffContext,
  diffProduct,
  type GuestPrices,
  goneBecause,
  type ItemRow,
  needsLastPayload,
  type ProductDiff,
  type ProductSnapshot,
  requireCatalogSettings,
  type SourceProduct,
  snapshotOf,
  targetOf,
  unreadable,
} from "../../modules/svc/catalog"
import {
  isOutage,
  isTooMuch,
  namesWhatIsGone,
  sqlProblem,
} from "../../modules/svc/shared/sql-error"
import { readGuestPrices } from "./guest-prices"
import { readMarket } from "./read-market"

/**
 * Reads a page of products as they are now, and as the merchant's own mapper would have them. Every id gets a snapshot.
 *
 * Half as many at a time where it fails, until what cannot be read stands alone: very many variants may be too much for one
 * statement, and Medusa's pricing and tax modules throw for a whole page because of one price's rule.
 *
 * @throws where no product for sale can be read, neither of these nor of others: that is no product's fault
 */
export async function readSnapshots(
  container: MedusaContainer,
  connection: Connection,
  ids: string[],
): Promise<Map<string, ProductSnapshot>> {
  const read = new Map<string, ProductSnapshot>()
  const failed = new Map<string, unknown>()
  const readSome = async (some: string[]): Promise<void> => {
    try {
      for (const [id, snapshot] of await readTogether(container, connection, some)) {
        read.set(id, snapshot)
      }
    } catch (error) {
      const [id = ""] = some
      const isAlone = some.length === 1
      // One product may be too much. Where the first two are, it is the database that is slow.
      const isSlow = isAlone && failed.size > 0 && read.size === 0
      if (isTooMuch(error) ? isSlow : isOutage(error) || namesWhatIsGone(error)) throw error
      if (isAlone) {
        failed.set(id, error)
        return
      }
      const half = Math.ceil(some.length / 2)
      await readSome(some.slice(0, half))
      await readSome(some.slice(half))
    }
  }
  // What is not for sale is read without its prices, which are what fails.
  const isSomeRead = () => [...read.values()].some(({ kind }) => kind === "for_sale")
  if (ids.length > 0) await readSome(ids)
  const [problem] = failed.values()
  if (problem !== undefined && !isSomeRead()) {
    const { items } = container.resolve(SVC_MODULE).catalog
    const others = await items.someSynced(connection.id, { but: ids, limit: WITNESSES })
    if (others.length > 0) await readSome(others)
    if (!isSomeRead()) throw problem
  }
  for (const [id, error] of failed) read.set(id, unreadable(null, sqlProblem(error)))
  return read
}

/** Products that the service has, and that are read to see whose fault it is where nothing else can be read. */
const WITNESSES = 5

async function readTogether(
  container: MedusaContainer,
  connection: Connection,
  ids: string[],
): Promise<[string, ProductSnapshot][]> {
  const { catalog, options } = container.resolve(SVC_MODULE)
  const { mapProduct } = options
  const settings = requireCatalogSettings(connection.catalog)
  const [market, products] = await Promise.all([
    readMarket(container, connection),
    catalog.storeProducts.read(ids, connection.sales_channel_id),
  ])
  const translated = await inLanguage(container, settings.locale, products)
  const forSale = products.filter((product) => goneBecause(product) === null)
  const prices =
    market.region_name === null
      ? NO_PRICES
      : await readGuestPrices(container, connection, { market, products: forSale })
  const context = {
    store: market,
    settings,
    storefrontUrl: connection.storefront_url,
    pricesIncludeVat: connection.prices_include_vat,
  }
  const byId = new Map(products.map((product) => [product.id, product]))
  const told = new Map(translated.map((product) => [product.id, product]))
  return Promise.all(
    ids.map(async (id): Promise<[string, ProductSnapshot]> => {
      const product = byId.get(id)
      const inTheirWords = told.get(id)
      const snapshot = snapshotOf(product, context, { ...prices, told: inTheirWords })
      return [id, await applyMapper(mapProduct, snapshot, { product: inTheirWords, connection })]
    }),
  )
}

/**
 * Products as the store shows them in a language; the admin's list keeps the store's own words.
 *
 * Medusa asks for the translation of every `id` that it finds, also of one in somebody's metadata, which may be a number.
 * And it takes them from its cache, which does not hear of the first translation of a product.
 */
async function inLanguage(
  container: MedusaContainer,
  locale: string | null,
  products: SourceProduct[],
): Promise<SourceProduct[]> {
  if (locale === null) return products
  const told: SourceProduct[] = JSON.parse(
    JSON.stringify(products, (key, value) => (key === "metadata" ? undefined : value)),
  )
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const uncached = container.createScope() as MedusaContainer
  const graph: typeof query.graph = (asked) => query.graph(asked)
  uncached.register(ContainerRegistrationKeys.QUERY, asValue({ graph }))
  const localeCode = normalizeLocale(locale)
  await applyTranslations({ localeCode, objects: told, container: uncached })
  return told.map((product, place) => ({
    ...product,
    metadata: products[place]?.metadata ?? null,
  }))
}

const NO_PRICES: GuestPrices = { prices: new Map(), rates: new Map(), foreignTax: null }

/** The rows whose products are to be compared, with what they may be compared by. */
type Comparable = Pick<
  ItemRow,
  "id" | "product_id" | "acknowledged_hash" | "acknowledged_target" | "force"
>

/** Reads products as they are now, and says what the service shall be told of each, by the row's id. */
export async function compareRows(
  container: MedusaContainer,
  connection: Connection,
  rows: Comparable[],
): Promise<Map<string, ProductDiff>> {
  const svc = container.resolve(SVC_MODULE)
  const productIds = rows.map(({ product_id }) => product_id)
  const snapshots = await readSnapshots(container, connection, productIds)
  const context: DiffContext = {
    target: targetOf(connection),
    disabledStatus: svc.options.catalogDisabledStatus,
    storefrontUrl: connection.storefront_url,
  }
  const needed = rows.filter((row) => {
    const snapshot = snapshots.get(row.product_id)
    return snapshot && needsLastPayload(row, snapshot, context)
  })
  const ids = needed.map(({ id }) => id)
  const last = await svc.catalog.items.payloads(ids, context.target)
  const diffs = new Map<string, ProductDiff>()
  for (const row of rows) {
    const snapshot = snapshots.get(row.product_id)
    if (!snapshot) continue
    diffs.set(row.id, diffProduct({ ...row, last: last.get(row.id) ?? null }, snapshot, context))
  }
  return diffs
}
