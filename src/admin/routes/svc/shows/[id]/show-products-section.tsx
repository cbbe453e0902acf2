import { Thumbnail } from "@medusajs/dashboard/components"
import { Text } from "@medusajs/ui"
import { useMemo } from "react"
import { Link } from "react-router-dom"
import type { Column } from "../../../../components/columns"
import { EmptyState } from "../../../../components/empty-state"
import { PressButton } from "../../../../components/press-button"
import { RowTable } from "../../../../components/row-table"
import { Section } from "../../../../components/section"
import { StateBadge } from "../../../../components/state-badge"
import { useForAll, useSendNow } from "../../../../hooks/use-actions"
import { useReason } from "../../../../hooks/use-reason"
import { useText } from "../../../../hooks/use-text"
import { formatPrice } from "../../../../lib/format"
import { catalogPriceRange, priceRange } from "../../../../lib/price-range"
import type { EventProduct, LiveEventDetail } from "../../../../lib/types"
import { stateOf, unsentOf } from "./product-state"

/** What the show sells, at which price, and what is missing before it can. */
export const ShowProductsSection = ({ event }: { event: LiveEventDetail }) => {
  const { t, locale } = useText()
  const { currency_code: currency, products } = event
  const columns = useMemo(() => columnsIn(currency, locale), [currency, locale])
  return (
    <Section heading={t("shows.products.heading")} aside={<SendAll event={event} />}>
      {products.length === 0 ? (
        <EmptyState heading={t("shows.products.heading")} description={t("shows.products.empty")} />
      ) : (
        <RowTable columns={columns} rows={products} rowId={({ uid }) => uid} />
      )}
    </Section>
  )
}

function columnsIn(currency: string | null, locale: string): Column<EventProduct>[] {
  const money = (amount: number | null, inCurrency = currency) =>
    formatPrice(amount, inCurrency, locale)
  return [
    {
      id: "name",
      label: "shows.products.columns.product",
      phone: true,
      hasTooltip: true,
      cell: (product) => <Name product={product} />,
    },
    {
      id: "readiness",
      label: "shows.products.columns.readiness",
      phone: true,
      hasTooltip: true,
      cell: (product) => <Ready product={product} />,
    },
    {
      id: "catalog_price",
      label: "shows.products.columns.catalogPrice",
      right: true,
      cell: (product) => <Amount>{catalogPriceRange(product, money)}</Amount>,
    },
    {
      id: "price",
      label: "shows.products.columns.price",
      right: true,
      phone: true,
      cell: (product) => <Amount isStrong>{priceRange(product, money)}</Amount>,
    },
    {
      id: "limits",
      label: "shows.products.columns.limits",
      right: true,
      cell: (product) => <Limits product={product} />,
    },
  ]
}

const Amount = ({ children, isStrong = false }: { children: string; isStrong?: boolean }) => (
  <span className={isStrong ? "text-ui-fg-base font-medium tabular-nums" : "tabular-nums"}>
    {children}
  </span>
)

/** Sends at once every product that may be ready once it was sent. */
const SendAll = ({ event }: { event: LiveEventDetail }) => {
  const { t } = useText()
  const press = useForAll("/products/push")
  const ids = event.products.flatMap((product) => unsentOf(product) ?? [])
  // One has its button beside it.
  if (ids.length < 2) return null
  return (
    <PressButton press={press} input={{ id: ids }}>
      {t("products.sendMany.action", { count: ids.length })}
    </PressButton>
  )
}

const Name = ({ product: { name, sku, external_id, catalog_item } }: { product: EventProduct }) => (
  <span className="flex min-w-0 max-w-64 items-center gap-x-3 py-2 [&>:first-child]:shrink-0">
    <Thumbnail src={catalog_item?.image} alt="" />
    <span className="flex min-w-0 flex-col">
      {external_id ? (
        <Link
          to={`/products/${external_id}`}
          className="text-ui-fg-base hover:text-ui-fg-interactive-hover truncate font-medium"
        >
          {name}
        </Link>
      ) : (
        <span className="truncate">{name}</span>
      )}
      {sku && (
        <Text size="xsmall" className="text-ui-fg-subtle truncate">
          {sku}
        </Text>
      )}
    </span>
  </span>
)

const Ready = ({ product }: { product: EventProduct }) => {
  const { t } = useText()
  const say = useReason()
  const send = useSendNow()
  const state = stateOf(product)
  if (state === "removed") return <StateBadge of="readiness" state={state} />
  const itemId = unsentOf(product)
  return (
    <div className="flex max-w-80 flex-col items-start gap-y-2 whitespace-normal py-3">
      <StateBadge of="readiness" state={state} />
      {product.readiness.problems.map((reason) => {
        const { message, fix } = say(reason)
        return (
          <Text
            key={reason.code}
            size="xsmall"
            className="text-ui-fg-subtle text-pretty break-words"
          >
            {`${message} ${fix}`}
          </Text>
        )
      })}
      {itemId && (
        <PressButton press={send} input={itemId}>
          {t("products.sendNow")}
        </PressButton>
      )}
    </div>
  )
}

const Limits = ({ product }: { product: EventProduct }) => {
  const { t } = useText()
  const { min_purchase_qty: min, max_qty_per_customer: max } = product
  if (min && max) return t("shows.products.range", { min, max })
  if (min) return t("shows.products.from", { min })
  return max ? t("shows.products.upTo", { max }) : "-"
}
