import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Crumb } from "../../../components/crumb"
import { PageLayout } from "../../../components/page-layout"
import { ProductTable } from "./product-table"

const ProductsPage = () => (
  <PageLayout zone="svc_product.list" sections={{ SvcProductTable: <ProductTable /> }} />
)

export const config = defineRouteConfig({
  label: "menu.products",
  rank: 3,
  translationNs: "svc",
})
export const handle = { breadcrumb: () => <Crumb text="menu.products" /> }

export default ProductsPage
