import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { type StoreMarket, StoreMarkets } from "../core-tables/store-markets"
import { type SourceProduct, StoreProducts } from "../core-tables/store-products"
import { StoreTranslations, type Translation } from "../core-tables/store-translations"
import type { Connection } from "../models"
import { readsWhole, requireCatalogSettings } from "./settings"

/** A connection's columns that its payloads depend on. */
export type ReadConnection = Pick<
  Connection,
  "id" | "sales_channel_id" | "region_id" | "storefront_url" | "prices_include_vat" | "catalog"
>

/** Products of a connection as they are in the store, without what they cost: that is Medusa's modules to say. */
export type StoreRead = {
  /** Null where there is no such connection. */
  market: StoreMarket | null
  products: SourceProduct[]
  /** In the connection's language, by the id of what they are of. */
  translations: Map<string, Translation>
}

/** Reads products as they are now, for one connection. */
export class ProductReader {
  readonly #products: StoreProducts
  readonly #markets: StoreMarkets
  readonly #translations: StoreTranslations

  constructor(knex: Knex) {
    this.#products = new StoreProducts(knex)
    this.#markets = new StoreMarkets(knex)
    this.#translations = new StoreTranslations(knex)
  }

  /** Where a connection sells; null where there is none. */
  async market(connectionId: string): Promise<StoreMarket | null> {
    return (await this.#markets.read([connectionId])).get(connectionId) ?? null
  }

  /** @param whole a mapper of the store's own sees everything of a product */
  async read(connection: ReadConnection, ids: string[], whole: boolean): Promise<StoreRead> {
    const settings = requireCatalogSettings(connection.catalog)
    const [market, products] = await Promise.all([
      this.market(connection.id),
      this.#products.read(ids, connection.sales_channel_id, whole || readsWhole(settings)),
    ])
    const translations = settings.locale
      ? await this.#translations.read(settings.locale, textIds(products))
      : new Map()
    return { market, products, translations }
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
