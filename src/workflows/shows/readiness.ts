import type { KnownEventProduct, SvcModuleService } from "../../modules/svc"
import {
  campaignKey,
  campaignOf,
  catalogRange,
  type PriceRange,
  type Readiness,
  readinessOf,
} from "../../modules/svc/shows"

/** A product of a show with what our catalog knows of it: its row there, and whether it can be sold. */
export type ProductReadiness = {
  readiness: Readiness
  catalogItem: {
    id: string
    state: string
    image: string | null
    price: PriceRange | null
  } | null
}

type ShowWithProducts = {
  connection_id: string
  campaign_uid: string
  price_currency: string | null
  /** Of the connection's region. */
  currency_code: string | null
  products: KnownEventProduct[]
}

/**
 * Whether each product of some shows can be sold by this store at this moment, as far as is known here. However many shows
 * they are, they are read at once.
 */
export async function readReadiness(
  svc: SvcModuleService,
  shows: ShowWithProducts[],
  now = Date.now(),
): Promise<Map<KnownEventProduct, ProductReadiness>> {
  const ids = shows.flatMap(({ products }) =>
    products.flatMap(({ external_id }) => external_id ?? []),
  )
  const connectionIds = [...new Set(shows.map(({ connection_id }) => connection_id))]
  const [items, events, connections] = await Promise.all([
    ids.length === 0
      ? []
      : svc.listSvcCatalogItems(
          {
            connection_id: connectionIds,
            product_id: [...new Set(ids)],
          },
          { take: null },
        ),
    svc.shows.queries.campaignEvents(shows),
    connectionIds.length === 0 ? [] : svc.listSvcConnections({ id: connectionIds }, { take: null }),
  ])
  const byId = new Map(connections.map((row) => [row.id, row]))
  const accepted = await svc.catalog.items.payloads(items.map(({ id }) => id))
  const itemKey = (connectionId: string, productId: string) => `${connectionId} ${productId}`
  const byProduct = new Map(
    items.map((item) => [itemKey(item.connection_id, item.product_id), item]),
  )
  return new Map(
    shows.flatMap((show) => {
      const campaign = {
        ...campaignOf(events.get(campaignKey(show)) ?? null, now),
        currencies: { prices: show.price_currency, region: show.currency_code },
        connection: byId.get(show.connection_id),
      }
      return show.products.map((product): [KnownEventProduct, ProductReadiness] => {
        const item = byProduct.get(itemKey(show.connection_id, product.external_id ?? ""))
        const payload = accepted.get(item?.id ?? "")
        return [
          product,
          {
            readiness: readinessOf(product, campaign, item, payload),
            catalogItem: item
              ? {
                  id: item.id,
                  state: item.state,
                  image: payload?.image ?? null,
                  price: payload ? catalogRange(product, payload) : null,
                }
              : null,
          },
        ]
      })
    }),
  )
}
