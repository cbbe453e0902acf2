import { clx, Tabs, Tooltip } from "@medusajs/ui"
import { Link, useSearchParams } from "react-router-dom"
import { type Column, connectionColumn, RowLink } from "../../../components/columns"
import { ListTable } from "../../../components/list-table"
import type { Filter } from "../../../hooks/use-table-filters"
import { type TextKey, useText } from "../../../hooks/use-text"
import { formatDate, formatMoney, formatNumber, formatPercent } from "../../../lib/format"
import { ordersSearch } from "../../../lib/order"
import { TIME_ZONE } from "../../../lib/time-span"
import type { Campaign, Result } from "../../../lib/types"

/** What both kinds of rows have. */
type Figures = Omit<Campaign, "campaign_uid" | "connection_id">

/** The span of time that is in the address. */
const SOLD_AT = "sold_at"

export const FILTERS: Filter[] = [
  { name: SOLD_AT, label: "campaigns.sold", kind: "span" },
  { name: "connection_id", label: "campaigns.columns.connection", kind: "connections" },
]

type Show = (row: Figures, locale: string) => string

const Figure = ({ text, isStrong }: { text: (locale: string) => string; isStrong: boolean }) => {
  const { locale } = useText()
  return (
    <span className={clx("tabular-nums", isStrong && "txt-compact-small-plus text-ui-fg-base")}>
      {text(locale)}
    </span>
  )
}

const figure = (id: keyof Figures, label: TextKey, show: Show, size?: number): Column<Figures> => ({
  id,
  label,
  size,
  sort: true,
  right: true,
  phone: id === "net",
  cell: (row) => <Figure text={(locale) => show(row, locale)} isStrong={id === "net"} />,
})

/** In the row's own currency. */
const money = (id: "gross" | "refunded" | "net" | "net_without_tax", label: TextKey) =>
  figure(id, label, (row, locale) => formatMoney(row[id], row.currency_code, locale))

const FIGURES: Column<Figures>[] = [
  figure(
    "units",
    "campaigns.columns.units",
    ({ units }, locale) => formatNumber(units, locale),
    90,
  ),
  money("gross", "campaigns.columns.gross"),
  money("refunded", "campaigns.columns.refunded"),
  money("net", "campaigns.columns.net"),
  money("net_without_tax", "campaigns.columns.netWithoutTax"),
]

const CONVERSION = figure(
  "conversion_rate",
  "campaigns.columns.conversion",
  ({ conversion_rate: share }, locale) => (share === null ? "-" : formatPercent(share, locale)),
  110,
)

const ORDERS = {
  id: "orders",
  label: "campaigns.columns.orders",
  size: 110,
  sort: true,
  right: true,
} as const

/** A number of orders, and how many more came from a show in which nothing was sold at its price. */
const Orders = ({ row, to }: { row: Figures; to?: string }) => {
  const { t, locale } = useText()
  const orders = formatNumber(row.orders, locale)
  const apart = row.orders_without_show_lines
  return (
    <span className="tabular-nums">
      {to ? (
        <Link
          to={to}
          aria-label={`${t("campaigns.columns.orders")}: ${orders}`}
          className="hover:text-ui-fg-interactive-hover underline"
        >
          {orders}
        </Link>
      ) : (
        orders
      )}
      {apart > 0 && (
        <Tooltip content={t("campaigns.withoutShowLines")}>
          <span className="text-ui-fg-subtle">{` + ${formatNumber(apart, locale)}`}</span>
        </Tooltip>
      )}
    </span>
  )
}

/** The number leads to the campaign's orders: those that it counts, and those that are unpaid, cancelled or left out. */
const OrdersOfCampaign = ({ row }: { row: Campaign }) => {
  const [params] = useSearchParams()
  return <Orders row={row} to={`/svc/orders${ordersSearch(row, params.get(SOLD_AT))}`} />
}

const CAMPAIGN_COLUMNS: Column<Campaign>[] = [
  {
    id: "name",
    label: "campaigns.columns.name",
    sort: true,
    phone: true,
    cell: ({ event_id, name, campaign_uid }) =>
      event_id ? (
        <RowLink to={`/svc/shows/${encodeURIComponent(event_id)}`}>{name || campaign_uid}</RowLink>
      ) : (
        name || campaign_uid
      ),
  },
  connectionColumn("campaigns.columns.connection"),
  { ...ORDERS, cell: (row) => <OrdersOfCampaign row={row} /> },
  // Days have none: one basket may meet several shows.
  CONVERSION,
  ...FIGURES,
]

const CampaignTable = () => (
  <ListTable<Campaign>
    texts="campaigns"
    path="/campaigns"
    columns={CAMPAIGN_COLUMNS}
    filters={FILTERS}
    order="-net"
    // A campaign that sold in two currencies has a row for each.
    rowId={(row) => `${row.connection_id}/${row.campaign_uid}/${row.currency_code}`}
    csv
  />
)

const Day = ({ period }: { period: string | null }) => formatDate(period ?? "", useText().locale)

const DAY_COLUMNS: Column<Result>[] = [
  {
    id: "period",
    label: "campaigns.columns.day",
    sort: true,
    phone: true,
    cell: ({ period }) => <Day period={period} />,
  },
  { ...ORDERS, cell: (row) => <Orders row={row} /> },
  ...FIGURES,
]

const BY_DAY = { group_by: "day", timezone: TIME_ZONE }

/** What shows sold on each day; a day leads to its campaigns, narrowed to the same connections. */
const DayTable = () => {
  const [params] = useSearchParams()
  const pathOf = ({ period }: Result) => {
    const narrowed = new URLSearchParams({
      [SOLD_AT]: JSON.stringify({ $gte: period, $lte: period }),
    })
    const connections = params.get("connection_id")
    if (connections) narrowed.set("connection_id", connections)
    return `/svc/campaigns?${narrowed}`
  }
  return (
    <ListTable<Result>
      texts="campaigns.days"
      path="/results"
      columns={DAY_COLUMNS}
      filters={FILTERS}
      order="-period"
      query={BY_DAY}
      // A day on which two currencies were sold in has a row for each.
      rowId={(row) => `${row.period}/${row.currency_code}`}
      href={pathOf}
      csv
    />
  )
}

/** Results by campaign or by day. Which of them stands in the address; filters stay, page and order do not. */
export const ResultTables = () => {
  const { t } = useText()
  const [params, setParams] = useSearchParams()
  const show = (by: string) =>
    setParams((before) => {
      if (by === "day") before.set("by", by)
      else before.delete("by")
      before.delete("offset")
      before.delete("order")
      return before
    })
  return (
    <Tabs
      value={params.get("by") === "day" ? "day" : "campaign"}
      onValueChange={show}
      className="flex flex-col gap-y-3"
    >
      <Tabs.List aria-label={t("campaigns.totals.heading")}>
        <Tabs.Trigger value="campaign">{t("campaigns.byCampaign")}</Tabs.Trigger>
        <Tabs.Trigger value="day">{t("campaigns.byDay")}</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="campaign">
        <CampaignTable />
      </Tabs.Content>
      <Tabs.Content value="day">
        <DayTable />
      </Tabs.Content>
    </Tabs>
  )
}
