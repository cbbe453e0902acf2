/** A social checkout link, from the address to SOME_CHECKOUT (gap 40) and to how it ended. */
import { UNREACHABLE } from "./answers.js"
import { withoutCheckout } from "./checkout-link.js"

/**
 * @typedef {object} Checkout
 * @property {"working" | "done"} stage
 * @property {import("./sdk.js").Answer | null} answer
 * @property {{ name: string, image: string | null, quantity: number }[]} items
 */

const SENTENCES = {
  SUCCESS: "Your basket is ready.",
  PARTIAL: "Some products are in your basket, some are not.",
  FAILURE: "Your basket could not be filled.",
  UNREGISTERED: "This shop cannot take the link yet.",
}

/** Read out when it has ended. */
export const sentenceOf = ({ status }) => SENTENCES[status]

/**
 * The link's products, as the show knows them. A product that the show does not have is sent
 * nevertheless: the shop says why it cannot be had.
 *
 * @param {import("./checkout-link.js").CheckoutLink} link
 */
export function itemsOf(link, productOf) {
  return link.products.map(({ productId, variantId, quantity }) => {
    const product = productOf(productId, variantId)
    const variant = product?.variants?.find((one) => one.external_id === variantId)
    const sku = variant?.sku ?? product?.sku
    return {
      name: product?.name ?? productId,
      image: product?.image ?? null,
      quantity,
      payload: {
        product_id: productId,
        ...(variantId && { variant_id: variantId }),
        ...(sku && { sku }),
        quantity,
      },
    }
  })
}

/**
 * Fires the action. A link that failed stays in the address, so that a reload tries again.
 *
 * @param {object} options
 * @param {import("./checkout-link.js").CheckoutLink} options.link
 * @param {ReturnType<typeof itemsOf>} options.items
 * @param {{ page_uid: string, campaign_uid: string }} options.event
 * @param {() => Promise<string>} options.orderNumber
 * @param {(action: string, payload: object) => Promise<import("./sdk.js").Answer>} options.perform
 */
export async function fireCheckout({ link, items, event, orderNumber, perform }) {
  if (items.length === 0) {
    return { status: "FAILURE", message: "This link names no product. Ask for a new one." }
  }
  let orderNo
  try {
    orderNo = await orderNumber()
  } catch (error) {
    console.error("svc player: the order number could not be had.", error)
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

/** The answer where there is no show to fill a basket from. */
export const refusal = (phase) =>
  phase === "offline"
    ? UNREACHABLE
    : { status: "FAILURE", message: "The show of this link is over, and its prices with it." }
