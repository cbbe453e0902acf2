import { useParams } from "react-router-dom"
import { ConnectionName } from "../../../../components/columns"
import { Detail, Drawer } from "../../../../components/drawer"
import { ReasonLine } from "../../../../components/error-notice"
import { Facts } from "../../../../components/facts"
import { LinkButton, PressButton } from "../../../../components/press-button"
import { ProductPreview } from "../../../../components/product-preview"
import { StateBadge } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { whilePending } from "../../../../hooks/api/records"
import { useAnswer } from "../../../../hooks/api/request"
import { useSendNow } from "../../../../hooks/use-actions"
import { useText } from "../../../../hooks/use-text"
import { formatNumber } from "../../../../lib/format"
import type { SyncedProductDetail } from "../../../../lib/types"

const ProductDrawer = () => {
  const { id = "" } = useParams()
  const query = useAnswer<{ product: SyncedProductDetail }>(`/products/${id}`, {
    again: (answer) => whilePending(answer ? [answer.product] : []),
  })
  const product = query.data?.product
  return (
    <Drawer
      title={product?.title}
      state={product && <StateBadge of="product" state={product.state} />}
      query={query}
    >
      {(data) => <ProductDetail product={data.product} />}
    </Drawer>
  )
}

const ProductDetail = ({ product }: { product: SyncedProductDetail }) => {
  const { t, locale } = useText()
  const send = useSendNow()
  const next = product.next_attempt_at
  return (
    <Detail
      actions={
        <>
          <LinkButton to={`/products/${product.product_id}`}>
            {t("products.openProduct")}
          </LinkButton>
          <PressButton press={send} input={product.id} variant="primary">
            {t("products.sendNow")}
          </PressButton>
        </>
      }
    >
      <ReasonLine
        reason={product.reason}
        severity={product.state === "synced" ? "warning" : "critical"}
        className="px-6 pt-2"
      />
      <div className="divide-y">
        <Facts
          of={{
            "products.fields.connection": <ConnectionName id={product.connection_id} />,
            "products.fields.lastPushed": <When at={product.last_pushed_at} never />,
            "products.fields.attempts":
              product.attempts > 0 && formatNumber(product.attempts, locale),
            "products.fields.nextAttempt": next && <When at={next} />,
          }}
        />
      </div>
      <ProductPreview product={product} />
    </Detail>
  )
}

export default ProductDrawer
