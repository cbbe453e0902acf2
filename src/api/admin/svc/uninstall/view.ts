export type { PaidCart } from "../../../../workflows/cart"
export type { Uninstall } from "../../../../workflows/connections"
