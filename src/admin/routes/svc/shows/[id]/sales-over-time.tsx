import { Heading } from "@medusajs/ui"
import { useText } from "../../../../hooks/use-text"
import { formatDateTime, formatHour, formatMoney } from "../../../../lib/format"
import type { Result } from "../../../../lib/types"

/** A bar for each hour in which the show sold something, as high as what it earned; one currency at a time. */
export const SalesOverTime = ({ hours }: { hours: Result[] }) => {
  const { t } = useText()
  return (
    <>
      {[...new Set(hours.map(({ currency_code }) => currency_code))].map((currency) => (
        <section key={currency} className="flex flex-col gap-y-3 px-6 py-4">
          <Heading level="h3">{t("shows.results.overTime")}</Heading>
          <Bars hours={hours.filter(({ currency_code }) => currency_code === currency)} />
        </section>
      ))}
    </>
  )
}

const Bars = ({ hours }: { hours: Result[] }) => {
  const { locale } = useText()
  const highest = Math.max(...hours.map(({ net }) => net), 0)
  return (
    <ol className="flex h-28 items-end gap-x-1">
      {hours.map(({ period, net, currency_code }) => {
        const amount = formatMoney(net, currency_code, locale)
        const share = highest > 0 ? Math.max(0, net / highest) : 0
        return (
          <li
            key={period}
            className="flex h-full min-w-0 max-w-16 flex-1 flex-col"
            title={`${formatDateTime(period ?? "", locale)}: ${amount}`}
          >
            <div className="flex min-h-0 flex-1 items-end">
              <div
                className="bg-ui-tag-blue-icon min-h-px w-full rounded-t"
                style={{ height: `${Math.round(share * 100)}%` }}
              />
            </div>
            <span className="txt-compact-xsmall text-ui-fg-subtle mt-1 shrink-0 truncate text-center">
              {formatHour(period ?? "", locale)}
              <span className="sr-only">: {amount}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
