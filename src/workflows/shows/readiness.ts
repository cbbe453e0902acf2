import type { KnownEventProduct, SvcModuleService } from "../../modules/svc"
import { type Readiness, readinessProblems } from "../../modules/svc/shows/readiness"

/** Whether each product of a show can be sold by this store, as far as is known here. */
export async function readReadiness(
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
      const problems = readinessProblems(product, byProduct.get(product.external_id ?? ""))
      return [product, { ready: problems.length === 0, problems }]
    }),
  )
}
