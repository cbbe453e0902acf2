import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import { catalogReason } from "../../modules/svc/catalog"
import type { Reason } from "../../modules/svc/shared/reason"

/** A product that a connection has no row of, because it was never in the connection's sales channel. */
export type AbsentProduct = {
  product_id: string
  connection_id: string
  title: string
  reason: Reason
}

/**
 * Says why products are not at a service where nothing is known of them: somebody asks about these products, and "nothing"
 * would be no answer.
 *
 * @param connectionIds all connections by default
 */
export async function absentProducts(
  container: MedusaContainer,
  productIds: string[],
  connectionIds?: string[],
): Promise<AbsentProduct[]> {
  const svc = container.resolve(SVC_MODULE)
  const [connections, rows, { data: products }] = await Promise.all([
    svc.listSvcConnections(connectionIds ? { id: connectionIds } : {}, { take: null }),
    svc.listSvcCatalogItems({ product_id: productIds }, { take: null }),
    container.resolve(ContainerRegistrationKeys.QUERY).graph({
      entity: "product",
      fields: ["id", "title", "sales_channels.id"],
      filters: { id: productIds },
    }),
  ])
  const known = new Set(rows.map((row) => `${row.connection_id} ${row.product_id}`))
  const reason = catalogReason("not_in_channel")
  return products.flatMap(({ id, title, sales_channels }) =>
    connections
      .filter(
        (connection) =>
          !known.has(`${connection.id} ${id}`) &&
          !sales_channels?.some(
            (channel: { id: string } | null) => channel?.id === connection.sales_channel_id,
          ),
      )
      .map((connection) => ({ product_id: id, connection_id: connection.id, title, reason })),
  )
}
