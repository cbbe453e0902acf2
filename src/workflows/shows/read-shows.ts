import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import {
  type EventQuery,
  type KnownEvent,
  type KnownEventProduct,
  SVC_MODULE,
} from "../../modules/svc"
import { groupBy } from "../../modules/svc/shared/group-by"
import { campaignKey } from "../../modules/svc/shows"
import { cachedLiveList } from "./live-list"

/** An event with its products; those that were removed from the show have `deleted_at`. */
export type EventWithProducts = KnownEvent & {
  /** Of the connection's region. */
  currency_code: string | null
  products: KnownEventProduct[]
}

/** In which currency a show's prices are: in which the service last answered for one, else the connection's (gap 35). */
export const priceCurrencyOf = ({
  price_currency,
  currency_code,
}: Pick<EventWithProducts, "price_currency" | "currency_code">): string | null =>
  price_currency ?? currency_code

/** An event as a storefront shows it, with its page and what its prices mean, each product with its handle in the store. */
export type AnnouncedEvent = Omit<EventWithProducts, "products"> & {
  page_uid: string | null
  /** As the service last answered for one, else as the connection is set (gap 34). */
  prices_include_tax: boolean | null
  products: (KnownEventProduct & { handle: string | null })[]
}

/**
 * Published events of the sales channels' connections that are coming, running or open shoppables, with their products
 * and the currency of the connection's region (gap 35). A connection that no configuration declares any more sells nothing,
 * so it announces nothing. Read once in two seconds: see `live-list.ts`.
 *
 * @param of which connections: of these sales channels, and of these pages where some are named
 * @param view what is shown of each
 */
export async function announcedEvents<View>(
  container: MedusaContainer,
  of: { sales_channel_id: string[]; page_uid?: string[] },
  query: EventQuery,
  view: (event: AnnouncedEvent) => View,
): Promise<{ live_events: View[]; count: number }> {
  const svc = container.resolve(SVC_MODULE)
  const connections = await svc.listSvcConnections({ ...of, status: { $ne: "undeclared" } })
  const ids = connections.map(({ id }) => id)
  const read = async () => {
    const { events, count } = await svc.shows.queries.announcedEvents(ids, query)
    const full = await withHandles(container, await withProducts(container, events))
    const live_events = full.map((event) => {
      const connection = connections.find(({ id }) => id === event.connection_id)
      const { page_uid = null, prices_include_vat = null } = connection ?? {}
      const prices_include_tax = event.price_includes_vat ?? prices_include_vat
      return view({ ...event, page_uid, prices_include_tax })
    })
    return { live_events, count }
  }
  // What somebody types is looked for once, and would only fill the cache.
  return query.filters.q ? read() : cachedLiveList({ ids, query }, ids, read)
}

/** Adds products and currency, with one query for each connection. */
export async function withProducts(
  container: MedusaContainer,
  events: KnownEvent[],
): Promise<EventWithProducts[]> {
  const svc = container.resolve(SVC_MODULE)
  const connectionIds = [...new Set(events.map((event) => event.connection_id))]
  const productsOf = (connectionId: string) => {
    const own = events.filter((event) => event.connection_id === connectionId)
    const campaigns = own.map((event) => event.campaign_uid)
    return svc.shows.queries.productsOf(connectionId, [...new Set(campaigns)])
  }
  const [currencies, found] = await Promise.all([
    currenciesOf(container, connectionIds),
    Promise.all(connectionIds.map(productsOf)),
  ])
  const products = groupBy(found.flat(), campaignKey)
  return events.map((event) => ({
    ...event,
    currency_code: currencies.get(event.connection_id) ?? null,
    products: products.get(campaignKey(event)) ?? [],
  }))
}

/** Only products that are still in the show, each with its handle in the store. */
async function withHandles(
  container: MedusaContainer,
  events: EventWithProducts[],
): Promise<Omit<AnnouncedEvent, "page_uid" | "prices_include_tax">[]> {
  const products = events.flatMap((event) => event.products.filter((one) => !one.deleted_at))
  const ids = new Set(products.flatMap(({ external_id }) => external_id ?? []))
  const handles = await handlesOf(container, [...ids])
  return events.map((event) => ({
    ...event,
    products: event.products.flatMap((product) =>
      product.deleted_at
        ? []
        : { ...product, handle: handles.get(product.external_id ?? "") ?? null },
    ),
  }))
}

/** By the products' ids, which the service may know as something else: those have none. */
async function handlesOf(
  container: MedusaContainer,
  productIds: string[],
): Promise<Map<string, string>> {
  if (productIds.length === 0) return new Map()
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "product",
    fields: ["id", "handle"],
    filters: { id: productIds },
  })
  return new Map(data.map(({ id, handle }) => [id, handle]))
}

/** The currency of each connection's region. */
export async function currenciesOf(
  container: MedusaContainer,
  connectionIds: string[],
): Promise<Map<string, string>> {
  if (connectionIds.length === 0) return new Map()
  const svc = container.resolve(SVC_MODULE)
  const connections = await svc.listSvcConnections({ id: connectionIds })
  const { data: regions } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "region",
    fields: ["id", "currency_code"],
    filters: { id: connections.map((connection) => connection.region_id) },
  })
  const byRegion = new Map(regions.map((region) => [region.id, region.currency_code]))
  return new Map(
    connections.flatMap(({ id, region_id }): [string, string][] => {
      const currency = byRegion.get(region_id)
      return currency ? [[id, currency]] : []
    }),
  )
}
