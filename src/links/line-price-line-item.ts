import { defineLink } from "@medusajs/framework/utils"
import CartModule from "@medusajs/medusa/cart"
import svc from "../modules/svc"

/** `svc_line_price.line_item`: the cart's line that a campaign prices. */
defineLink(
  { linkable: svc.linkable.svcLinePrice, field: "line_item_id" },
  CartModule.linkable.lineItem,
  { readOnly: true },
)

/**
 * `cart.items.svc_line_price`: where the campaign price of a line came from; undefined for a line at another price. Not
 * from the cart itself: where one query asks for two links of the same module by the same field (`cart.id`), Medusa 2.21
 * reads only the first table and gives its rows to both, so order numbers would stand where line prices should.
 */
defineLink(
  { linkable: CartModule.linkable.lineItem, field: "id" },
  { ...svc.linkable.svcLinePrice.id, primaryKey: "line_item_id" },
  { readOnly: true },
)
