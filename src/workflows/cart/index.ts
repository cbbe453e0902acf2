export * from "./apply-cart-action"
export * from "./reprice-cart"
