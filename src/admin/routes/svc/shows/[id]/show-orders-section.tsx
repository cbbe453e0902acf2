import { AMOUNT, NUMBER, PLACED, STATE } from "../../../../components/order-columns"
import { LinkButton } from "../../../../components/press-button"
import { RowTable } from "../../../../components/row-table"
import { Loaded, QuietLine, Section } from "../../../../components/section"
import { useOrders } from "../../../../hooks/api/records"
import { useText } from "../../../../hooks/use-text"
import { formatNumber } from "../../../../lib/format"
import { ordersSearch } from "../../../../lib/order"
import type { LiveEventDetail } from "../../../../lib/types"

/** So many stand here; the list of orders has them all. */
const LATEST = 5
const COLUMNS = [NUMBER, STATE, PLACED, AMOUNT]

/** The latest orders that came from the show; each opens in the list of orders. Nothing before the show has begun. */
export const ShowOrdersSection = ({ event }: { event: LiveEventDetail }) => {
  const { t, locale } = useText()
  const { campaign_uid, connection_id, status } = event
  const query = useOrders(
    { campaign_uid, connection_id, order: "-placed_at", limit: LATEST },
    status === "live",
  )
  const count = query.data?.count ?? 0
  if (status === "planned" && count === 0) return null

  return (
    <Section
      heading={t("shows.orders.heading")}
      aside={
        count > 0 && (
          <LinkButton to={`/svc/orders${ordersSearch(event)}`}>
            {t("shows.orders.all", { count: formatNumber(count, locale) })}
          </LinkButton>
        )
      }
    >
      <Loaded query={query} rows={2}>
        {({ orders }) =>
          orders.length === 0 ? (
            <QuietLine>{t("shows.orders.empty")}</QuietLine>
          ) : (
            <RowTable
              columns={COLUMNS}
              rows={orders}
              rowId={({ id }) => id}
              href={({ id }) => `/svc/orders/${id}${ordersSearch(event)}`}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
