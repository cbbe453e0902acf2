import { Button, Table } from "@medusajs/ui"
import { Link, useNavigate } from "react-router-dom"
import { ErrorNotice } from "../../../../components/error-notice"
import { RowLink } from "../../../../components/row-link"
import { QuietLine, RowsSkeleton, Section } from "../../../../components/section"
import { SoldAmount } from "../../../../components/sold-amount"
import { StateBadge } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { useAttributedOrders } from "../../../../hooks/api/orders"
import { useText } from "../../../../hooks/use-text"
import { formatNumber } from "../../../../lib/format"
import { numberOf, ordersSearch } from "../../../../lib/order"
import type { AttributedOrder, LiveEventDetail } from "../../../../lib/types"

/** So many stand here; the list of orders has them all. */
const LATEST = 5

/** The latest orders that came from the show; each opens in the list of orders. Nothing before the show has begun. */
export const ShowOrdersSection = ({ event }: { event: LiveEventDetail }) => {
  const { t, locale } = useText()
  const { data, error, refetch } = useAttributedOrders(
    {
      campaign_uid: event.campaign_uid,
      connection_id: event.connection_id,
      order: "-placed_at",
      limit: LATEST,
    },
    event.status === "live",
  )
  const count = data?.count ?? 0
  if (event.status === "planned" && count === 0) return null

  return (
    <Section
      heading={t("shows.orders.heading")}
      aside={
        count > 0 && (
          <Button size="small" variant="secondary" asChild>
            <Link to={`/svc/orders${ordersSearch(event)}`}>
              {t("shows.orders.all", { count: formatNumber(count, locale) })}
            </Link>
          </Button>
        )
      }
    >
      {!data ? (
        error ? (
          <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />
        ) : (
          <RowsSkeleton rows={2} />
        )
      ) : count === 0 ? (
        <QuietLine>{t("shows.orders.empty")}</QuietLine>
      ) : (
        <>
          {error && <ErrorNotice error={error} onRetry={refetch} className="px-6 py-3" />}
          <Orders orders={data.orders} search={ordersSearch(event)} />
        </>
      )}
    </Section>
  )
}

type OrdersProps = { orders: AttributedOrder[]; search: string }

const Orders = ({ orders, search }: OrdersProps) => {
  const { t } = useText()
  const navigate = useNavigate()
  return (
    <Table>
      <Table.Header>
        <Table.Row>
          <Table.HeaderCell>{t("orders.columns.order")}</Table.HeaderCell>
          <Table.HeaderCell>{t("orders.columns.state")}</Table.HeaderCell>
          <Table.HeaderCell className="max-md:hidden">
            {t("orders.columns.placed")}
          </Table.HeaderCell>
          <Table.HeaderCell className="text-right">{t("orders.columns.amount")}</Table.HeaderCell>
        </Table.Row>
      </Table.Header>
      <Table.Body>
        {orders.map((order) => {
          const path = `/svc/orders/${order.id}${search}`
          return (
            <Table.Row key={order.id} className="cursor-pointer" onClick={() => navigate(path)}>
              <Table.Cell>
                <RowLink to={path}>{numberOf(order)}</RowLink>
              </Table.Cell>
              <Table.Cell>
                <StateBadge of="order" state={order.state} />
              </Table.Cell>
              <Table.Cell className="max-md:hidden">
                <When at={order.placed_at} />
              </Table.Cell>
              <Table.Cell className="text-right">
                <SoldAmount order={order} />
              </Table.Cell>
            </Table.Row>
          )
        })}
      </Table.Body>
    </Table>
  )
}
