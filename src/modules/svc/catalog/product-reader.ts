import { setImmediate } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { canonicalJson } from "../../../contract"
import { type StoreMarket, StoreMarkets } from "../core-tables/store-markets"
import { StorePrices } from "../core-tables/store-prices"
import { type SourceNeeds, type SourceProduct, StoreProducts } from "../core-tables/store-products"
import { StoreTranslations } from "../core-tables/store-translations"
import type { Connection } from "../models"
import { createTurns } from "../shared/turns"
import { taxCountry } from "./market-price"
import {
  goneBecause,
  type MarketContext,
  type ProductSnapshot,
  type ReadForMarket,
  snapshotOf,
} from "./product-snapshot"
import { type CatalogSettings, needsOf, readCatalogSettings } from "./settings"

/** A connection's columns that its payloads depend on. */
export type ReadConnection = Pick<
  Connection,
  "id" | "sales_channel_id" | "region_id" | "storefront_url" | "prices_include_vat" | "catalog"
>

/** A product as it is in the store, and what it is to the connection. */
export type ReadProduct = { source: SourceProduct | undefined; snapshot: ProductSnapshot }

/** Products by connection and id. */
type Mapped = Map<string, Map<string, ReadProduct>>

/** Products of one statement. */
const MOST = 1_000
/** Channels that are read at the same time: more would only wait for each other's processor. */
const AT_ONCE = 2
/** Products that are mapped in one go: a few milliseconds, for which no shopper's request is answered. */
const MAPPED_AT_ONCE = 100

/** A read that has not begun: whoever asks for the same products of the channel meanwhile takes part in it. */
type Waiting = {
  ids: Set<string>
  connections: Map<string, ReadConnection>
  read: Promise<Mapped>
}

/**
 * Reads products as they are now, for connections. Markets of one sales channel share the read of their products: an edit
 * wakes all of them at once, and five markets' imports walk side by side.
 */
export class ProductReader {
  readonly #products: StoreProducts
  readonly #prices: StorePrices
  readonly #markets: StoreMarkets
  readonly #translations: StoreTranslations
  readonly #turn = createTurns(AT_ONCE)
  /** By sales channel: the read that runs, and the ones behind it. */
  readonly #channels = new Map<string, { last: Promise<unknown>; waiting: Waiting[] }>()

  constructor(knex: Knex) {
    this.#products = new StoreProducts(knex)
    this.#prices = new StorePrices(knex)
    this.#markets = new StoreMarkets(knex)
    this.#translations = new StoreTranslations(knex)
  }

  /** Where a connection sells; null where there is none. */
  async market(connectionId: string): Promise<StoreMarket | null> {
    return (await this.#markets.read([connectionId])).get(connectionId) ?? null
  }

  /** Every id gets a product; the store is read after the call. */
  async read(connection: ReadConnection, ids: string[]): Promise<Map<string, ReadProduct>> {
    const whole = new Map<string, ReadProduct>()
    for (let start = 0; start < ids.length; start += MOST) {
      const page = ids.slice(start, start + MOST)
      const found = await this.#join(connection, page)
      for (const id of page) {
        const product = found.get(id)
        if (product) whole.set(id, product)
      }
    }
    return whole
  }

  async #join(connection: ReadConnection, ids: string[]): Promise<Map<string, ReadProduct>> {
    const channelId = connection.sales_channel_id
    const channel = this.#channels.get(channelId) ?? { last: Promise.resolve(), waiting: [] }
    this.#channels.set(channelId, channel)
    let waiting = channel.waiting.find(
      (some) =>
        readsAlike(some.connections.get(connection.id), connection) && mostlyTheSame(some.ids, ids),
    )
    if (waiting) {
      for (const id of ids) waiting.ids.add(id)
      waiting.connections.set(connection.id, connection)
    } else {
      const mine: Waiting = {
        ids: new Set(ids),
        connections: new Map([[connection.id, connection]]),
        read: Promise.resolve(new Map()),
      }
      const fetched = channel.last.then(() =>
        this.#turn(() => {
          // From here on it has begun: whoever comes now may have seen a later change.
          channel.waiting.splice(channel.waiting.indexOf(mine), 1)
          return this.#fetch(channelId, [...mine.ids], [...mine.connections.values()])
        }),
      )
      mine.read = fetched.then(mapAll)
      channel.waiting.push(mine)
      // The database reads the next products while these are mapped.
      channel.last = fetched.catch(() => undefined)
      waiting = mine
    }
    const found = await waiting.read
    return found.get(connection.id) ?? new Map()
  }

  /** Everything that is read, and nothing else: mapping it takes as long, and needs no database. */
  async #fetch(channelId: string, ids: string[], connections: ReadConnection[]): Promise<Fetched> {
    const settings = new Map(
      connections.map(({ id, catalog }) => [id, readCatalogSettings(catalog)]),
    )
    const [markets, products] = await Promise.all([
      this.#markets.read(connections.map(({ id }) => id)),
      this.#products.read(ids, channelId, allNeeds([...settings.values()])),
    ])
    const contexts = connections.flatMap((connection): [string, MarketContext, string][] => {
      const store = markets.get(connection.id)
      const own = settings.get(connection.id)
      if (!store || !own) return []
      const context = {
        store,
        settings: own,
        storefrontUrl: connection.storefront_url,
        pricesIncludeVat: connection.prices_include_vat,
      }
      return [[connection.id, context, connection.region_id]]
    })
    const forSale = products.filter((product) => goneBecause(product) === null)
    const beside = await this.#readBeside(forSale, contexts)
    return { ids, products, contexts, beside }
  }

  /** Prices, tax rates and translations of the products, for each market. */
  async #readBeside(
    products: SourceProduct[],
    contexts: [string, MarketContext, string][],
  ): Promise<ReadForMarket[]> {
    const sets = products.flatMap(({ variants }) =>
      variants.flatMap(({ price_set_id }) => price_set_id ?? []),
    )
    const countries = contexts.flatMap(
      ([, { store, settings }]) => taxCountry(store, settings.country_code) ?? [],
    )
    const taxed = products.flatMap(({ id, type_id }) => (type_id ? [id, type_id] : [id]))
    const locales = new Set(contexts.flatMap(([, { settings }]) => settings.locale ?? []))
    const [prices, rates, translations] = await Promise.all([
      this.#prices.read(
        contexts.map(([, { store }, region_id]) => ({
          region_id,
          currency_code: store.currency_code,
        })),
        sets,
      ),
      this.#prices.taxRates([...new Set(countries)], [...new Set(taxed)]),
      Promise.all(
        [...locales].map(
          async (locale) =>
            [locale, await this.#translations.read(locale, textIds(products))] as const,
        ),
      ),
    ])
    const byLocale = new Map(translations)
    return contexts.map(([, { settings }], n) => ({
      prices: prices[n] ?? new Map(),
      rates,
      translations: byLocale.get(settings.locale ?? "") ?? new Map(),
    }))
  }
}

