import { refetchEntity } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { defaultStoreCartFields } from "@medusajs/medusa/api/store/carts/query-config"

/**
 * The cart as the installed Medusa answers it.
 *
 * @throws MedusaError `not_found`
 */
export async function readCart(
  id: string,
  scope: MedusaContainer,
  fields: string[] = defaultStoreCartFields,
) {
  const cart = await refetchEntity({ entity: "cart", idOrFilter: id, scope, fields })
  if (!cart) throw new MedusaError(MedusaError.Types.NOT_FOUND, `Cart with id '${id}' not found`)
  return cart
}
