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
import { RowMenu } from "../../../components/row-menu"
import { whilePending } from "../../../hooks/api/records"
import { useSendMany, useSendNow } from "../../../hooks/use-actions"
import type { Filter } from "../../../hooks/use-table-filters"
import { useText } from "../../../hooks/use-text"
import type { SyncedProduct } from "../../../lib/types"

const Menu = ({ row: { id, title } }: { row: SyncedProduct }) => {
  const { t } = useText()
  const { mutate } = useSendNow()
  const send = { icon: <PaperPlane />, label: t("products.sendNow"), onClick: () => mutate(id) }
  return <RowMenu of={title} actions={[send]} />
}

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
  { id: "actions", cell: (row) => <Menu row={row} /> },
]

const FILTERS: Filter[] = [
  { name: "state", label: "products.columns.state", kind: "state", of: "product" },
  { name: "reason_code", label: "products.columns.reason", kind: "reasons" },
  { name: "connection_id", label: "products.columns.connection", kind: "connections" },
]

const ProductTable = () => {
  const { t } = useText()
  const { mutate } = useSendMany()
  const send = (rows: SyncedProduct[], done: () => void) => {
    const connections = [...new Set(rows.map(({ connection_id }) => connection_id))]
    mutate(
      connections.map((id) => ({
        connection_id: id,
        product_id: rows.flatMap((row) => (row.connection_id === id ? row.product_id : [])),
      })),
      { onSuccess: done },
    )
  }
  return (
    <ListTable<SyncedProduct>
      texts="products"
      path="/products"
      name="products"
      columns={COLUMNS}
      filters={FILTERS}
      order="title"
      rowId={({ id }) => id}
      href={({ id }) => `/svc/products/${id}`}
      opensOver
      again={whilePending}
      bulk="/products/push"
      selection={{ label: t("products.sendNow"), shortcut: "s", act: send }}
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
