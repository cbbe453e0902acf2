export {
  type SomeCheckoutRequest,
  someCheckoutRequest,
  type UpdateCartContentsRequest,
  updateCartContentsRequest,
} from "../../contract"
export * from "./acknowledge-price-changes"
export { applyCartActionWorkflow, type CartActionInput } from "./apply-cart-action"
export { checkQuantity } from "./check-quantity"
export { forgetPrices } from "./look-up-prices"
export { readCartContents } from "./read-cart-contents"
export { repriceCartWorkflow } from "./reprice-cart"
