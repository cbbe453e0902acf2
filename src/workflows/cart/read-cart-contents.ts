import type { BigNumberInput, HttpTypes, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import {
  type CartAccess,
  type ChangedLine,
  mayUseCart,
  refused,
  untoldChanges,
} from "../../modules/svc/cart"
import { refuseOrdered } from "./read-situation"

const amount = (value: BigNumberInput): number => MathBN.convert(value).toNumber()

/**
 * The cart as the player shows it (GET_CART_CONTENTS, gap 42). Amounts in major units, totals with tax. `changes` are
 * the lines that are not what the shopper saw, as completion will tell them. Reading changes nothing: no price is looked up,
 * no payment ends. An ordered cart is none to show: its next tap would come with the number of the order that was placed.
 *
 * @param campaignUid whose player asks: what another show sold is not its to change. Absent: any show's line is called the player's
 * @throws SvcRefusal `not_found`, `cart_completed`
 */
export async function readCartContents(
  container: MedusaContainer,
  cartId: string,
  access: CartAccess,
  campaignUid?: string,
) {
  const svc = container.resolve(SVC_MODULE)
  const situation = await svc.cart.situations.read({ cartId })
  if (!situation || !mayUseCart(situation.cart, access)) throw refused("not_found")
  refuseOrdered(situation)
  const [{ data }, [shop]] = await Promise.all([
    container.resolve(ContainerRegistrationKeys.QUERY).graph({
      entity: "cart",
      fields: ["id", "currency_code", "total", "items.*", "items.total", "items.product.handle"],
      filters: { id: cartId },
    }),
    // Of the page that the basket met last.
    svc.listSvcConnections({ id: situation.numbers.slice(0, 1).map((met) => met.connectionId) }),
  ])
  const cart = data[0]
  if (!cart) throw refused("not_found")
  const changes: ChangedLine[] = untoldChanges(situation)
  const campaignLines = new Set(
    situation.lines.flatMap(({ id, proof, isCustomPrice }) =>
      proof && isCustomPrice && (!campaignUid || proof.campaignUid === campaignUid) ? [id] : [],
    ),
  )
  const lines: HttpTypes.StoreCartLineItem[] = cart.items ?? []
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
        total: amount(line.total ?? 0),
        image: line.thumbnail ?? null,
        url:
          shop && line.product_id
            ? svc.catalog.addressOf(shop, {
                id: line.product_id,
                handle: line.product?.handle ?? line.product_handle ?? null,
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
