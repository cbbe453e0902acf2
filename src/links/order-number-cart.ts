import { defineLink } from "@medusajs/framework/utils"
import CartModule from "@medusajs/medusa/cart"
import svc from "../modules/svc"

/** `svc_cart_order_number.cart`: the cart that met an order number. */
defineLink(
  { linkable: svc.linkable.svcCartOrderNumber, field: "cart_id" },
  CartModule.linkable.cart,
  { readOnly: true },
)

/** `cart.svc_cart_order_numbers`: every order number that a cart met; the latest `used_at` counts. */
defineLink(
  { linkable: CartModule.linkable.cart, field: "id", isList: true },
  { ...svc.linkable.svcCartOrderNumber.id, primaryKey: "cart_id" },
  { readOnly: true },
)
