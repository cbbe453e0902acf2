import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import { type JudgedProduct, withReadiness } from "./judged-products"
import { type EventWithProducts, withProducts } from "./read-shows"

/** A show that has a product, the product as it is in it, and whether it can be sold there. */
export type ShowOfProduct = {
  event: Omit<EventWithProducts, "products">
  product: JudgedProduct
}

const AT_MOST = 20

/** The shows that run, come or stay open as shoppables, and have this product of the store; running ones first. */
export async function showsOfProduct(
  container: MedusaContainer,
  productId: string,
): Promise<ShowOfProduct[]> {
  const svc = container.resolve(SVC_MODULE)
  const campaigns = await svc.shows.queries.campaignsOfProduct(productId)
  if (campaigns.length === 0) return []
  const open = await svc.shows.queries.currentEvents(
    {
      connection_id: campaigns.map(({ connection_id }) => connection_id),
      campaign_uid: campaigns.map(({ campaign_uid }) => campaign_uid),
      status: ["live", "planned", "clip"],
    },
    AT_MOST,
  )
  const shows = (await withProducts(container, open)).flatMap((event) => {
    const product = event.products.find(
      ({ external_id, deleted_at }) => external_id === productId && deleted_at === null,
    )
    return product ? { ...event, products: [product] } : []
  })
  const judged = await withReadiness(svc, shows)
  return judged.flatMap(({ products, ...event }) => products.map((product) => ({ event, product })))
}
