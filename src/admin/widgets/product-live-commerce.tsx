import { defineWidgetConfig } from "@medusajs/admin-sdk"
import type { AdminProduct, DetailWidgetProps } from "@medusajs/types"
import { Button, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { ErrorNotice, ReasonLine } from "../components/error-notice"
import { RowsSkeleton, Section } from "../components/section"
import { ProductStateBadge } from "../components/state-badge"
import { When } from "../components/when"
import { useSyncedProducts } from "../hooks/api/products"
import { useConnectionNames } from "../hooks/use-connection-names"
import { useSendNow } from "../hooks/use-row-actions"
import { useText } from "../hooks/use-text"
import type { SyncedProduct } from "../lib/types"

/** On a product's page: what the service knows of the product, for each connection. */
const ProductLiveCommerce = ({ data: product }: DetailWidgetProps<AdminProduct>) => {
  const { t } = useText()
  const { data, error, refetch } = useSyncedProducts({ product_id: product.id, limit: 50 })
  const rows = data?.products.filter(({ product_id }) => product_id === product.id)

  return (
    <Section heading={t("widgets.product.heading")}>
      {!rows ? (
        error ? (
          <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />
        ) : (
          <RowsSkeleton rows={1} />
        )
      ) : rows.length === 0 ? (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("widgets.product.empty")}
        </Text>
      ) : (
        rows.map((row) => <Row key={row.id} row={row} />)
      )}
    </Section>
  )
}

const Row = ({ row }: { row: SyncedProduct }) => {
  const { t } = useText()
  const { nameOf } = useConnectionNames()
  const { send, isPending } = useSendNow()
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex items-center justify-between gap-x-2">
        <div className="flex min-w-0 flex-col">
          <Text size="small" weight="plus" leading="compact" className="truncate" asChild>
            <Link to={`/svc/products/${row.id}`}>{nameOf(row.connection_id)}</Link>
          </Text>
          <Text size="small" leading="compact" className="text-ui-fg-subtle">
            {t("products.fields.lastPushed")}: <When at={row.last_pushed_at} />
          </Text>
        </div>
        <ProductStateBadge state={row.state} />
      </div>
      <ReasonLine reason={row.reason} />
      <Button
        size="small"
        variant="secondary"
        className="self-start"
        isLoading={isPending}
        onClick={() => send(row.id)}
      >
        {t("products.sendNow")}
      </Button>
    </div>
  )
}

export const config = defineWidgetConfig({
  id: "medusa-plugin-svc:product",
  zone: "product.details.side.after",
})

export default ProductLiveCommerce
