import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { refusalCode, SVC_MODULE, SvcRefusal } from "../../modules/svc"
import { CAMPAIGN_KEY } from "../../modules/svc/cart/line-columns"
import { type ChangedLine, untoldPriceChanges } from "./acknowledge-price-changes"
import { repriceCartWorkflow } from "./reprice-cart"

type Line = {
  product_id?: string | null
  variant_id?: string | null
  variant_sku?: string | null
  title: string
  subtitle?: string | null
  quantity: BigNumberInput
  unit_price: BigNumberInput
  total: BigNumberInput
  thumbnail?: string | null
  product_handle?: string | null
  is_custom_price?: boolean
  metadata?: Record<string, unknown> | null
}

const amount = (value: BigNumberInput): number => MathBN.convert(value).toNumber()

/**
 * The cart as the player shows it (GET_CART_CONTENTS, gap 42). Amounts in major units, totals with tax. `changes` are
 * the lines that are not what the shopper saw, as completion will tell them.
 *
 * @throws SvcRefusal `not_found`
 */
export async function readCartContents(container: MedusaContainer, cartId: string) {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const changes = await restoreDroppedLines(container, cartId)
  const { data } = await query.graph({
    entity: "cart",
    fields: [
      "id",
      "currency_code",
      "sales_channel_id",
      "region_id",
      "total",
      "items.*",
      "items.total",
    ],
    filters: { id: cartId },
  })
  const cart = data[0]
  if (!cart) throw new SvcRefusal("not_found", `There is no basket with the id "${cartId}".`)

  const svc = container.resolve(SVC_MODULE)
  const connections = await svc.listSvcConnections({ sales_channel_id: cart.sales_channel_id })
  const connection =
    connections.find(({ region_id }) => region_id === cart.region_id) ?? connections[0]
  const lines: Line[] = cart.items ?? []
  return {
    status: "SUCCESS" as const,
    products: lines.map((line) => ({
      product_id: line.product_id ?? null,
      variant_id: line.variant_id ?? null,
      sku: line.variant_sku ?? null,
      name: line.title,
      quantity: amount(line.quantity),
      unit_price: amount(line.unit_price),
      total: amount(line.total),
      image: line.thumbnail ?? null,
      url:
        connection && line.product_handle
          ? `${connection.storefront_url}/products/${line.product_handle}`
          : null,
      in_campaign: line.is_custom_price === true && Boolean(line.metadata?.[CAMPAIGN_KEY]),
    })),
    total: amount(cart.total ?? 0),
    currency: cart.currency_code,
    ...(changes.length > 0 ? { changes } : {}),
  }
}

/**
 * Restores lines that core deleted with the region, and says what changed. Other lines are not priced again: reading a
 * cart must not end the payment that is being made for it. If restoring fails, the cart is shown as it is.
 */
async function restoreDroppedLines(
  container: MedusaContainer,
  cartId: string,
): Promise<ChangedLine[]> {
  const svc = container.resolve(SVC_MODULE)
  try {
    const lines = await svc.campaignLines.ofCart(cartId)
    if (lines.some((line) => line.dropped)) {
      await repriceCartWorkflow(container).run({ input: cartId })
    }
    return await untoldPriceChanges(container, cartId)
  } catch (error) {
    if (!refusalCode(error)) {
      const reason = error instanceof Error ? error.message : String(error)
      container
        .resolve(ContainerRegistrationKeys.LOGGER)
        .warn(`svc: cart ${cartId} is shown as it is: ${reason}`)
    }
    return []
  }
}
