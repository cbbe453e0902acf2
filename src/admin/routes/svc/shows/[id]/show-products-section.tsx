import { Thumbnail } from "@medusajs/dashboard/components"
import { Button, Table, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { EmptyState } from "../../../../components/empty-state"
import { Section } from "../../../../components/section"
import { StateBadge } from "../../../../components/state-badge"
import { useSendMany } from "../../../../hooks/use-bulk-actions"
import { useReason } from "../../../../hooks/use-reason"
import { useSendNow } from "../../../../hooks/use-row-actions"
import { type Text as Translate, useText } from "../../../../hooks/use-text"
import { formatMoney, formatNumber } from "../../../../lib/format"
import { catalogPriceRange, priceRange } from "../../../../lib/price-range"
import type { EventProduct, LiveEventDetail } from "../../../../lib/types"
import { shownReadiness } from "./readiness"

/** What the show sells, at which price, and what is missing before it can. */
export const ShowProductsSection = ({ event }: { event: LiveEventDetail }) => {
  const { t, locale } = useText()
  const money = (amount: number | null) =>
    amount === null
      ? "-"
      : event.currency_code
        ? formatMoney(amount, event.currency_code, locale)
        : formatNumber(amount, locale)

  return (
    <Section heading={t("shows.products.heading")} aside={<SendAll event={event} />}>
      {event.products.length === 0 ? (
        <EmptyState heading={t("shows.products.heading")} description={t("shows.products.empty")} />
      ) : (
        <div className="overflow-x-auto">
          <Table className="md:min-w-[640px] max-md:[&_td]:whitespace-normal max-md:[&_td_.truncate]:whitespace-normal max-md:[&_td:not(:last-child)]:pr-3">
            <Table.Header>
              <Table.Row>
                <Table.HeaderCell>{t("shows.products.columns.product")}</Table.HeaderCell>
                <Table.HeaderCell>{t("shows.products.columns.readiness")}</Table.HeaderCell>
                <Table.HeaderCell className="text-right max-md:hidden">
                  {t("shows.products.columns.catalogPrice")}
                </Table.HeaderCell>
                <Table.HeaderCell className="text-right max-md:!pr-6">
                  {t("shows.products.columns.price")}
                </Table.HeaderCell>
                <Table.HeaderCell className="text-right max-md:hidden">
                  {t("shows.products.columns.limits")}
                </Table.HeaderCell>
              </Table.Row>
            </Table.Header>
            <Table.Body>
              {event.products.map((product) => (
                <Table.Row key={product.uid}>
                  <Table.Cell className="max-w-64">
                    <Name product={product} />
                  </Table.Cell>
                  <Table.Cell>
                    <Ready product={product} />
                  </Table.Cell>
                  <Table.Cell className="text-right tabular-nums max-md:hidden">
                    {catalogPriceRange(product, money)}
                  </Table.Cell>
                  <Table.Cell className="text-ui-fg-base text-right font-medium tabular-nums max-md:!pr-6">
                    {priceRange(product, money)}
                  </Table.Cell>
                  <Table.Cell className="text-right tabular-nums max-md:hidden">
                    {limits(product, t)}
                  </Table.Cell>
                </Table.Row>
              ))}
            </Table.Body>
          </Table>
        </div>
      )}
    </Section>
  )
}

/** Sends at once every product that may be ready once it was sent. */
const SendAll = ({ event }: { event: LiveEventDetail }) => {
  const { t } = useText()
  const { sendProducts, isPending } = useSendMany()
  const ids = event.products.flatMap((product) => {
    const readiness = shownReadiness(product)
    return readiness.state === "notReady" && readiness.itemId ? (product.external_id ?? []) : []
  })
  // One has its button beside it.
  if (ids.length < 2) return null
  return (
    <Button
      size="small"
      variant="secondary"
      isLoading={isPending}
      onClick={() => void sendProducts(event.connection_id, ids)}
    >
      {t("products.sendMany.action", { count: ids.length })}
    </Button>
  )
}

const Name = ({ product }: { product: EventProduct }) => (
  <span className="flex min-w-0 items-center gap-x-3 py-2 [&>:first-child]:shrink-0">
    <Thumbnail src={product.catalog_item?.image} alt="" />
    <span className="flex min-w-0 flex-col">
      {product.external_id ? (
        <Link
          to={`/products/${product.external_id}`}
          className="text-ui-fg-base hover:text-ui-fg-interactive-hover truncate font-medium"
        >
          {product.name}
        </Link>
      ) : (
        <span className="truncate">{product.name}</span>
      )}
      {product.sku && (
        <Text size="xsmall" className="text-ui-fg-subtle truncate">
          {product.sku}
        </Text>
      )}
    </span>
  </span>
)

const Ready = ({ product }: { product: EventProduct }) => {
  const { t } = useText()
  const say = useReason()
  const { send, isPending } = useSendNow()
  const readiness = shownReadiness(product)
  if (readiness.state === "removed") return <StateBadge of="readiness" state="removed" />
  const itemId = readiness.state === "notReady" ? readiness.itemId : undefined
  return (
    <div className="flex max-w-80 flex-col items-start gap-y-2 whitespace-normal py-3">
      <StateBadge of="readiness" state={readiness.state} />
      {readiness.why.map((reason) => {
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
        <Button size="small" variant="secondary" isLoading={isPending} onClick={() => send(itemId)}>
          {t("products.sendNow")}
        </Button>
      )}
    </div>
  )
}

function limits({ min_purchase_qty: min, max_qty_per_customer: max }: EventProduct, t: Translate) {
  if (min && max) return t("shows.products.range", { min, max })
  if (min) return t("shows.products.from", { min })
  if (max) return t("shows.products.upTo", { max })
  return "-"
}
