/**
 * Every reason of the cart that a shopper or a storefront is told, with its parameters: the one list of this domain. The
 * sentences are in `sentences/`, one file for each language; storefronts read the codes, so a code keeps its meaning.
 */

/** Why a product could not be sold as asked, or a line is not what the shopper saw. */
export const CART_CODES = {
  product_not_found: "The store has no such product any more.",
  variant_required: "The product has variants, and none was chosen.",
  not_for_sale: "The product is not published, or not in the basket's sales channel.",
  not_in_show: "The service says that the product is not in this campaign.",
  variant_not_in_show:
    "The product had one variant when it was put into the show and has several now, and nothing says that the show's price is this one's: the host puts it into the show anew.",
  not_available: "The product was taken out of the show, or is not available in it.",
  out_of_stock:
    "Nothing is left of it beside what the basket has, or fewer pieces than the show sells at once; see `params`.",
  quantity_limited: "The show or the stock allows another number of pieces; see `params`.",
  price_unavailable: "The show's price could not be confirmed.",
  price_too_low: "The show's price is below the floor that the merchant has set.",
  catalog_price: "It was put in the basket at the catalog price, as the merchant has chosen.",
  currency_mismatch: "The show sells in another currency than the basket's; see `params`.",
  channel_mismatch: "The show does not sell in the basket's sales channel or currency.",
  campaign_ended: "The show was cancelled or deleted, or its deadline has passed.",
  too_many_requests: "Too many prices were asked for; see `params`.",
  price_changed: "The show's price, or whether it includes tax, is another one now.",
  region_changed: "The basket moved to another region; the line is sold at the show's price there.",
} as const

export type CartCode = keyof typeof CART_CODES

/** What a code's sentence takes. */
export type CartParams = {
  /**
   * `quantity_limited`: which limit; `quantity` is what the line may have, `max` the show's maximum for a customer.
   * `out_of_stock`: `min` where fewer are left than `quantity`, which the show sells at least; `stock` where the basket has
   * the rest. Absent where nothing is left.
   */
  limit?: "min" | "max" | "stock"
  quantity?: number
  max?: number
  /** `currency_mismatch`: ISO 4217, upper case. */
  show_currency?: string
  cart_currency?: string
  /** `too_many_requests`: when to try again. */
  seconds?: number
  /** `cart_completed`: the number that was sent, where the order has it. With another one a new basket can be filled. */
  order_no?: string
}

/** One reason, as it is decided; its sentence comes with the answer. */
export type CartReason<Code extends CartCode = CartCode> = { code: Code; params?: CartParams }
