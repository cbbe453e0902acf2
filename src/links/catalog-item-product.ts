import { defineLink } from "@medusajs/framework/utils"
import ProductModule from "@medusajs/medusa/product"
import svc from "../modules/svc"

/** `svc_catalog_item.product`: the product that a row of the catalog is about. */
defineLink(
  { linkable: svc.linkable.svcCatalogItem, field: "product_id" },
  ProductModule.linkable.product,
  { readOnly: true },
)

/** `product.svc_catalog_items`: what the service knows of a product, one row per connection. */
defineLink(
  { linkable: ProductModule.linkable.product, field: "id", isList: true },
  { ...svc.linkable.svcCatalogItem.id, primaryKey: "product_id" },
  { readOnly: true },
)
