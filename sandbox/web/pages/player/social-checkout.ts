/** A social checkout link, from the address to SOME_CHECKOUT (gap 40) and to how it ended. */

import { type CheckoutLink, withoutCheckout } from "../shared/checkout-link"
import { UNREACHABLE } from "./answers"
import type { Action, Answer, Payload, ProductChange } from "./sdk"
import type { Product, Show } from "./service"

export type CheckoutItem = { name: string; image: string | null; payload: ProductChange }
/** How the checkout stands: `answer` is null while it is under way. */
export type Checkout = { answer: Answer | null; items: CheckoutItem[] }

/**
 * The link's products, as the show knows them. A product that the show does not have is sent
 * nevertheless: the shop says why it cannot be had.
 */
export const itemsOf = (
  link: CheckoutLink,
  productOf: (externalId: string, variantId?: string) => Product | undefined,
): CheckoutItem[] =>
  link.products.map(({ productId, variantId, quantity }) => {
    const product = productOf(productId, variantId)
    const variant = product?.variants.find(({ external_id }) => external_id === variantId)
    const sku = variant?.sku ?? product?.sku
    return {
      name: product?.name ?? productId,
      image: product?.image ?? null,
      payload: {
        product_id: productId,
        ...(variantId && { variant_id: variantId }),
        ...(sku && { sku }),
        quantity,
      },
    }
  })

type Options = {
  link: CheckoutLink
  items: CheckoutItem[]
  event: Show["event"]
  orderNumber: () => Promise<string>
  perform: (action: Action, payload: Payload) => Promise<Answer>
}

/** Fires the action. A link that failed stays in the address, so that a reload tries again. */
export async function fireCheckout(options: Options): Promise<Answer> {
  const { link, items, event, orderNumber, perform } = options
  if (items.length === 0) {
    return { status: "FAILURE", message: "This link names no product. Ask for a new one." }
  }
  let orderNo: string
  try {
    orderNo = await orderNumber()
  } catch (error) {
    console.error("svc player: no order number could be had.", error)
    return UNREACHABLE
  }
  const answer = await perform("SOME_CHECKOUT", {
    campaignUid: event.campaign_uid,
    pageUid: event.page_uid,
    orderNo,
    products: items.map(({ payload }) => payload),
    ...(link.clearCart && { clear_cart: true }),
    ...(link.redirectUrl && { redirect_url: link.redirectUrl }),
  })
  if (answer.status === "SUCCESS" || answer.status === "PARTIAL") {
    history.replaceState(history.state, "", withoutCheckout(location.href))
  }
  return answer
}

/** The answer where there is no show to fill a cart from. */
export const SHOW_IS_OVER: Answer = {
  status: "FAILURE",
  message: "The show of this link is over, and its prices with it.",
}
