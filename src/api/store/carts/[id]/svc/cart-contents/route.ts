import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../../../../../modules/svc"
import { refusalCode, SvcRefusal } from "../../../../../../modules/svc/refusal"
import type SvcModuleService from "../../../../../../modules/svc/service"
import { CartRows } from "../../../../../../modules/svc/sql/cart"
import {
  type ChangedLine,
  repriceCartWorkflow,
  untoldPriceChanges,
} from "../../../../../../workflows/cart"
import { CAMPAIGN_KEY } from "../../../../../../workflows/cart/basket"
import { idOf, route } from "../../../../../answer"

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
 * `GET /store/carts/:id/svc/cart-contents`: the basket as the player shows it (GET_CART_CONTENTS, gap 42) →
 * `{status, products: [{product_id, variant_id, sku, name, quantity, unit_price, total, image, url,
 * in_campaign}], total, currency, changes?}`. Amounts in major units, totals with tax. `changes` are the lines that are not
 * what the shopper saw, as completion will tell them. Refuses with `not_found`.
 */
export const GET = route(async (req, res) => {
  const query = req.scope.resolve(ContainerRegistrationKeys.QUERY)
  const id = idOf(req)
  const changes = await broughtUpToDate(req.scope, id)
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
    filters: { id },
  })
  const cart = data[0]
  if (!cart) throw new SvcRefusal("not_found", `There is no basket with the id "${id}".`)

  const svc = req.scope.resolve<SvcModuleService>(SVC_MODULE)
  const connections = await svc.listSvcConnections({ sales_channel_id: cart.sales_channel_id })
  const connection =
    connections.find(({ region_id }) => region_id === cart.region_id) ?? connections[0]
  const lines: Line[] = cart.items ?? []
  res.json({
    status: "SUCCESS",
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
  })
})

/**
 * Brings back what core took out with the region, and says what changed. Other lines are left as they are: looking at a
 * basket must not end the payment that is being made for it. One that cannot be set right now is shown as it is.
 */
async function broughtUpToDate(container: MedusaContainer, cartId: string): Promise<ChangedLine[]> {
  const rows = new CartRows(container.resolve<SvcModuleService>(SVC_MODULE).database())
  try {
    const lines = await rows.showLines(cartId)
    if (lines.some((line) => line.dropped)) {
      await repriceCartWorkflow(container).run({ input: cartId })
    }
    return await untoldPriceChanges(container, cartId)
  } catch (error) {
    if (!refusalCode(error)) {
      const reason = error instanceof Error ? error.message : String(error)
      container
        .resolve(ContainerRegistrationKeys.LOGGER)
        .warn(`svc: basket ${cartId} is shown as it is: ${reason}`)
    }
    return []
  }
}
