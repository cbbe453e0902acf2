export * from "./apply-cart-action"
export * from "./reprice-cart"
export * from "./tell-price-changes"
