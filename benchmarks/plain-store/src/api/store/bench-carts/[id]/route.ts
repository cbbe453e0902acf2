import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { refetchCart } from "@medusajs/medusa/api/store/carts/helpers"
import { defaultStoreCartFields } from "@medusajs/medusa/api/store/carts/query-config"
import { addToCartWorkflow } from "@medusajs/medusa/core-flows"

/** Several products at once, as Medusa's own route puts one in: its workflow, then the cart as shops see it. */
export async function POST(
  req: MedusaRequest<{ items: { variant_id: string; quantity: number }[] }>,
  res: MedusaResponse,
): Promise<void> {
  const cartId = req.params.id ?? ""
  await addToCartWorkflow(req.scope).run({ input: { cart_id: cartId, items: req.body.items } })
  res.json({ cart: await refetchCart(cartId, req.scope, defaultStoreCartFields) })
}
