import type { Sentences } from "./sentence-keys"

export const en: Sentences = {
  product_not_found: "This product is not in the store any more.",
  variant_required: "Please choose a variant first.",
  not_for_sale: "This product is not for sale here.",
  not_in_show: "This product is not in the show any more.",
  not_available: "This product is not for sale in the show now.",
  out_of_stock: "This product is sold out.",
  quantity_limited_min: "This product is sold from {quantity} pieces.",
  quantity_limited_max: "At most {max} per customer.",
  quantity_limited_stock: "Only {quantity} left.",
  price_unavailable: "The show's price could not be confirmed. Please try again.",
  price_too_low: "The show's price could not be confirmed. Please try again.",
  catalog_price: "The show's price could not be confirmed, so this is at the regular price.",
  currency_mismatch: "The show sells in {show_currency}, the basket is in {cart_currency}.",
  channel_mismatch:
    "This show sells in another market than this basket. Open the shop of that market and try again.",
  campaign_ended: "This show's prices have ended.",
  too_many_requests: "That was a lot at once. Please try again in {seconds} seconds.",
  price_changed: "The show has another price for this product now.",
  region_changed: "This product has the show's price in your new region.",
  not_found: "This basket does not exist.",
  cart_completed: "This basket's order was placed already. Start a new one.",
  cart_busy: "This basket is being changed right now. Please try again.",
  page_not_connected: "The show that this comes from is not connected to this store.",
  order_number_required: "Please open this product from the show.",
  svc_price_changed:
    "A product from the show is not in your basket as you saw it. Please look at the basket and order again.",
  partial: "Not everything is in your basket as you asked.",
  failure: "Your basket was not changed.",
}
