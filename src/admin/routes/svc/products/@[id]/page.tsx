import { SectionRow } from "@medusajs/dashboard/components"
import { Button } from "@medusajs/ui"
import { Link, useParams } from "react-router-dom"
import { DetailDrawer } from "../../../../components/detail-drawer"
import { ReasonLine } from "../../../../components/error-notice"
import { ProductPreview } from "../../../../components/product-preview"
import { StateBadge } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { useSyncedProduct } from "../../../../hooks/api/products"
import { useConnectionNames } from "../../../../hooks/use-connection-names"
import { useSendNow } from "../../../../hooks/use-row-actions"
import { useText } from "../../../../hooks/use-text"
import { formatNumber } from "../../../../lib/format"

const ProductDrawer = () => {
  const { t, locale } = useText()
  const { id = "" } = useParams()
  const { nameOf } = useConnectionNames()
  const { data, error, refetch } = useSyncedProduct(id)
  const { send, isPending } = useSendNow()
  const product = data?.product

  return (
    <DetailDrawer
      title={product?.title}
      state={product && <StateBadge of="product" state={product.state} />}
      error={error}
      onRetry={refetch}
      actions={
        product && (
          <>
            <Button size="small" variant="secondary" asChild>
              <Link to={`/products/${product.product_id}`}>{t("products.openProduct")}</Link>
            </Button>
            <Button size="small" isLoading={isPending} onClick={() => send(id)}>
              {t("products.sendNow")}
            </Button>
          </>
        )
      }
    >
      {product && (
        <>
          <ReasonLine reason={product.reason} className="px-6 pt-2" />
          <div className="divide-y">
            <SectionRow
              title={t("products.fields.connection")}
              value={nameOf(product.connection_id)}
            />
            <SectionRow
              title={t("products.fields.lastPushed")}
              value={<When at={product.last_pushed_at} />}
            />
            {product.attempts > 0 && (
              <SectionRow
                title={t("products.fields.attempts")}
                value={formatNumber(product.attempts, locale)}
              />
            )}
            {product.next_attempt_at && (
              <SectionRow
                title={t("products.fields.nextAttempt")}
                value={<When at={product.next_attempt_at} />}
              />
            )}
          </div>
          <ProductPreview product={product} />
        </>
      )}
    </DetailDrawer>
  )
}

export default ProductDrawer
