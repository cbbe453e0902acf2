import { Badge, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { EmptyState } from "../../components/empty-state"
import { LinkButton } from "../../components/press-button"
import { Loaded, Section } from "../../components/section"
import { ShowState } from "../../components/state-badge"
import { When } from "../../components/when"
import type { useOverview } from "../../hooks/api/records"
import { useText } from "../../hooks/use-text"
import { formatMoney } from "../../lib/format"
import type { CurrentShow, PastShow } from "../../lib/types"

/** The shows that run and come: whether all of it can be bought, and what it has sold. */
export const CurrentShows = ({ query }: { query: ReturnType<typeof useOverview> }) => {
  const { t } = useText()
  return (
    <>
      <Section heading={t("overview.tonight")}>
        <Loaded query={query} rows={2}>
          {({ current_shows: shows }) =>
            shows.length === 0 ? (
              <EmptyState
                heading={t("overview.tonightEmpty")}
                description={t("overview.tonightEmptyHint")}
              />
            ) : (
              shows.map((show) => <Show key={show.id} show={show} />)
            )
          }
        </Loaded>
      </Section>
      {query.data && <PastShows shows={query.data.past_shows} />}
    </>
  )
}

const Show = ({ show }: { show: CurrentShow }) => {
  const { t, locale } = useText()
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-6 py-4">
      <div className="flex min-w-0 flex-1 basis-64 items-center gap-x-3">
        {show.cover_url && (
          <img
            src={show.cover_url}
            alt=""
            loading="lazy"
            className="bg-ui-bg-component size-10 shrink-0 rounded-md object-cover"
          />
        )}
        <div className="min-w-0">
          <Link
            to={`/svc/shows/${show.id}`}
            className="txt-compact-small-plus text-ui-fg-base hover:text-ui-fg-interactive-hover focus-visible:shadow-borders-focus block truncate rounded outline-none"
          >
            {show.name || show.event_id}
          </Link>
          <Text size="small" leading="compact" className="text-ui-fg-subtle">
            <When at={show.live_started_at ?? show.starts_at} />
            {show.results.map(({ currency_code, net, orders }) => (
              <span key={currency_code} className="tabular-nums">
                {" · "}
                {t("overview.sold", {
                  net: formatMoney(net, currency_code, locale),
                  count: orders,
                })}
              </span>
            ))}
          </Text>
        </div>
      </div>
      <div className="flex items-center gap-x-3">
        {!show.is_published && (
          <Badge size="2xsmall" color="orange">
            {t("shows.unpublished")}
          </Badge>
        )}
        <Readiness show={show} />
        <ShowState event={show} />
      </div>
    </div>
  )
}

/** One line: whether the show can sell all that it shows, and the way to what is missing. */
const Readiness = ({ show }: { show: CurrentShow }) => {
  const { t } = useText()
  const { not_ready: notReady, warned, product_count: count } = show
  if (count === 0) return <Badge size="2xsmall">{t("overview.noProducts")}</Badge>
  if (notReady === 0 && warned === 0) {
    return (
      <Badge size="2xsmall" color="green">
        {t("overview.allReady", { count })}
      </Badge>
    )
  }
  return (
    <>
      <Badge size="2xsmall" color={notReady > 0 ? "red" : "orange"}>
        {notReady > 0
          ? t("overview.notReady", { count: notReady, of: count })
          : t("overview.warned", { count: warned })}
      </Badge>
      <LinkButton to={`/svc/shows/${show.id}`}>{t("overview.fix")}</LinkButton>
    </>
  )
}

/** What the last shows earned, as bars beside the amounts. Each currency for itself: amounts of two cannot be compared. */
const PastShows = ({ shows }: { shows: PastShow[] }) => {
  const { t } = useText()
  const rows = shows.flatMap((show) => show.results.map((result) => ({ show, result })))
  if (rows.length === 0) return null
  const highest = new Map<string, number>()
  for (const { result } of rows) {
    const { currency_code: currency, net } = result
    highest.set(currency, Math.max(highest.get(currency) ?? 0, net))
  }
  return (
    <Section heading={t("overview.past")} subheading={t("overview.pastHint")}>
      <div className="flex flex-col gap-y-3 px-6 py-4">
        {rows.map(({ show, result }) => (
          <Bar
            key={`${show.id} ${result.currency_code}`}
            show={show}
            result={result}
            highest={highest.get(result.currency_code) ?? 0}
          />
        ))}
      </div>
    </Section>
  )
}

type BarProps = { show: PastShow; result: PastShow["results"][number]; highest: number }

const Bar = ({ show, result, highest }: BarProps) => {
  const { locale } = useText()
  const share = highest > 0 ? Math.max(0, result.net / highest) : 0
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1">
      <Link
        to={`/svc/shows/${show.id}`}
        className="txt-compact-small text-ui-fg-base hover:text-ui-fg-interactive-hover focus-visible:shadow-borders-focus truncate rounded outline-none"
      >
        {show.name || show.campaign_uid}{" "}
        <span className="text-ui-fg-subtle">
          <When at={show.live_ended_at} />
        </span>
      </Link>
      <Text size="small" leading="compact" weight="plus" className="tabular-nums">
        {formatMoney(result.net, result.currency_code, locale)}
      </Text>
      <div className="bg-ui-bg-component col-span-2 h-1.5 overflow-hidden rounded-full" aria-hidden>
        <div
          className="bg-ui-tag-blue-icon h-full rounded-full"
          style={{ width: `${Math.round(share * 100)}%` }}
        />
      </div>
    </div>
  )
}
