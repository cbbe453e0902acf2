import type { KnownEventProduct, SvcModuleService } from "../../modules/svc"
import { currencyOf } from "../../modules/svc/shared/priced-hash"
import { catalogRange, type PriceRange, type Readiness, readinessOf } from "../../modules/svc/shows"

/** A product of a show, whether it can be sold, and what our catalog knows of it. */
export type JudgedProduct = KnownEventProduct & {
  readiness: Readiness
  /** Its row there; null where the store has none. */
  catalogItem: {
    id: string
    state: string
    image: string | null
    price: (PriceRange & { currency_code: string | null }) | null
  } | null
}

type ShowWithProducts = {
  connection_id: string
  campaign_uid: string
  sells: boolean
  price_currency: string | null
  price_includes_vat: boolean | null
  /** Of the connection's region. */
  currency_code: string | null
  products: KnownEventProduct[]
}

type JudgedShow<Show> = Omit<Show, "products"> & { products: JudgedProduct[] }

/**
 * Shows with whether each of their products can be sold by this store at this moment, as far as is known here. However many
 * shows they are, they are read at once.
 */
export async function withReadiness<Show extends ShowWithProducts>(
  svc: SvcModuleService,
  shows: Show[],
): Promise<JudgedShow<Show>[]> {
  const ids = shows.flatMap(({ products }) =>
    products.flatMap(({ external_id }) => external_id ?? []),
  )
  const connectionIds = [...new Set(shows.map(({ connection_id }) => connection_id))]
  const [items, connections, imports] = await Promise.all([
    ids.length === 0
      ? []
      : svc.listSvcCatalogItems(
          {
            connection_id: connectionIds,
            product_id: [...new Set(ids)],
          },
          { take: null },
        ),
    connectionIds.length === 0 ? [] : svc.listSvcConnections({ id: connectionIds }, { take: null }),
    svc.connections.counts.imports(),
  ])
  const byId = new Map(connections.map((row) => [row.id, row]))
  const accepted = await svc.catalog.items.payloads(items.map(({ id }) => id))
  const itemKey = (connectionId: string, productId: string) => `${connectionId} ${productId}`
  const byProduct = new Map(
    items.map((item) => [itemKey(item.connection_id, item.product_id), item]),
  )
  const { minPriceShare } = svc.cart.pricePolicy()
  return shows.map((show) => {
    const campaign = {
      minPriceShare,
      sells: show.sells,
      currencies: { prices: show.price_currency, region: show.currency_code },
      pricesIncludeVat: show.price_includes_vat,
      connection: byId.get(show.connection_id),
      isImported: imports.completed.has(show.connection_id),
    }
    const products = show.products.map((product): JudgedProduct => {
      const item = byProduct.get(itemKey(show.connection_id, product.external_id ?? ""))
      const payload = accepted.get(item?.id ?? "")
      return {
        ...product,
        readiness: readinessOf(product, campaign, item, payload),
        catalogItem: item
          ? {
              id: item.id,
              state: item.state,
              image: payload?.image ?? null,
              price: payload
                ? {
                    ...catalogRange(product, payload),
                    currency_code: currencyOf(item?.acknowledged_hash),
                  }
                : null,
            }
          : null,
      }
    })
    return { ...show, products }
  })
}
