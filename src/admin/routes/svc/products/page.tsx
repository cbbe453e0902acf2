import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Thumbnail } from "@medusajs/dashboard/components"
import { PaperPlane } from "@medusajs/icons"
import {
  type Column,
  connectionColumn,
  reasonColumn,
  stateColumn,
  whenColumn,
} from "../../../components/columns"
import { Crumb } from "../../../components/crumb"
import { ListTable } from "../../../components/list-table"
import { PageLayout } from "../../../components/page-layout"
import { statesOf } from "../../../components/state-badge"
import { whilePending } from "../../../hooks/api/records"
import { useSendNow } from "../../../hooks/use-actions"
import type { Filter } from "../../../hooks/use-table-filters"
import type { SyncedProduct } from "../../../lib/types"

const COLUMNS: Column<SyncedProduct>[] = [
  {
    id: "title",
    label: "products.columns.product",
    sort: true,
    phone: true,
    cell: ({ image, title }) => (
      <span className="flex min-w-0 items-center gap-x-3 [&>:first-child]:shrink-0">
        <Thumbnail src={image} alt="" />
        <span className="truncate">{title}</span>
      </span>
    ),
  },
  connectionColumn("products.columns.connection"),
  { ...stateColumn("state", "products.columns.state", "product", 140), sort: true },
  reasonColumn("products.columns.reason"),
  whenColumn("last_pushed_at", "products.columns.lastPushed", 140, { never: true }),
]

const FILTERS: Filter[] = [
  { name: "state", label: "products.columns.state", kind: "values", values: statesOf("product") },
  { name: "reason_code", label: "products.columns.reason", kind: "reasons" },
  { name: "connection_id", label: "products.columns.connection", kind: "connections" },
]

const ProductTable = () => {
  const { mutate: send } = useSendNow()
  return (
    <ListTable<SyncedProduct>
      texts="products"
      path="/products"
      columns={COLUMNS}
      rowActions={[{ icon: <PaperPlane />, label: "products.sendNow", act: ({ id }) => send(id) }]}
      filters={FILTERS}
      order="title"
      rowId={({ id }) => id}
      href={({ id }) => `/svc/products/${id}`}
      opensOver
      again={whilePending}
      bulk="/products/push"
    />
  )
}

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
