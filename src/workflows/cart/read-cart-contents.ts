import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { refusalCode, SVC_MODULE } from "../../modules/svc"
import type { CartSituation } from "../../modules/svc/cart"
import {
  type CartAccess,
  type ChangedLine,
  mayUseCart,
  sellingConnection,
  untoldChanges,
} from "../../modules/svc/cart"
import { messageOf } from "../../modules/svc/shared/error-message"
import { changeCart } from "./change-cart"
import { noSuchCart } from "./read-situation"

type ShownLine = {
  id: string
  product_id?: string | null
  variant_id?: string | null
  variant_sku?: string | null
  title: string
  quantity: BigNumberInput
  unit_price: BigNumberInput
  total: BigNumberInput
  thumbnail?: string | null
  product_handle?: string | null
}

const amount = (value: BigNumberInput): number => MathBN.convert(value).toNumber()

/**
 * The cart as the player shows it (GET_CART_CONTENTS, gap 42). Amounts in major units, totals with tax. `changes` are
 * the lines that are not what the shopper saw, as completion will tell them.
 *
 * @throws SvcRefusal `not_found`
 */
export async function readCartContents(
  container: MedusaContainer,
  cartId: string,
  access: CartAccess,
) {
  const svc = container.resolve(SVC_MODULE)
  const before = await svc.cart.situations.read({ cartId })
  if (!before || !mayUseCart(before.cart, access)) throw noSuchCart()
  const situation = (await restoreDroppedLines(container, before)) ?? before
  const [{ data }, connections] = await Promise.all([
    container.resolve(ContainerRegistrationKeys.QUERY).graph({
      entity: "cart",
      fields: ["id", "currency_code", "total", "items.*", "items.total"],
      filters: { id: cartId },
    }),
    svc.listSvcConnections({ id: situation.connections.map(({ id }) => id) }),
  ])
  const cart = data[0]
  if (!cart) throw noSuchCart()
  const shop = shopOf(situation, connections)
  const changes: ChangedLine[] = untoldChanges(situation)
  const campaignLines = new Set(
    situation.lines.flatMap(({ id, proof, isCustomPrice }) => (proof && isCustomPrice ? [id] : [])),
  )
  const lines: ShownLine[] = cart.items ?? []
  return {
    contents: {
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
          shop && line.product_id
            ? svc.catalog.addressOf(shop, {
                id: line.product_id,
                handle: line.product_handle ?? null,
              })
            : null,
        // By our own record: shoppers can write a line's metadata.
        in_campaign: campaignLines.has(line.id),
      })),
      total: amount(cart.total ?? 0),
      currency: cart.currency_code,
    },
    changes,
    locale: situation.cart.locale,
  }
}

/** The shop of the page that the basket met last, in the basket's own region where the page sells in several. */
function shopOf<Row extends { id: string }>(
  { cart, numbers, connections: known }: CartSituation,
  rows: Row[],
): Row | undefined {
  const met = known.find(({ id }) => id === numbers[0]?.connectionId)
  const selling = met && sellingConnection({ cart, connections: known }, met.pageUid)
  const id = typeof selling === "object" ? selling.id : met?.id
  return rows.find((row) => row.id === id)
}

/**
 * Restores lines that core deleted with the region. Other lines are not priced again: reading a cart must not end the
 * payment that is being made for it. If restoring fails, the cart is shown as it is.
 *
 * @returns the cart after that; null where nothing was restored
 */
async function restoreDroppedLines(
  container: MedusaContainer,
  { cart, lines }: CartSituation,
): Promise<CartSituation | null> {
  if (!lines.some(({ dropped }) => dropped)) return null
  try {
    await changeCart(container, { cart_id: cart.id, intent: { occasion: "order" } })
    return await container.resolve(SVC_MODULE).cart.situations.read({ cartId: cart.id })
  } catch (error) {
    if (!refusalCode(error)) {
      const reason = messageOf(error)
      container
        .resolve(ContainerRegistrationKeys.LOGGER)
        .warn(`svc: cart ${cart.id} is shown as it is: ${reason}`)
    }
    return null
  }
}
