import { defineWidgetConfig } from "@medusajs/admin-sdk"
import type { AdminProduct, DetailWidgetProps } from "@medusajs/types"
import { Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { ReasonLine } from "../components/error-notice"
import { PressButton } from "../components/press-button"
import { Loaded, QuietLine, Section } from "../components/section"
import { ShowState, StateBadge } from "../components/state-badge"
import { When } from "../components/when"
import { whilePending } from "../hooks/api/records"
import { useAnswer } from "../hooks/api/request"
import { useSendNow } from "../hooks/use-actions"
import { useConnectionNames } from "../hooks/use-connection-names"
import { useReason } from "../hooks/use-reason"
import { useText } from "../hooks/use-text"
import { formatPrice } from "../lib/format"
import { priceRange } from "../lib/price-range"
import type { ProductAnywhere, ShowOfProduct } from "../lib/types"

/** On a product's page: what the service knows of the product, for each connection, and the shows that have it. */
const ProductLiveCommerce = ({ data: product }: DetailWidgetProps<AdminProduct>) => {
  const { t } = useText()
  const product_id = product.id
  const everywhere = useAnswer<{ products: ProductAnywhere[] }>("/products", {
    query: { product_id, limit: 50 },
    again: (answer) => whilePending(answer?.products ?? []),
  })
  const inShows = useAnswer<{ shows: ShowOfProduct[] }>("/products/shows", {
    query: { product_id },
  })
  return (
    <Section heading={t("widgets.product.heading")}>
      <Loaded query={everywhere} rows={1}>
        {({ products }) =>
          products.length === 0 ? (
            <QuietLine>{t("widgets.product.empty")}</QuietLine>
          ) : (
            products.map((row) => <Row key={row.connection_id} row={row} />)
          )
        }
      </Loaded>
      <Loaded query={inShows} rows={1}>
        {({ shows }) =>
          shows.length === 0 ? (
            <QuietLine>{t("widgets.product.noShow")}</QuietLine>
          ) : (
            shows.map((show) => <Show key={show.id} show={show} />)
          )
        }
      </Loaded>
    </Section>
  )
}

const Row = ({ row }: { row: ProductAnywhere }) => {
  const { t } = useText()
  const { nameOf } = useConnectionNames()
  const send = useSendNow()
  const { id } = row
  const name = nameOf(row.connection_id) || row.title
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex items-center justify-between gap-x-2">
        <div className="flex min-w-0 flex-col">
          <Text size="small" weight="plus" leading="compact" className="truncate" asChild>
            {id === null ? <span>{name}</span> : <Link to={`/svc/products/${id}`}>{name}</Link>}
          </Text>
          <Text size="small" leading="compact" className="text-ui-fg-subtle">
            {t("products.fields.lastPushed")}: <When at={row.last_pushed_at} never />
          </Text>
        </div>
        <StateBadge of="product" state={row.state} />
      </div>
      <ReasonLine reason={row.reason} severity={row.state === "synced" ? "warning" : "critical"} />
      {id !== null && (
        <PressButton press={send} input={id}>
          {t("products.sendNow")}
        </PressButton>
      )}
    </div>
  )
}

/** A show that runs or comes with this product: its price in it, and why it cannot be bought there. */
const Show = ({ show }: { show: ShowOfProduct }) => {
  const { locale } = useText()
  const say = useReason()
  const money = (amount: number | null) => formatPrice(amount, show.currency_code, locale)
  return (
    <div className="flex flex-col gap-y-1 px-6 py-4">
      <div className="flex items-center justify-between gap-x-2">
        <Text size="small" weight="plus" leading="compact" className="min-w-0 truncate" asChild>
          <Link to={`/svc/shows/${show.id}`}>{show.name || show.id}</Link>
        </Text>
        <ShowState event={show} />
      </div>
      <div className="flex items-center justify-between gap-x-2">
        <Text size="small" leading="compact" className="text-ui-fg-subtle">
          <When at={show.live_started_at ?? show.starts_at} />
        </Text>
        <Text size="small" leading="compact" className="tabular-nums">
          {show.suggested_retail_price !== null && (
            <s className="text-ui-fg-subtle mr-2">{money(show.suggested_retail_price)}</s>
          )}
          {priceRange(show, money)}
        </Text>
      </div>
      {show.problems.map((problem) => {
        const { message, fix } = say(problem)
        return (
          <Text key={problem.code} size="xsmall" className="text-ui-tag-orange-text text-pretty">
            {`${message} ${fix}`}
          </Text>
        )
      })}
    </div>
  )
}

export const config = defineWidgetConfig({
  id: "medusa-plugin-svc:product",
  zone: "product.details.side.after",
})

export default ProductLiveCommerce
