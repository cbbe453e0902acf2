import { defineLink } from "@medusajs/framework/utils"
import OrderModule from "@medusajs/medusa/order"
import svc from "../modules/svc"

/** `svc_attribution.order`: the order that came from a show. */
defineLink(
  { linkable: svc.linkable.svcAttribution, field: "order_id" },
  OrderModule.linkable.order,
  { readOnly: true },
)

/** `order.svc_attributions`: the campaigns that an order came from, one row per order number. */
defineLink(
  { linkable: OrderModule.linkable.order, field: "id", isList: true },
  { ...svc.linkable.svcAttribution.id, primaryKey: "order_id" },
  { readOnly: true },
)
