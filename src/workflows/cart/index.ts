export {
  type SomeCheckoutRequest,
  someCheckoutRequest,
  type UpdateCartContentsRequest,
  updateCartContentsRequest,
} from "../../contract"
export type { CartAction } from "../../modules/svc/cart/carry-out"
export {
  CART_CODES,
  type CartCode,
  type CartParams,
  type CartReason,
} from "../../modules/svc/cart/codes"
export type { CartAccess } from "../../modules/svc/cart/may-use-cart"
export {
  chooseLanguage,
  type Language,
  sentence,
  sentenceOf,
} from "../../modules/svc/cart/sentences"
export type { ChangedLine } from "../../modules/svc/cart/told"
export { CART_EVENTS } from "./announce-cart"
export {
  changeCart,
  changeCartWorkflow,
} from "./change-cart"
export { checkQuantity } from "./check-quantity"
export { expirePrices, returnAbandonedCarts } from "./expire-prices"
export * from "./guard-cart"

export { forgetPrices } from "./look-up-prices"
export { readCartContents } from "./read-cart-contents"
export { restoreDroppedLines } from "./restore-lines"
export { settleOrder, settleOrderedCart } from "./settle-order"
