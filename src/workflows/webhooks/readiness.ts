import type { Reason } from "../../modules/svc/backoff"
import type SvcModuleService from "../../modules/svc/service"
import type { CatalogItem } from "../../modules/svc/service"
import type { KnownEventProduct } from "../../modules/svc/sql/projection"

/** What keeps a product of a show from being sold in it; ready where nothing does. */
export type Readiness = { ready: boolean; problems: Reason[] }

/** Whether each product of a show can be sold by this store, as far as is known here. */
export async function readinessOf(
  svc: SvcModuleService,
  connectionId: string,
  products: KnownEventProduct[],
): Promise<Map<KnownEventProduct, Readiness>> {
  const ids = products.flatMap(({ external_id }) => external_id ?? [])
  const items =
    ids.length === 0
      ? []
      : await svc.listSvcCatalogItems(
          { connection_id: connectionId, product_id: ids },
          { take: null },
        )
  const byProduct = new Map(items.map((item) => [item.product_id, item]))
  return new Map(
    products.map((product) => {
      const problems = problemsOf(product, byProduct.get(product.external_id ?? ""))
      return [product, { ready: problems.length === 0, problems }]
    }),
  )
}

/** Pure: what is wrong with one product of a show, given what the service was told of it. */
export function problemsOf(
  product: KnownEventProduct,
  item: Pick<CatalogItem, "state" | "reason_code" | "reason_message" | "reason_fix"> | undefined,
): Reason[] {
  if (product.deleted_at !== null) {
    return [
      {
        code: "not_in_show",
        message: "The product was taken out of the show.",
        fix: "Add it to the show again if it shall be sold there.",
      },
    ]
  }
  const problems: Reason[] = []
  if (!item) {
    problems.push({
      code: "not_in_store",
      message: "The show's product is not one of this sales channel's products.",
      fix: "Add the product to the sales channel and publish it, or choose another product in the show.",
    })
  } else if (item.state === "removed") {
    problems.push({
      code: "not_for_sale",
      message: "The product is not for sale in this store any more.",
      fix: "Publish it in the connection's sales channel again, or take it out of the show.",
    })
  } else if (item.state === "invalid" || item.state === "failed") {
    problems.push({
      code: item.reason_code ?? item.state,
      message: item.reason_message ?? "The product could not be sent to the service.",
      fix: item.reason_fix ?? "Open the product in the list of products and send it again.",
    })
  }
  if (!product.available) {
    problems.push({
      code: "not_available",
      message: "The service shows the product as not available.",
      fix: "Check its stock, or make it available in the show.",
    })
  }
  return problems
}
