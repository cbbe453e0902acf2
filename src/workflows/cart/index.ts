export {
  someCheckoutRequest,
  updateCartContentsRequest,
} from "../../contract"
export type { CartAccess, CartAction, ChangedLine } from "../../modules/svc/cart"
export {
  CART_CODES,
  type CartCode,
  type CartParams,
  type CartReason,
  chooseLanguage,
  isSpoken,
  type Language,
  sentence,
  sentenceOf,
} from "../../modules/svc/cart"
export { CART_EVENTS, type CartEvents } from "./announce-cart"
export {
  changeCart,
  changeCartWorkflow,
} from "./change-cart"
export { checkQuantity } from "./check-quantity"
export {
  expirePrices,
  type PaidCart,
  readPaidCarts,
  restoreDroppedLines,
  returnAbandonedCarts,
} from "./expire-prices"
export * from "./guard-cart"

export { forgetPrices } from "./look-up-prices"
export { readCartContents } from "./read-cart-contents"
