import type { KnownEventProduct, SvcModuleService } from "../../modules/svc"
import { campaignOf, type Readiness, readinessOf } from "../../modules/svc/shows/readiness"

/** A product of a show with what our catalog knows of it: its row there, and whether it can be sold. */
export type ProductReadiness = {
  readiness: Readiness
  catalogItem: { id: string; state: string; image: string | null } | null
}

/** Whether each product of a show can be sold by this store at this moment, as far as is known here. */
export async function readReadiness(
  svc: SvcModuleService,
  { connection_id, campaign_uid }: { connection_id: string; campaign_uid: string },
  products: KnownEventProduct[],
  now = Date.now(),
): Promise<Map<KnownEventProduct, ProductReadiness>> {
  const ids = products.flatMap(({ external_id }) => external_id ?? [])
  const [items, event] = await Promise.all([
    ids.length === 0
      ? []
      : svc.listSvcCatalogItems({ connection_id, product_id: ids }, { take: null }),
    svc.shows.campaignEvent(connection_id, campaign_uid),
  ])
  const accepted = await svc.items.payloads(items.map(({ id }) => id))
  const campaign = campaignOf(event, now)
  const byProduct = new Map(items.map((item) => [item.product_id, item]))
  return new Map(
    products.map((product) => {
      const item = byProduct.get(product.external_id ?? "")
      const payload = accepted.get(item?.id ?? "")
      return [
        product,
        {
          readiness: readinessOf(product, campaign, item, payload),
          catalogItem: item
            ? { id: item.id, state: item.state, image: payload?.image ?? null }
            : null,
        },
      ]
    }),
  )
}
