import { clx, Heading } from "@medusajs/ui"
import { useText } from "../../../../hooks/use-text"
import { formatDateTime, formatMoney } from "../../../../lib/format"
import type { Result } from "../../../../lib/types"
import { barsOf, chartsOf, namesOf } from "./bars"

/**
 * A bar for each hour in which something was sold or paid back, as high as what it earned; below the line, and in another
 * colour, where it lost. One currency at a time.
 *
 * @param hours the latest first
 */
export const SalesOverTime = ({ hours }: { hours: Result[] }) => {
  const { t } = useText()
  const charts = chartsOf(hours)
  return (
    <>
      {charts.map((chart) => (
        <section key={chart.currency} className="flex flex-col gap-y-3 px-6 py-4">
          <Heading level="h3">
            {t("shows.results.overTime")}
            {charts.length > 1 && ` (${chart.currency.toUpperCase()})`}
          </Heading>
          <Bars hours={chart.hours} />
        </section>
      ))}
    </>
  )
}

const Bars = ({ hours }: { hours: Result[] }) => {
  const { locale } = useText()
  const bars = barsOf(hours.map(({ net }) => net))
  const names = namesOf(hours, locale)
  return (
    <ol className="flex h-28 items-end gap-x-1">
      {hours.map(({ period, net, currency_code }, index) => {
        const told = `${formatDateTime(period ?? "", locale)}: ${formatMoney(net, currency_code, locale)}`
        const { bottom = 0, height = 0 } = bars[index] ?? {}
        return (
          <li key={period} className="flex h-full min-w-0 max-w-16 flex-1 flex-col" title={told}>
            <div className="relative min-h-0 flex-1">
              <div
                className={clx(
                  "absolute inset-x-0 min-h-px",
                  net < 0 ? "bg-ui-tag-orange-icon rounded-b" : "bg-ui-tag-blue-icon rounded-t",
                )}
                style={{ bottom: `${bottom}%`, height: `${height}%` }}
              />
            </div>
            <span
              className="txt-compact-xsmall text-ui-fg-subtle mt-1 shrink-0 truncate text-center"
              aria-hidden
            >
              {names[index]?.hour}
            </span>
            {names[0]?.day && (
              <span
                className="txt-compact-xsmall text-ui-fg-muted h-4 shrink-0 whitespace-nowrap"
                aria-hidden
              >
                {names[index]?.day}
              </span>
            )}
            <span className="sr-only">{told}</span>
          </li>
        )
      })}
    </ol>
  )
}