type Fetched = {
  ids: string[]
  products: SourceProduct[]
  contexts: [connectionId: string, context: MarketContext, regionId: string][]
  /** In the order of the contexts. */
  beside: ReadForMarket[]
}

/** What was read, as it is to each connection; every id gets a product. */
async function mapAll({ ids, products, contexts, beside }: Fetched): Promise<Mapped> {
  const byId = new Map(products.map((product) => [product.id, product]))
  const whole: Mapped = new Map()
  for (const [n, [connectionId, context]] of contexts.entries()) {
    const read = beside[n] ?? { prices: new Map(), rates: [], translations: new Map() }
    const mapped = new Map<string, ReadProduct>()
    for (const [place, id] of ids.entries()) {
      if (place % MAPPED_AT_ONCE === 0) await setImmediate()
      const source = byId.get(id)
      mapped.set(id, { source, snapshot: snapshotOf(source, context, read) })
    }
    whole.set(connectionId, mapped)
  }
  return whole
}

/** A connection's settings may have changed since another caller asked: each reads by those that it has seen. */
const readsAlike = (known: ReadConnection | undefined, asked: ReadConnection): boolean =>
  known === undefined ||
  (known.region_id === asked.region_id &&
    known.storefront_url === asked.storefront_url &&
    known.prices_include_vat === asked.prices_include_vat &&
    canonicalJson(known.catalog) === canonicalJson(asked.catalog))

/** Whether a read that has not begun is worth sharing: otherwise each would read the other's products as well. */
function mostlyTheSame(waiting: Set<string>, ids: string[]): boolean {
  const shared = ids.filter((id) => waiting.has(id)).length
  const more = ids.length - shared
  return shared * 2 >= ids.length && shared * 2 >= waiting.size && waiting.size + more <= MOST
}

const allNeeds = (settings: CatalogSettings[]): SourceNeeds => {
  const needs = settings.map(needsOf)
  const any = (name: keyof SourceNeeds) => needs.some((own) => own[name])
  return {
    texts: any("texts"),
    metadata: any("metadata"),
    categories: any("categories"),
    tags: any("tags"),
    groups: any("groups"),
  }
}

/** Everything of the products that may have a translation. */
const textIds = (products: SourceProduct[]): string[] => [
  ...new Set(
    products.flatMap((product) => [
      product.id,
      ...product.categories.map(({ id }) => id),
      ...product.variants.flatMap((variant) => [
        variant.id,
        ...variant.options.flatMap(({ option_id, value_id }) => [option_id, value_id]),
      ]),
    ]),
  ),
]
