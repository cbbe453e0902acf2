import { Thumbnail } from "@medusajs/dashboard/components"
import { Heading, Text } from "@medusajs/ui"
import { useId } from "react"
import { useText } from "../hooks/use-text"
import { formatNumber, formatPrice } from "../lib/format"
import type { SyncedProductDetail } from "../lib/types"
import { CodeSample, json } from "./code-sample"

type ProductPreviewProps = { product: SyncedProductDetail }

/** What the service is told of a product: as shoppers see it, then what the next update changes, and the data itself in a fold. */
export const ProductPreview = ({ product }: ProductPreviewProps) => {
  const { t } = useText()
  return (
    <>
      <AsShown product={product} />
      <Changes product={product} />
      <details className="border-t px-6 py-4">
        <summary className="txt-compact-small-plus text-ui-fg-base focus-visible:shadow-borders-focus cursor-pointer rounded outline-none">
          {t("products.preview.data")}
        </summary>
        <div className="pt-4">
          <CodeSample
            snippets={[
              json(t("products.payload"), product.payload, t("products.nothing")),
              json(t("products.lastPayload"), product.last_payload, t("products.nothing")),
            ]}
          />
        </div>
      </details>
    </>
  )
}

const AsShown = ({ product }: ProductPreviewProps) => {
  const { t, locale } = useText()
  const shown = product.payload ?? product.last_payload
  if (!shown) return null
  const variants = shown.type === "configurable" ? shown.variants.length : 1
  const stock =
    shown.manageStock === false || shown.inventory === undefined
      ? t("products.preview.stockNotCounted")
      : t("products.preview.stock", { count: formatNumber(shown.inventory, locale) })
  return (
    <div className="flex items-center gap-x-4 px-6 py-2">
      <Thumbnail src={shown.image} alt="" />
      <div className="min-w-0 flex-1">
        <Text size="small" weight="plus" leading="compact" className="truncate">
          {shown.name}
        </Text>
        <Text size="small" leading="compact" className="text-ui-fg-subtle">
          {[
            stock,
            ...(variants > 1 ? [t("products.preview.variants", { count: variants })] : []),
          ].join(" · ")}
        </Text>
      </div>
      <Text size="large" weight="plus" className="shrink-0 tabular-nums">
        {formatPrice(shown.price, product.currency_code, locale)}
      </Text>
    </div>
  )
}

const Changes = ({ product: { payload, last_payload: last, difference } }: ProductPreviewProps) => {
  const { t } = useText()
  const headingId = useId()
  // Of a product that was never sent everything is new.
  if (!payload || !last) return null
  if (difference.length === 0) {
    return (
      <Text size="small" className="text-ui-fg-subtle px-6">
        {t("products.preview.same")}
      </Text>
    )
  }
  return (
    <section className="border-t px-6 pt-4" aria-labelledby={headingId}>
      <Heading level="h3" id={headingId}>
        {t("products.preview.changes")}
      </Heading>
      <ul className="flex flex-col gap-y-2 pt-2">
        {difference.map(({ path, before, after }) => (
          <li key={path} className="txt-compact-small flex flex-wrap gap-x-3">
            <code className="text-ui-fg-subtle">{path}</code>
            <span className="min-w-0 break-words">
              <s className="text-ui-fg-subtle">{asText(before)}</s>
              {" → "}
              <span className="text-ui-fg-base">{asText(after)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const asText = (value: unknown): string =>
  value === undefined ? "-" : typeof value === "string" ? value : JSON.stringify(value)
